// `admin.config`: the remote config with its types, descriptions and versions, as the app's team writes it.

import type { CallOptions, PageList, RepeatableCallOptions } from '../api.js';
import type { ConfigSnapshot, ConfigVersion, NewConfigParameter } from '../generated/admin-models.js';
import type { PageQuery } from '../generated/models.js';
import type { Page } from '../models.js';
import { createPageList } from '../page-list.js';
import type { AdminCall, OnceOptions } from './call.js';

/** The present version. */
export interface CurrentConfig extends ConfigSnapshot {
  /** What a change gives as `ifMatch`. */
  etag: string;
}

export interface AdminConfig {
  get(options?: RepeatableCallOptions): Promise<CurrentConfig>;
  /**
   * Writes the whole set as the next version. Rejects with `config/version-conflict` where somebody else has written one
   * since `ifMatch` was read. Sent once: after a lost answer, read before you repeat it.
   *
   * @example
   * const { etag, parameters } = await admin.config.get();
   * const banner = { type: 'string' as const, value: 'Points count double today' };
   * await admin.config.replace({ ...parameters, banner }, { ifMatch: etag });
   */
  replace(
    parameters: Record<string, NewConfigParameter>,
    options: CallOptions & {
      ifMatch: string;
      /** Answers as it would, and writes nothing; the `etag` is that of the version that is still current. */
      validateOnly?: boolean | undefined;
    },
  ): Promise<CurrentConfig>;
  /** The versions that are kept, newest first. */
  versions(query?: PageQuery, options?: RepeatableCallOptions): PageList<ConfigVersion>;
  version(version: number, options?: RepeatableCallOptions): Promise<ConfigSnapshot>;
  /** Writes the parameters of an earlier version as the next one. */
  rollback(version: number, options?: OnceOptions & { ifMatch?: string | undefined }): Promise<CurrentConfig>;
}

/** @internal */
export function createAdminConfig(call: AdminCall): AdminConfig {
  async function withEtag(
    ask: (onAnswer: (response: Response) => void) => Promise<ConfigSnapshot>,
  ): Promise<CurrentConfig> {
    let etag = '';
    const snapshot = await ask((response) => {
      etag = response.headers.get('ETag') ?? '';
    });
    return { ...snapshot, etag };
  }

  return {
    get: (options) => withEtag((onAnswer) => call('GET /admin/config', {}, options, onAnswer)),
    replace: (parameters, { ifMatch, validateOnly, ...options }) =>
      withEtag((onAnswer) =>
        call(
          'PUT /admin/config',
          { body: { parameters }, query: { validate_only: validateOnly } },
          { ...options, headers: { ...options.headers, 'If-Match': ifMatch } },
          onAnswer,
        ),
      ),
    versions: (query, options) =>
      createPageList(
        (page) => call<Page<ConfigVersion>>('GET /admin/config/versions', { query: page }, options),
        query,
      ),
    version: (version, options) =>
      call<ConfigSnapshot>(
        'GET /admin/config/versions/:version',
        { params: { version: String(version) } },
        options,
      ),
    rollback: (version, { ifMatch, ...options } = {}) => {
      const headers = { ...options.headers, ...(ifMatch && { 'If-Match': ifMatch }) };
      return withEtag((onAnswer) =>
        call('POST /admin/config/rollback', { body: { version } }, { ...options, headers }, onAnswer),
      );
    },
  };
}

// `admin.config`: the remote config with types, descriptions and versions.

import type { CallOptions, PageList, RepeatableCallOptions } from '../api.js';
import type { ConfigSnapshot, ConfigVersion, NewConfigParameter } from '../generated/admin-models.js';
import type { PageQuery } from '../generated/models.js';
import { type AdminCall, listPages, type OnceOptions } from './call.js';

/** The current version. */
export interface CurrentConfig extends ConfigSnapshot {
  /** The value for the `ifMatch` of a change. */
  etag: string;
}

export interface AdminConfig {
  /** The current parameters with their types and descriptions, and the `etag` for a change. */
  get(options?: RepeatableCallOptions): Promise<CurrentConfig>;
  /**
   * Replaces all parameters and creates a new version. Rejects with `config/version-conflict` when the config has
   * changed since `ifMatch` was read. Not retried: after a lost response, read the config before you repeat it.
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
      /** Validates without writing. The returned `etag` is that of the current version. */
      validateOnly?: boolean | undefined;
    },
  ): Promise<CurrentConfig>;
  /** The stored versions, newest first. */
  versions(query?: PageQuery, options?: RepeatableCallOptions): PageList<ConfigVersion>;
  /** An earlier version. Rejects with `config/version-not-found` when it is no longer stored. */
  version(version: number, options?: RepeatableCallOptions): Promise<ConfigSnapshot>;
  /** Restores the parameters of an earlier version as a new version. */
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
      listPages<ConfigVersion>(call, 'GET /admin/config/versions', { query }, options),
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

// `userExport(client)`: everything that the service stores about the signed-in user, as a file.
import type { CallOptions, Client, RepeatableCallOptions } from '../api.js';
import type { UserExport } from '../generated/models.js';
import { call } from '../session/call.js';
import { coreOf } from '../session/core.js';

export interface UserExports {
  /**
   * Requests an export. The service mails the user when the file is ready. Requires a recent sign-in; at most once a day, then
   * rejects with `request/rate-limited`.
   */
  request(options?: CallOptions): Promise<UserExport>;
  /** The state of the latest export; `file_id` is for `files(client).url` once it is `ready`. */
  get(options?: RepeatableCallOptions): Promise<UserExport>;
}

/**
 * Returns the export methods of a client. Throws `client/invalid-argument` when `client` was not created by `createClient`.
 *
 * @example
 * const { file_id } = await userExport(client).get();
 * if (file_id) location.href = (await files(client).url(file_id, { download: true })).url;
 */
export function userExport(client: Client): UserExports {
  const core = coreOf(client);
  return {
    request: (options) => call<UserExport>(core, 'POST /me/export', {}, options),
    get: (options) => call<UserExport>(core, 'GET /me/export', {}, options),
  };
}

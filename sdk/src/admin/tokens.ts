// `admin.tokens`: verifies access tokens at the service, which also detects revoked sessions.

import type { RepeatableCallOptions } from '../api.js';
import type { TokenVerdict } from '../generated/admin-models.js';
import type { AdminCall } from './call.js';

export interface AdminTokens {
  /** Verifies the token, its session and the account; with `checkRevoked: false`, only the token. */
  verify(
    accessToken: string,
    options?: RepeatableCallOptions & { checkRevoked?: boolean | undefined },
  ): Promise<TokenVerdict>;
}

/** @internal */
export function createAdminTokens(call: AdminCall): AdminTokens {
  return {
    verify: (accessToken, { checkRevoked, ...options } = {}) =>
      call<TokenVerdict>(
        'POST /admin/tokens/verify',
        { body: { access_token: accessToken, check_revoked: checkRevoked } },
        options,
      ),
  };
}

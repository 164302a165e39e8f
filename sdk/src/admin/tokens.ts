// `admin.tokens`: asking the service whether an access token is good, which also knows whether its session has ended.

import type { RepeatableCallOptions } from '../api.js';
import type { TokenVerdict } from '../generated/admin-models.js';
import type { AdminCall } from './call.js';

export interface AdminTokens {
  /** Judges the token, its session and the account; with `checkRevoked: false` the token alone. */
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

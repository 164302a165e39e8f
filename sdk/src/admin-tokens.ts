// `admin.tokens`: asking the service whether an access token is good, which also knows whether its session has ended.
import type { AdminCall } from './admin-call.js';
import type { RepeatableCallOptions } from './api.js';
import type { ServerCode } from './errors.js';
import type { User } from './models.js';

export type TokenVerdict =
  | {
      active: true;
      uid: string;
      session_id: string;
      claims: Record<string, unknown>;
      /** When the user signed in, or proved it anew. */
      auth_time: string;
      issued_at: string;
      expires_at: string;
      /** The user as of now; `null`, with `checkRevoked: false` alone, when the account is gone. */
      user: User | null;
    }
  | {
      active: false;
      /** `auth/token-expired`, `auth/user-disabled`, or `auth/invalid-token` for any other. */
      reason: ServerCode;
    };

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

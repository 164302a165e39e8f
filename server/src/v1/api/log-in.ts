// POST /login: a sign-in that starts a v1 token in place of a session. It counts towards the same limits.
import type { Deps } from '../../deps.js';
import type { App } from '../../model/app.js';
import type { V1UserRow } from '../../model/v1-token.js';
import { withVerifiedPassword } from '../../passwords/with-verified-password.js';
import { startV1Token } from '../tokens/start-v1-token.js';

export function logIn(
  deps: Deps,
  app: App,
  ipAddress: string | null,
  input: { email: string; password: string },
): Promise<{ token: string; user: V1UserRow }> {
  return withVerifiedPassword(deps, app, ipAddress, input, (credential) =>
    startV1Token(deps, app, credential, ipAddress),
  );
}

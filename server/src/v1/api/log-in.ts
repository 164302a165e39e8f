// POST /login: the twin of sign-in, with a v1 token in place of a session. It counts in the same limits.
import type { Deps } from '../../deps.js';
import type { App } from '../../model/app.js';
import type { V1UserRow } from '../../model/v1-token.js';
import { type PasswordSignIn, withProvenPassword } from '../../sign-in/with-password.js';
import { startV1Token } from '../tokens/start-v1-token.js';

export function logIn(
  deps: Deps,
  app: App,
  ipAddress: string | null,
  input: PasswordSignIn,
): Promise<{ token: string; user: V1UserRow }> {
  return withProvenPassword(deps, app, ipAddress, input, (proof) =>
    startV1Token(deps, app, proof, ipAddress),
  );
}

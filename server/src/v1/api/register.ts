// POST /register: a sign-up that does not sign in.
import type { Deps } from '../../deps.js';
import type { App } from '../../model/app.js';
import type { V1UserRow } from '../../model/v1-token.js';
import { buildAccount, requireNewAccount, type SignUp } from '../../sign-in/with-password.js';
import { emailInUse } from '../../users/account.js';
import { countSignUp } from '../../users/count-sign-up.js';
import { createUserWithoutSession } from '../../users/create-user.js';
import { v1Sign } from '../tokens/v1-token.js';

export async function register(
  deps: Deps,
  app: App,
  ipAddress: string | null,
  input: SignUp,
): Promise<V1UserRow> {
  const signUp = await requireNewAccount(deps, app, input);
  const audit = { ipAddress, details: v1Sign };
  const user = await countSignUp(deps, app, async () =>
    createUserWithoutSession(deps.query, deps, app, await buildAccount(deps, app, ipAddress, signUp), audit),
  );
  if (!user) throw emailInUse();
  deps.dailyCounters.recordActivity(app.id, user.uid, 'v1');
  return { ...user, v1Id: null, points: 0 };
}

// POST /register: a sign-up that does not sign in.
import { emailInUse } from '../../accounts/account.js';
import type { Deps } from '../../deps.js';
import type { Call } from '../../model/call.js';
import type { V1UserRow } from '../../model/v1-token.js';
import { buildAccount, requireNewAccount, type SignUp } from '../../sign-in/with-password.js';
import { countSignUp } from '../../sign-up/count-sign-up.js';
import { createUserWithoutSession } from '../../sign-up/create-user.js';
import { v1Sign } from '../../v1-tokens/v1-token.js';

export async function register(deps: Deps, call: Call, input: SignUp): Promise<V1UserRow> {
  const { app, ip } = call;
  const signUp = await requireNewAccount(deps, app, input);
  const user = await countSignUp(deps, app, { ip, isProven: false }, async () => {
    const account = { user: await buildAccount(deps, call, signUp), details: v1Sign };
    return createUserWithoutSession(deps.query, deps, call, account);
  });
  if (!user) throw emailInUse();
  deps.dailyCounters.recordActivity(app.id, user.uid, 'v1');
  return { ...user, v1Id: null, points: 0 };
}

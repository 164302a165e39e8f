// POST /auth/second-factor: the second step of a sign-in, for the ticket of the first.
import { type Account, findAccountById } from '../accounts/account.js';
import { recordFailures } from '../audit/record-failure.js';
import { changeInTurn, turnOf } from '../change.js';
import type { Deps } from '../deps.js';
import { ApiError } from '../lib/api-error.js';
import type { Call } from '../model/call.js';
import { type SignedIn, startSession } from '../sessions/start-session.js';
import { finishSignIn } from './finish-sign-in.js';
import { openTicket, type Ticket } from './ticket.js';
import { type FactorProof, factorOf, verifyFactor } from './verify-factor.js';

export type Completed = SignedIn & { isNewUser: boolean | undefined };

export async function completeSignIn(
  deps: Deps,
  call: Call,
  { ticket: text, ...proof }: FactorProof & { ticket: string },
): Promise<Completed> {
  const ticket = openTicket(deps, call.app, text);
  if (ticket.enrolls) throw new ApiError('auth/invalid-token');
  const { uid, credentialVersion, isNewUser } = ticket;
  const account = await accountOfTicket(deps, call, ticket);
  const failure = { action: 'user.second_factor_failed', uid, method: factorOf(proof) } as const;
  const step = await recordFailures(deps, call, failure, async () => {
    const verified = await verifyFactor(deps, call, { uid, ticket: ticket.hash }, proof);
    const credential = { uid, credentialVersion, newPasswordHash: null };
    const signIn = { ...ticket.signIn, secondFactor: verified.factor, credential };
    const start = changeInTurn(
      deps,
      call,
      async (tx, record) => {
        const started = await startSession(deps, call, signIn, tx);
        if (started) await verified.spend(tx, record, account.email);
        return started;
      },
      turnOf(uid),
    );
    return (await start) ?? Promise.reject(new ApiError('auth/invalid-token'));
  });
  return { ...(await finishSignIn(deps, call.app, step)), isNewUser };
}

/** Throws if the account was disabled, deleted, or has other credentials since the first step. */
export async function accountOfTicket(
  deps: Pick<Deps, 'query'>,
  { app }: Pick<Call, 'app'>,
  { uid, credentialVersion }: Ticket,
): Promise<Account> {
  const account = await findAccountById(deps.query, app.id, uid);
  if (account?.disabled) throw new ApiError('auth/user-disabled');
  if (account?.credentialVersion !== credentialVersion) throw new ApiError('auth/invalid-token');
  return account;
}

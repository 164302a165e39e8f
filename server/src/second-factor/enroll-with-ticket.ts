// POST /auth/second-factor/enroll and /enroll/confirm: for a user without a factor, where the app requires one. The secret follows
// from the ticket, so nothing is stored before it is confirmed.

import type { contract, TotpEnrollment } from '@foyer/contract';
import type { z } from 'zod';
import { recordFailures } from '../audit/record-failure.js';
import { changeInTurn, turnOf } from '../change.js';
import type { Deps } from '../deps.js';
import { ApiError } from '../lib/api-error.js';
import type { Call } from '../model/call.js';
import { startSession } from '../sessions/start-session.js';
import { accountOfTicket, type Completed } from './complete-sign-in.js';
import { enrollFactor } from './enroll-factor.js';
import { finishSignIn, hasPasskeyBeside } from './finish-sign-in.js';
import { findFactor, isEnrolled } from './store.js';
import { openTicket } from './ticket.js';
import { enrollmentOf, stepOfCode } from './totp.js';

export async function beginWithTicket(
  deps: Deps,
  call: Call,
  text: string,
): Promise<z.infer<typeof TotpEnrollment>> {
  const { ticket, account } = await requireEnrolling(deps, call, text);
  return enrollmentOf(ticket.enrollmentSecret(), { app: call.app.name, email: account.email });
}

export async function confirmWithTicket(
  deps: Deps,
  call: Call,
  { ticket: text, code }: z.infer<typeof contract.secondFactor.confirmEnrollment.body>,
): Promise<Completed & { recoveryCodes: string[] }> {
  const { app, ip } = call;
  const { ticket, account } = await requireEnrolling(deps, call, text);
  const { uid, credentialVersion, isNewUser } = ticket;
  const secret = ticket.enrollmentSecret();
  const failure = { action: 'user.second_factor_failed', uid, method: 'totp' } as const;
  const step = await recordFailures(deps, call, failure, async () => {
    const found = stepOfCode(secret, code, { now: deps.clock.now(), lastStep: 0 });
    if (found === null) throw new ApiError('auth/invalid-code');
    return found;
  });
  const credential = { uid, credentialVersion, newPasswordHash: null };
  const signIn = { ...ticket.signIn, secondFactor: 'totp', credential } as const;
  const { started, recoveryCodes } = await changeInTurn(
    deps,
    call,
    async (tx, record) => {
      // Locks the user's row: of parallel enrollments one finds none before it, and no passkey is added meanwhile.
      const started = await startSession(deps, call, signIn, tx);
      if (
        !started ||
        isEnrolled(await findFactor(tx, account)) ||
        (await hasPasskeyBeside(tx, deps, app, ticket))
      )
        throw new ApiError('auth/invalid-token');
      const enrollment = { account, secret, step, replaced: false };
      const recoveryCodes = await enrollFactor(tx, deps, { app, ip, record }, enrollment);
      return { started, recoveryCodes };
    },
    turnOf(uid),
  );
  return { ...(await finishSignIn(deps, app, started)), isNewUser, recoveryCodes };
}

async function requireEnrolling(deps: Deps, call: Call, text: string) {
  const ticket = openTicket(deps, call.app, text);
  const account = await accountOfTicket(deps, call, ticket);
  // The user may have added a passkey since the first step.
  if (
    !ticket.enrolls ||
    account.secondFactor ||
    (await hasPasskeyBeside(deps.prisma, deps, call.app, ticket))
  )
    throw new ApiError('auth/invalid-token');
  return { ticket, account };
}

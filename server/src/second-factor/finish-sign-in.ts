// The end of every way in, once its transaction has committed: the answer of the session that was started, or the refusal with a
// ticket for the second step.
import type { SecondStep } from '@foyer/contract';
import type { Db } from '@foyer/prisma';
import type { Deps } from '../deps.js';
import { ApiError } from '../lib/api-error.js';
import type { App } from '../model/app.js';
import { relyingPartyOf } from '../passkeys/relying-party.js';
import { hasPasskeyOf } from '../passkeys/store.js';
import type { FirstStep, SignedIn } from '../sessions/start-session.js';
import { findFactor } from './store.js';
import { sealTicket } from './ticket.js';

/** `isNewUser` for calls whose answer has it. Throws `auth/second-factor-required`, and counts in the statistics. */
export async function finishSignIn(
  deps: Pick<Deps, 'config' | 'dailyCounters' | 'keyRing' | 'clock' | 'prisma'>,
  app: App,
  step: FirstStep,
  isNewUser?: boolean,
): Promise<SignedIn> {
  const { uid, signIn } = step;
  if (step.signedIn === null) {
    const factors = await factorsOf(deps, app, step);
    const ticket = sealTicket(deps, app, step, { isNewUser, enrolls: factors.includes('enroll') });
    throw new ApiError('auth/second-factor-required', { fields: { ticket: [ticket], factors } });
  }
  deps.dailyCounters.count(app.id, `sign_ins.${signIn.method}`);
  if (signIn.secondFactor) deps.dailyCounters.count(app.id, 'second_factor_sign_ins');
  deps.dailyCounters.recordActivity(app.id, uid, 'v2');
  return step.signedIn;
}

/** If the user has a passkey but no TOTP, offer only the passkey: letting a password enroll TOTP would bypass it. */
async function factorsOf(
  deps: Pick<Deps, 'config' | 'prisma'>,
  app: App,
  step: FirstStep & { signedIn: null },
): Promise<SecondStep[]> {
  const ids = { appId: app.id, uid: step.uid };
  const passkey: SecondStep[] = (await hasPasskeyBeside(deps.prisma, deps, app, step)) ? ['passkey'] : [];
  if (!step.isEnrolled) return passkey.length > 0 ? passkey : ['enroll'];
  const factor = await findFactor(deps.prisma, ids);
  const recovery: SecondStep[] = factor && factor.recoveryHashes.length > 0 ? ['recovery_code'] : [];
  return ['totp', ...recovery, ...passkey];
}

/**
 * Whether the user can sign in with a passkey instead, which is both steps if it verifies the user. Passkeys of a former relying
 * party do not count: no browser offers them, and their user could not sign in where a second factor is required.
 */
export async function hasPasskeyBeside(
  db: Db,
  deps: Pick<Deps, 'config'>,
  app: App,
  { uid, signIn }: Pick<FirstStep, 'uid' | 'signIn'>,
): Promise<boolean> {
  const party = relyingPartyOf(deps, app);
  if (party === null || signIn.method === 'passkey') return false;
  return hasPasskeyOf(db, { appId: app.id, uid }, party.rp_id);
}

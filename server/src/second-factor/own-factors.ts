// The second factor of the signed-in user: read, enroll or replace, and new recovery codes.
import { type Factors, limits } from '@foyer/contract';
import type { Tx } from '@foyer/prisma';
import { recordFailures } from '../audit/record-failure.js';
import { type ChangeRecord, change, changeInTurn, turnOf } from '../change.js';
import type { Deps } from '../deps.js';
import { ApiError } from '../lib/api-error.js';
import { before, timestamp } from '../lib/timestamp.js';
import { secondFactorRule } from '../model/app.js';
import { sessionIdsOf, type UserCall } from '../model/call.js';
import { lockUserOfCall } from '../sessions/find-session.js';
import { amrOfFactor } from '../sessions/new-session.js';
import { addAmr } from '../sessions/store.js';
import { enrollFactor } from './enroll-factor.js';
import { newRecoveryCodes } from './recovery-codes.js';
import { type FactorRow, findFactor, isEnrolled, lockFactor, writeFactor } from './store.js';
import { decryptSecret, encryptSecret } from './stored-secret.js';
import { enrollmentOf, newSecret, stepOfCode } from './totp.js';

export async function readFactors(
  deps: Pick<Deps, 'prisma'>,
  { app, uid }: Pick<UserCall, 'app' | 'uid'>,
): Promise<Factors> {
  const row = await findFactor(deps.prisma, { appId: app.id, uid });
  return {
    rule: secondFactorRule(app),
    totp: isEnrolled(row) ? { enrolled_at: timestamp(row.enrolledAt) } : null,
    recovery_codes_left: row?.recoveryHashes.length ?? 0,
  };
}

export async function beginTotp(deps: Deps, call: UserCall) {
  requireAllowed(call);
  const { app } = call;
  const secret = newSecret(deps.random);
  const account = await change(deps, call, async (tx) => {
    const account = await lockUserOfCall(tx, sessionIdsOf(call));
    const pendingSecret = encryptSecret(deps.keyRing, account, secret);
    await writeFactor(tx, account, { pendingSecret, pendingAt: deps.clock.now() });
    return account;
  });
  return enrollmentOf(secret, { app: app.name, email: account.email });
}

/** Returns the recovery codes. */
export async function confirmTotp(deps: Deps, call: UserCall, code: string): Promise<string[]> {
  requireAllowed(call);
  const { app, uid, ip } = call;
  const ids = { appId: app.id, uid };
  const now = deps.clock.now();
  const pending = pendingOf(await findFactor(deps.prisma, ids), now);
  const secret = decryptSecret(deps.keyRing, ids, pending);
  const failure = { action: 'user.second_factor_failed', uid, method: 'totp' } as const;
  const step = await recordFailures(deps, call, failure, async () => {
    const found = stepOfCode(secret, code, { now, lastStep: 0 });
    if (found === null) throw new ApiError('auth/invalid-code');
    return found;
  });
  const enroll = async (tx: Tx, record: ChangeRecord) => {
    const account = await lockUserOfCall(tx, sessionIdsOf(call));
    await addAmr(tx, sessionIdsOf(call), amrOfFactor.totp);
    const current = await lockFactor(tx, ids);
    // Confirmed, or begun anew, by a parallel call.
    if (Buffer.compare(pendingOf(current, now), pending) !== 0) throw new ApiError('auth/invalid-code');
    const enrollment = { account, secret, step, replaced: isEnrolled(current) };
    return enrollFactor(tx, deps, { app, ip, record }, enrollment);
  };
  return changeInTurn(deps, call, enroll, turnOf(uid));
}

export async function replaceRecoveryCodes(deps: Deps, call: UserCall): Promise<string[]> {
  // Each replacement is an entry of the audit log, which attackers could fill.
  await deps.limiter.consume('profile-change', call.app, call.uid);
  return change(deps, call, async (tx, record) => {
    const account = await lockUserOfCall(tx, sessionIdsOf(call));
    const row = await lockFactor(tx, account);
    if (!isEnrolled(row)) throw new ApiError('auth/second-factor-not-enrolled');
    const secret = decryptSecret(deps.keyRing, account, row.secret);
    const { codes, hashes } = newRecoveryCodes(deps.random, secret);
    await writeFactor(tx, account, { recoveryHashes: hashes });
    await record.audit({ action: 'user.recovery_codes_replaced', uid: account.uid });
    return codes;
  });
}

function requireAllowed({ app }: Pick<UserCall, 'app'>): void {
  if (secondFactorRule(app) === 'off') throw new ApiError('auth/operation-not-allowed');
}

/** The encrypted secret that waits for its confirmation. */
function pendingOf(row: FactorRow | null, now: Date): Uint8Array {
  const latest = before(now, limits.secondFactorSeconds * 1_000);
  if (!row?.pendingSecret || !row.pendingAt || row.pendingAt <= latest)
    throw new ApiError('auth/code-expired');
  return row.pendingSecret;
}

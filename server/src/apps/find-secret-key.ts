// Authenticates a backend by the hash of its secret key. Refusals are audited once a minute: by id for a known key, by network
// for an unknown one.
import type { Deps } from '../deps.js';
import { ApiError } from '../lib/api-error.js';
import { sha256 } from '../lib/crypto/digest.js';
import { hourMilliseconds } from '../lib/timestamp.js';
import { refusedKeyEntry, type SecretKeyRow } from '../model/secret-key.js';
import { checkSecretKey, type NeededScopes, type SecretKeyVerdict } from './secret-key-rules.js';
import { findSecretKey, recordSecretKeyUse } from './store.js';

export type SecretKeyCall = {
  appId: string;
  secretKey: string;
  needs: NeededScopes;
  fromBrowser: boolean;
  ip: string | null;
};

/** Throws `admin/invalid-secret-key` or `admin/insufficient-scope`. */
export async function requireSecretKey(
  deps: Pick<Deps, 'prisma' | 'clock' | 'auditBuffer'>,
  call: SecretKeyCall,
): Promise<SecretKeyRow> {
  const now = deps.clock.now();
  const row = await findSecretKey(deps.prisma, call.appId, sha256(call.secretKey));
  const verdict = row ? checkSecretKey(row, { ...call, now }) : 'unknown';
  if (!row || verdict !== 'good') {
    recordRefusal(deps, call, row, verdict);
    const lacksScope = typeof verdict === 'object';
    throw new ApiError(lacksScope ? 'admin/insufficient-scope' : 'admin/invalid-secret-key');
  }
  // Recorded by the hour, which saves a write per request. A recorded use that is far in the future is from before the clock
  // stepped back.
  if (Math.abs(now.getTime() - (row.lastUsedAt?.getTime() ?? 0)) >= hourMilliseconds) {
    await recordSecretKeyUse(deps.prisma, call.appId, row.id, now);
  }
  return row;
}

/**
 * Audits a secret key that was sent by a page: it is compromised, which the app must learn even if the request is refused
 * for its origin or needs no secret key.
 */
export async function recordKeyInBrowser(
  deps: Pick<Deps, 'prisma' | 'clock' | 'auditBuffer'>,
  call: SecretKeyCall,
): Promise<void> {
  const row = await findSecretKey(deps.prisma, call.appId, sha256(call.secretKey));
  recordRefusal(deps, call, row, row ? checkSecretKey(row, { ...call, now: deps.clock.now() }) : 'unknown');
}

function recordRefusal(
  deps: Pick<Deps, 'auditBuffer'>,
  call: SecretKeyCall,
  row: SecretKeyRow | null,
  verdict: SecretKeyVerdict | 'unknown',
): void {
  const refusal = typeof verdict === 'object' ? verdict : { reason: verdict, scope: call.needs.scope };
  deps.auditBuffer.add(refusedKeyEntry(row, refusal, call));
}

// Authenticates a backend by the hash of its secret key. Refusals are audited once a minute: by id for a known key, by
// network for an unknown one. Conventions of the API, "Admin".
import type { Deps } from '../deps.js';
import { ApiError } from '../lib/api-error.js';
import { sha256 } from '../lib/crypto/digest.js';
import { hourMilliseconds } from '../lib/timestamp.js';
import type { SecretKeyRow } from '../model/secret-key.js';
import { checkSecretKey } from './secret-key-rules.js';
import { findSecretKey, recordSecretKeyUse } from './store.js';

export type SecretKeyCall = {
  appId: string;
  secretKey: string;
  /** The scope that the request needs. */
  scope: string | undefined;
  fromBrowser: boolean;
  ipAddress: string | null;
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
    throw new ApiError(verdict === 'scope-missing' ? 'admin/insufficient-scope' : 'admin/invalid-secret-key');
  }
  // By the hour, which saves a write per request. A recorded use that is far in the future is from before the clock stepped
  // back.
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
  reason: string,
): void {
  const { appId, scope, ipAddress } = call;
  const name = row && `secret_key:${row.id}`;
  deps.auditBuffer.add({
    appId,
    actor: { name: name ?? 'anonymous', ipAddress },
    action: 'secret_key.refused',
    ...(name !== null && { target: name, onceAMinute: `secret_key.refused ${reason}` }),
    details: { reason, ...(scope !== undefined && { scope }) },
  });
}

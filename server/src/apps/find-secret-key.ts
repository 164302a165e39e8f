// Whose backend calls: the secret key of the app, by its hash. A refusal is in the audit log: of a known key by its id, of
// an unknown one by its network, each in one entry a minute. Conventions of the API, "Admin".
import type { Deps } from '../deps.js';
import { ApiError } from '../lib/api-error.js';
import { sha256 } from '../lib/crypto/digest.js';
import type { SecretKeyRow } from '../model/secret-key.js';
import { judgeSecretKey } from './secret-key-rules.js';
import { findSecretKey, noteSecretKeyUse } from './store.js';

/** The last use is for people to look at: to the hour is enough, and saves a write on every call. */
const notedEveryMilliseconds = 60 * 60 * 1_000;

export type SecretKeyCall = {
  appId: string;
  secretKey: string;
  /** The one that the call needs. */
  scope: string | undefined;
  fromBrowser: boolean;
  ipAddress: string | null;
};

/** `admin/invalid-secret-key` or `admin/insufficient-scope` when the key does not open the call. */
export async function requireSecretKey(
  deps: Pick<Deps, 'prisma' | 'clock' | 'auditBuffer'>,
  call: SecretKeyCall,
): Promise<SecretKeyRow> {
  const now = deps.clock.now();
  const row = await findSecretKey(deps.prisma, call.appId, sha256(call.secretKey));
  const verdict = row ? judgeSecretKey(row, { ...call, now }) : 'unknown';
  if (!row || verdict !== 'good') {
    noteRefusal(deps, call, row, verdict);
    throw new ApiError(verdict === 'scope-missing' ? 'admin/insufficient-scope' : 'admin/invalid-secret-key');
  }
  if (now.getTime() - (row.lastUsedAt?.getTime() ?? 0) >= notedEveryMilliseconds) {
    await noteSecretKeyUse(deps.prisma, call.appId, row.id, now);
  }
  return row;
}

/**
 * Notes a key that a page sent, whatever its endpoint would make of it: it is a secret no more, and the app is to hear of
 * that even where the call is refused for its origin, or takes no secret key at all.
 */
export async function noteKeyInBrowser(
  deps: Pick<Deps, 'prisma' | 'clock' | 'auditBuffer'>,
  call: SecretKeyCall,
): Promise<void> {
  const row = await findSecretKey(deps.prisma, call.appId, sha256(call.secretKey));
  noteRefusal(deps, call, row, row ? judgeSecretKey(row, { ...call, now: deps.clock.now() }) : 'unknown');
}

function noteRefusal(
  deps: Pick<Deps, 'auditBuffer'>,
  call: SecretKeyCall,
  row: SecretKeyRow | null,
  reason: string,
): void {
  const { appId, scope, ipAddress } = call;
  const name = row && `secret_key:${row.id}`;
  deps.auditBuffer.note({
    appId,
    actor: { name: name ?? 'anonymous', ipAddress },
    action: 'secret_key.refused',
    ...(name !== null && { target: name, onceAMinute: `secret_key.refused ${reason}` }),
    details: { reason, ...(scope !== undefined && { scope }) },
  });
}

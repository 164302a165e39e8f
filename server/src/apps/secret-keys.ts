// Creates, lists and revokes the secret keys of an app. A key is returned once, on creation, and stored as its SHA-256.
import type { SecretKeyScope } from '@foyer/contract';
import { writeAuditEntry } from '../audit/entry.js';
import type { Deps } from '../deps.js';
import { sha256 } from '../lib/crypto/digest.js';
import { timestamp } from '../lib/timestamp.js';
import type { Actor } from '../model/actor.js';
import type { SecretKey } from '../model/secret-key.js';
import { insertSecretKey, listSecretKeyRows, revokeSecretKeyRow } from './store.js';

type KeyDeps = Pick<Deps, 'prisma' | 'clock' | 'random'>;

export type KeyDraft = { name: string; scopes: SecretKeyScope[]; expiresAt: Date | null };

export type NewKey = { key: SecretKey; keyHash: Buffer; secretKey: string };

/** A key that is not inserted yet. */
export function buildSecretKey(deps: Pick<Deps, 'random'>, draft: KeyDraft, now: Date): NewKey {
  const secretKey = `sk_${deps.random.bytes(32).toString('base64url')}`;
  const key: SecretKey = {
    ...draft,
    id: deps.random.ulid(now),
    lastFour: secretKey.slice(-4),
    createdAt: now,
    lastUsedAt: null,
    revokedAt: null,
  };
  return { key, keyHash: sha256(secretKey), secretKey };
}

export async function createSecretKey(
  deps: KeyDeps,
  appId: string,
  draft: KeyDraft,
  actor: Actor,
): Promise<{ key: SecretKey; secretKey: string }> {
  const { key, keyHash, secretKey } = buildSecretKey(deps, draft, deps.clock.now());
  await deps.prisma.$transaction(async (tx) => {
    await insertSecretKey(tx, appId, key, keyHash);
    await writeAuditEntry(tx, deps, {
      appId,
      actor,
      action: 'secret_key.created',
      target: `secret_key:${key.id}`,
      details: { scopes: key.scopes, expires_at: key.expiresAt && timestamp(key.expiresAt) },
    });
  });
  return { key, secretKey };
}

/** Includes revoked keys, newest first. */
export function listSecretKeys(deps: Pick<Deps, 'prisma'>, appId: string): Promise<SecretKey[]> {
  return listSecretKeyRows(deps.prisma, appId);
}

/**
 * Effective at once on every instance, since each request queries its key. Null if the app has no such key.
 */
export async function revokeSecretKey(
  deps: KeyDeps,
  appId: string,
  id: string,
  actor: Actor,
): Promise<{ before: boolean } | null> {
  const now = deps.clock.now();
  return deps.prisma.$transaction(async (tx) => {
    const found = await revokeSecretKeyRow(tx, appId, id, now);
    if (found !== 'revoked') return found === 'unknown' ? null : { before: true };
    const target = `secret_key:${id}`;
    await writeAuditEntry(tx, deps, { appId, actor, action: 'secret_key.revoked', target });
    return { before: false };
  });
}

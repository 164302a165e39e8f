// Creates, lists and revokes the secret keys of an app. A key is returned once, on creation, and stored as its SHA-256.
import { limits, type SecretKeyScope, type SecretKey as ShownSecretKey, Ulid } from '@foyer/contract';
import { type Changer, change } from '../change.js';
import type { Deps } from '../deps.js';
import type { StoreResponse } from '../idempotency/stored-response.js';
import { ApiError } from '../lib/api-error.js';
import { sha256 } from '../lib/crypto/digest.js';
import { decodeCursor } from '../lib/cursor.js';
import { type Page, type PageInput, pageOf } from '../lib/page.js';
import { timestamp } from '../lib/timestamp.js';
import type { SecretKey } from '../model/secret-key.js';
import {
  countActiveSecretKeys,
  insertSecretKey,
  listActiveSecretKeyRows,
  listSecretKeyRows,
  lockApp,
  type Revocation,
  revokeSecretKeyRow,
} from './store.js';

type KeyDeps = Pick<Deps, 'prisma' | 'clock' | 'random'>;

export type KeyDraft = { name: string; scopes: SecretKeyScope[]; expiresAt: Date | null };
export type CreatedSecretKey = { key: SecretKey; secretKey: string };

/** A key that is not inserted yet. */
export function buildSecretKey(deps: Pick<Deps, 'random'>, draft: KeyDraft, now: Date) {
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

/**
 * `request/validation-failed` for an expiry in the past, `admin/too-many-secret-keys` at the limit: the app is locked while its
 * active keys are counted, so that concurrent calls cannot exceed it.
 */
export async function createSecretKey(
  deps: KeyDeps,
  call: Changer,
  draft: KeyDraft,
  store?: StoreResponse<CreatedSecretKey>,
): Promise<CreatedSecretKey> {
  const { id: appId } = call.app;
  const now = deps.clock.now();
  if (draft.expiresAt !== null && draft.expiresAt <= now) {
    throw new ApiError('request/validation-failed', { fields: { expires_at: ['must be in the future'] } });
  }
  const scopes = [...new Set(draft.scopes)];
  const { key, keyHash, secretKey } = buildSecretKey(deps, { ...draft, scopes }, now);
  await change(deps, call, async (tx, record) => {
    await lockApp(tx, appId);
    if ((await countActiveSecretKeys(tx, appId, now)) >= limits.secretKeysPerApp) {
      throw new ApiError('admin/too-many-secret-keys');
    }
    await insertSecretKey(tx, appId, key, keyHash);
    await record.audit({
      action: 'secret_key.created',
      target: `secret_key:${key.id}`,
      details: { scopes: key.scopes, expires_at: key.expiresAt && timestamp(key.expiresAt) },
    });
    await store?.(tx, { key, secretKey });
  });
  return { key, secretKey };
}

/** Includes revoked keys, newest first. */
export function listSecretKeys(deps: Pick<Deps, 'prisma'>, appId: string): Promise<SecretKey[]> {
  return listSecretKeyRows(deps.prisma, appId);
}

export function listActiveSecretKeys(
  { prisma, clock }: Pick<Deps, 'prisma' | 'clock'>,
  appId: string,
): Promise<SecretKey[]> {
  return listActiveSecretKeyRows(prisma, appId, clock.now());
}

/** Lists the keys page by page. */
export async function listSecretKeyPage(
  deps: Pick<Deps, 'prisma'>,
  appId: string,
  { limit, cursor }: PageInput,
): Promise<Page<ShownSecretKey>> {
  const before = cursor === undefined ? undefined : decodeCursor(cursor, Ulid)[0];
  const rows = await listSecretKeyRows(deps.prisma, appId, { before, maxRows: limit + 1 });
  return pageOf(rows, limit, ({ id }) => [id], serializeSecretKey);
}

export function serializeSecretKey(key: SecretKey): ShownSecretKey {
  return {
    id: key.id,
    name: key.name,
    scopes: key.scopes as SecretKeyScope[],
    last_four: key.lastFour,
    created_at: timestamp(key.createdAt),
    last_used_at: key.lastUsedAt && timestamp(key.lastUsedAt),
    expires_at: key.expiresAt && timestamp(key.expiresAt),
    revoked_at: key.revokedAt && timestamp(key.revokedAt),
  };
}

/** `admin/secret-key-not-found` if the app has no such key, or it was revoked before. */
export async function revokeActiveSecretKey(...args: Parameters<typeof revokeSecretKey>): Promise<void> {
  if ((await revokeSecretKey(...args)) !== 'revoked') throw new ApiError('admin/secret-key-not-found');
}

/** Effective at once on every instance, since each request queries its key. */
export async function revokeSecretKey(deps: KeyDeps, call: Changer, id: string): Promise<Revocation> {
  return change(deps, call, async (tx, record) => {
    const found = await revokeSecretKeyRow(tx, call.app.id, id, deps.clock.now());
    const entry = { action: 'secret_key.revoked', target: `secret_key:${id}` } as const;
    if (found === 'revoked') await record.audit(entry);
    return found;
  });
}

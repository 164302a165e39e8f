// The keys that sign access tokens. Each algorithm has one next key (published before it signs), one current key (signs),
// and retired keys (verify until the last token they signed has expired). Private keys are encrypted at rest.
import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { limits } from '@foyer/contract';
import type { JWK } from 'jose';
import type { KeyRing } from '../../engines/keys/index.js';
import type { CurrentKey, Deps, PublishedKey, SigningKeys } from '../deps.js';
import { ApiError } from '../lib/api-error.js';
import { singleFlight } from '../lib/single-flight.js';
import { before } from '../lib/timestamp.js';
import { listSigningKeys } from './store.js';
import { reloadForKey } from './unknown-key.js';

/** A retired key verifies until its last token has expired, and five minutes longer for clock differences. */
export const retiredMilliseconds = (limits.accessTokenSeconds.max + 300) * 1_000;
const reloadMilliseconds = 5_000;
/** The maximum age of published keys, so that caches never store a removed key late. */
const publishedMilliseconds = 1_000;

export async function loadSigningKeys(
  deps: Pick<Deps, 'prisma' | 'clock' | 'keyRing' | 'logger'>,
): Promise<SigningKeys> {
  let byHeader = new Map<string, PublishedKey>();
  let current = new Map<string, CurrentKey>();
  let published: JWK[] = [];
  /** Logged once: the keys are read every few seconds. */
  const unreadable = new Set<string>();
  let loadedAt = Number.NEGATIVE_INFINITY;
  let beganAt = Number.NEGATIVE_INFINITY;
  const loading = singleFlight(load);

  async function load(): Promise<void> {
    const startedAt = deps.clock.now();
    beganAt = startedAt.getTime();
    const rows = await listSigningKeys(deps.prisma, before(startedAt, retiredMilliseconds));
    const nextByHeader = new Map<string, PublishedKey>();
    const nextCurrent = new Map<string, CurrentKey>();
    for (const row of rows) {
      const header = headerOf(row.algorithm, row.kid);
      nextByHeader.set(header, byHeader.get(header) ?? publicKeyOf(row));
    }
    for (const row of rows.filter(({ status }) => status === 'current')) {
      const signer = signerOf(row, nextByHeader);
      if (signer) nextCurrent.set(row.algorithm, signer);
    }
    if ([...nextByHeader.keys()].join() !== [...byHeader.keys()].join())
      published = [...nextByHeader.values()].map(({ jwk }) => jwk);
    byHeader = nextByHeader;
    current = nextCurrent;
    loadedAt = startedAt.getTime();
  }

  /**
   * The key that signs. If it cannot be decrypted, because its encryption key is missing, the start fails. At run time the
   * previous key goes on signing if it is still published, so that removed keys do not stay published.
   */
  function signerOf(row: StoredKey, published: Map<string, PublishedKey>): CurrentKey | undefined {
    const before = current.get(row.algorithm);
    if (before?.kid === row.kid) return before;
    const key = published.get(headerOf(row.algorithm, row.kid)) as PublishedKey;
    try {
      return { ...key, privateKey: readPrivateKey(deps.keyRing, row.kid, row.privateKey) };
    } catch (error) {
      if (loadedAt === Number.NEGATIVE_INFINITY) throw error;
      const signing = before && published.has(before.header) ? before : undefined;
      if (!unreadable.has(row.kid)) {
        const ids = { unreadable: row.kid, signing: signing?.kid ?? null };
        deps.logger.error({ err: error, ...ids }, 'the current signing key cannot be read');
      }
      unreadable.add(row.kid);
      return signing;
    }
  }

  async function settled(): Promise<void> {
    await loading.running?.catch(() => {});
  }

  async function reload(when: 'due' | 'to-publish' | 'now'): Promise<void> {
    // The query in progress may be older than the caller's change.
    if (when === 'now') await settled();
    const wait = { due: reloadMilliseconds, 'to-publish': publishedMilliseconds, now: 0 }[when];
    const since = deps.clock.now().getTime() - loadedAt;
    // Negative after the clock has stepped back, which makes the interval unknown.
    if (since >= 0 && since < wait) return;
    await loading.run();
  }

  await load();
  return {
    signsWith: (algorithm) => current.has(algorithm),
    current(algorithm) {
      const key = current.get(algorithm);
      if (!key) {
        const cause = `there is no current signing key for ${algorithm}`;
        throw new ApiError('request/unavailable', { retryAfterSeconds: reloadMilliseconds / 1_000, cause });
      }
      return key;
    },
    byHeader: (header) => byHeader.get(header),
    published: () => published,
    reload,
    reloadFor: reloadForKey(deps.clock, {
      isKnown: (header) => byHeader.has(header),
      readAt: () => beganAt,
      settled,
      read: () => reload('now'),
    }),
  };
}

/**
 * Throws an error for the operator if the key ring cannot decrypt the keys in use. Called before the first write: a key
 * that was added with wrong ENCRYPTION_KEYS would prevent a later start with the right ones.
 */
export async function requireReadableKeys(deps: Pick<Deps, 'prisma' | 'clock' | 'keyRing'>): Promise<void> {
  for (const { kid, status, privateKey } of await listSigningKeys(deps.prisma, deps.clock.now())) {
    if (status === 'current') readPrivateKey(deps.keyRing, kid, privateKey);
  }
}

type StoredKey = Awaited<ReturnType<typeof listSigningKeys>>[number];

function publicKeyOf(row: StoredKey): PublishedKey {
  const jwk = row.publicJwk as JWK;
  const publicKey = createPublicKey({ key: jwk, format: 'jwk' });
  return { kid: row.kid, header: headerOf(row.algorithm, row.kid), jwk, publicKey };
}

export function readPrivateKey(keyRing: KeyRing, kid: string, encrypted: Uint8Array): KeyObject {
  const key = Buffer.from(keyRing.decrypt(encrypted, contextOf(kid)));
  return createPrivateKey({ key, format: 'der', type: 'pkcs8' });
}

function headerOf(algorithm: string, kid: string): string {
  return Buffer.from(JSON.stringify({ alg: algorithm, typ: 'at+jwt', kid })).toString('base64url');
}

export function contextOf(kid: string): string {
  return `signing-key ${kid}`;
}

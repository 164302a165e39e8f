// Creates, rotates and re-encrypts the signing keys.
import { createPublicKey, generateKeyPair } from 'node:crypto';
import { calculateJwkThumbprint, exportJWK } from 'jose';
import { type KeyRing, reencryptRows } from '../../engines/keys/index.js';
import { writeEntryForEveryApp } from '../audit/entry.js';
import type { Deps } from '../deps.js';
import { commandLine } from '../model/actor.js';
import type { TokenAlgorithm } from '../model/app.js';
import { contextOf, readPrivateKey } from './signing-keys.js';
import {
  deleteRetiredBefore,
  insertSigningKey,
  type KeyStatus,
  listKeysOfOtherKeys,
  listSigningKeys,
  lockSigningKeys,
  type MadeKey,
  replacePrivateKey,
  type StoredPrivateKey,
  setKeyStatus,
} from './store.js';

/** NIST SP 800-57 requires 3,072 bits after 2030. Existing keys of 2,048 bits remain until they are rotated. */
const rsaBits = 3_072;

/** Creates the missing current and next keys of an algorithm. Safe to call from several instances. */
export async function ensureSigningKeys(
  deps: Pick<Deps, 'prisma' | 'clock' | 'keyRing'>,
  algorithm: TokenAlgorithm,
): Promise<void> {
  const now = deps.clock.now();
  const has = (rows: { algorithm: string; status: string }[], status: KeyStatus) =>
    rows.some((row) => row.algorithm === algorithm && row.status === status);
  const rows = await listSigningKeys(deps.prisma, now);
  if (has(rows, 'current') && has(rows, 'next')) return;
  const made = [await makeKey(deps.keyRing, algorithm), await makeKey(deps.keyRing, algorithm)] as const;
  await deps.prisma.$transaction(async (tx) => {
    await lockSigningKeys(tx);
    const fresh = await listSigningKeys(tx, now);
    if (!has(fresh, 'current')) await insertSigningKey(tx, made[0], 'current', now);
    if (!has(fresh, 'next')) await insertSigningKey(tx, made[1], 'next', now);
  });
}

/** The algorithms with keys, of which apps may use some no longer: their published keys are valid for every app. */
export async function algorithmsWithKeys(deps: Pick<Deps, 'prisma' | 'clock'>): Promise<TokenAlgorithm[]> {
  const rows = await listSigningKeys(deps.prisma, deps.clock.now());
  return rows.map(({ algorithm }) => algorithm as TokenAlgorithm);
}

/**
 * The next key becomes current, the current key is retired, and a new next key is published. `revokeRetired` removes every
 * retired key from the key set, for a leaked key: its access tokens become invalid, sessions continue.
 */
export async function rotateSigningKeys(
  deps: Pick<Deps, 'prisma' | 'clock' | 'random' | 'keyRing'>,
  algorithm: TokenAlgorithm,
  options: { revokeRetired?: boolean } = {},
) {
  await ensureSigningKeys(deps, algorithm);
  const made = await makeKey(deps.keyRing, algorithm);
  const now = deps.clock.now();
  return deps.prisma.$transaction(async (tx) => {
    await lockSigningKeys(tx);
    const rows = (await listSigningKeys(tx, now)).filter((row) => row.algorithm === algorithm);
    const current = rows.find((row) => row.status === 'current');
    const next = rows.find((row) => row.status === 'next');
    if (!current || !next) throw new Error(`the ${algorithm} keys vanished while they were rotated`);
    // Fails if the new current key cannot be decrypted.
    readPrivateKey(deps.keyRing, next.kid, next.privateKey);
    await setKeyStatus(tx, current.kid, 'retired', now);
    await setKeyStatus(tx, next.kid, 'current', now);
    await insertSigningKey(tx, made, 'next', now);
    if (options.revokeRetired) await deleteRetiredBefore(tx, new Date(now.getTime() + 1), algorithm);
    await writeEntryForEveryApp(tx, deps, {
      actor: commandLine,
      action: 'signing_keys.rotated',
      target: `signing_key:${next.kid}`,
      details: { algorithm, retired: current.kid, revoke_retired: options.revokeRetired === true },
    });
    return { algorithm, retired: current.kid, current: next.kid, next: made.kid };
  });
}

/** Re-encrypts every private key with the current encryption key; returns how many used another. */
export function reencryptSigningKeys({ prisma, keyRing }: Pick<Deps, 'prisma' | 'keyRing'>): Promise<number> {
  return reencryptRows<StoredPrivateKey>(keyRing, {
    list: (last, keyId, maxRows) => listKeysOfOtherKeys(prisma, keyId, { last, maxRows }),
    replace: ({ kid, privateKey }) =>
      replacePrivateKey(prisma, kid, privateKey, keyRing.reencrypt(privateKey, contextOf(kid))),
  });
}

/**
 * The pair is encoded as it is generated. Node's KeyObjects of a new pair share a lock with the job that generated it: if the
 * garbage collector ends the job during the export of such a key as JWK, the process waits for itself for ever.
 */
const encodings = {
  publicKeyEncoding: { format: 'der', type: 'spki' },
  privateKeyEncoding: { format: 'der', type: 'pkcs8' },
} as const;

async function makeKey(keyRing: KeyRing, algorithm: TokenAlgorithm): Promise<MadeKey> {
  const { publicKey, privateKey } = await newPair(algorithm);
  const bare = await exportJWK(createPublicKey({ key: publicKey, ...encodings.publicKeyEncoding }));
  const kid = await calculateJwkThumbprint(bare);
  return {
    kid,
    algorithm,
    publicJwk: { ...bare, kid, use: 'sig', alg: algorithm },
    privateKey: keyRing.encrypt(privateKey, contextOf(kid)),
  };
}

function newPair(algorithm: TokenAlgorithm): Promise<{ publicKey: Buffer; privateKey: Buffer }> {
  return new Promise((resolve, reject) => {
    const done = (error: Error | null, publicKey: Buffer, privateKey: Buffer) =>
      error ? reject(error) : resolve({ publicKey, privateKey });
    if (algorithm === 'ES256') generateKeyPair('ec', { namedCurve: 'P-256', ...encodings }, done);
    else generateKeyPair('rsa', { modulusLength: rsaBits, ...encodings }, done);
  });
}

// The encryption keys of the installation (ENCRYPTION_KEYS); the first is current. Each ciphertext and derived value stores a
// one-byte key id, so that old values stay readable while keys rotate.
import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { sha256 } from '../../src/lib/crypto/digest.js';
import type { Random } from '../../src/lib/crypto/random.js';

export type KeyRing = {
  readonly currentKeyId: number;
  has(keyId: number): boolean;
  /** Derives a 32-byte key for one purpose (HKDF-SHA-256, RFC 5869). */
  derive(keyId: number, purpose: string): Buffer;
  /** AES-256-GCM with the current key; `context` is authenticated and must match on decryption. */
  encrypt(plaintext: Uint8Array, context: string): Buffer;
  decrypt(ciphertext: Uint8Array, context: string): Buffer;
  /** Encrypts the plaintext of a ciphertext again, with the current key. */
  reencrypt(ciphertext: Uint8Array, context: string): Buffer;
  /** The id of the key that a ciphertext was encrypted with. */
  keyIdOf(ciphertext: Uint8Array): number;
};

const addFormerKey =
  'set ENCRYPTION_KEYS to the key that this database uses, or append that key after the new one (ENCRYPTION_KEYS=new,former)';

export const minEncryptionKeyBytes = 32;

const formatVersion = 1;
const nonceBytes = 12;
const tagBytes = 16;
const headerBytes = 2;
const maxDerivedKeys = 1_000;

/** Throws an error for the operator when the keys are invalid. */
export function keyRing(encryptionKeys: readonly string[], random: Random): KeyRing {
  const keys = new Map<number, Buffer>();
  for (const encryptionKey of encryptionKeys) {
    const key = Buffer.from(encryptionKey);
    if (key.length < minEncryptionKeyBytes) {
      throw new Error(`each key of ENCRYPTION_KEYS must have at least ${minEncryptionKeyBytes} bytes`);
    }
    const keyId = sha256(key)[0] as number;
    if (keys.has(keyId)) {
      throw new Error(
        'two keys of ENCRYPTION_KEYS have the same id (the first byte of their SHA-256): replace one',
      );
    }
    keys.set(keyId, key);
  }
  if (keys.size === 0) throw new Error('ENCRYPTION_KEYS is empty');
  const currentKeyId = keys.keys().next().value as number;

  const derived = new Map<string, Buffer>();
  function derive(keyId: number, purpose: string): Buffer {
    const name = `${keyId} ${purpose}`;
    const known = derived.get(name);
    if (known) return known;
    const key = keys.get(keyId);
    if (!key) throw new Error(`ENCRYPTION_KEYS has no key with the id ${keyId}: ${addFormerKey}`);
    const made = Buffer.from(hkdfSync('sha256', key, '', `foyer ${purpose}`, 32));
    if (derived.size >= maxDerivedKeys) derived.clear();
    derived.set(name, made);
    return made;
  }

  function encrypt(plaintext: Uint8Array, context: string): Buffer {
    const nonce = random.bytes(nonceBytes);
    const cipher = createCipheriv('aes-256-gcm', derive(currentKeyId, 'encryption'), nonce);
    cipher.setAAD(Buffer.from(context));
    const body = Buffer.concat([cipher.update(plaintext), cipher.final()]);
    return Buffer.concat([Buffer.from([formatVersion, currentKeyId]), nonce, body, cipher.getAuthTag()]);
  }

  function decrypt(ciphertext: Uint8Array, context: string): Buffer {
    const [version, keyId] = ciphertext;
    if (
      version !== formatVersion ||
      keyId === undefined ||
      ciphertext.length < headerBytes + nonceBytes + tagBytes
    ) {
      throw new Error('not a value encrypted by this service');
    }
    const nonce = ciphertext.subarray(headerBytes, headerBytes + nonceBytes);
    const decipher = createDecipheriv('aes-256-gcm', derive(keyId, 'encryption'), nonce);
    decipher.setAAD(Buffer.from(context));
    decipher.setAuthTag(ciphertext.subarray(-tagBytes));
    const body = ciphertext.subarray(headerBytes + nonceBytes, -tagBytes);
    const plaintext = decipher.update(body);
    try {
      return Buffer.concat([plaintext, decipher.final()]);
    } catch (cause) {
      // Another key has the same id, or the stored value was modified.
      throw new Error(`ENCRYPTION_KEYS cannot decrypt a stored value (key id ${keyId}): ${addFormerKey}`, {
        cause,
      });
    }
  }

  return {
    currentKeyId,
    has: (keyId) => keys.has(keyId),
    derive,
    encrypt,
    decrypt,
    reencrypt: (ciphertext, context) => encrypt(decrypt(ciphertext, context), context),
    keyIdOf: (ciphertext) => ciphertext[1] as number,
  };
}

/** The key of an embedded installation: generated at the first start, readable by the owner of DATA_DIR only. */
export function storedEncryptionKey(dataDir: string, random: Random): string {
  // The name that existing installations use.
  const file = join(dataDir, 'secret-key');
  if (existsSync(file)) return readFileSync(file, 'utf8').trim();
  const key = random.bytes(32).toString('base64');
  // The file gets its name only once it is on the disk: an empty key file would prevent every later start, and a lost key make the
  // database useless. What is not synced is lost in a power failure only: a killed process loses nothing that the kernel has.
  const partial = `${file}.partial`;
  rmSync(partial, { force: true });
  writeFileSync(partial, `${key}\n`, { mode: 0o600, flag: 'wx', flush: true });
  renameSync(partial, file);
  syncFolder(dataDir);
  return key;
}

/** The new name is durable only after its folder is synced; Windows has no such operation. */
function syncFolder(path: string): void {
  if (process.platform === 'win32') return;
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

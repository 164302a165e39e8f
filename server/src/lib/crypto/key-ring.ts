// SECRET_KEY: one or more keys, the first current. Everything that is encrypted or derived names its key by one byte, so
// that a key can be changed without a moment in which old values cannot be read.
import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto';
import { sha256 } from './digest.js';
import type { Random } from './random.js';

export type KeyRing = {
  readonly currentKeyId: number;
  has(keyId: number): boolean;
  /** A 32-byte key for one purpose (HKDF-SHA-256, RFC 5869). */
  derive(keyId: number, purpose: string): Buffer;
  /** AES-256-GCM under the current key; `context` must be given again to decrypt. */
  encrypt(plaintext: Uint8Array, context: string): Buffer;
  decrypt(ciphertext: Uint8Array, context: string): Buffer;
  /** The id of the key a ciphertext was made under. */
  keyIdOf(ciphertext: Uint8Array): number;
};

const addFormerKey =
  'set SECRET_KEY to the key that this database was used with, or put that one behind the new one (SECRET_KEY=new,former)';

export const minSecretKeyBytes = 32;

const formatVersion = 1;
const nonceBytes = 12;
const tagBytes = 16;
const headerBytes = 2;
const derivedKeysKept = 1_000;

/** Throws a sentence for the operator when the keys cannot serve. */
export function keyRing(secretKeys: readonly string[], random: Random): KeyRing {
  const keys = new Map<number, Buffer>();
  for (const secretKey of secretKeys) {
    const key = Buffer.from(secretKey);
    if (key.length < minSecretKeyBytes) {
      throw new Error(`each key of SECRET_KEY must have at least ${minSecretKeyBytes} bytes`);
    }
    const keyId = sha256(key)[0] as number;
    if (keys.has(keyId)) {
      throw new Error(
        'two keys of SECRET_KEY have the same id (the first byte of their SHA-256): make another',
      );
    }
    keys.set(keyId, key);
  }
  const [currentKeyId] = keys.keys();
  if (currentKeyId === undefined) throw new Error('SECRET_KEY is empty');

  const derived = new Map<string, Buffer>();
  function derive(keyId: number, purpose: string): Buffer {
    const name = `${keyId} ${purpose}`;
    const known = derived.get(name);
    if (known) return known;
    const key = keys.get(keyId);
    if (!key) throw new Error(`SECRET_KEY holds no key with the id ${keyId}: ${addFormerKey}`);
    const made = Buffer.from(hkdfSync('sha256', key, '', `foyer ${purpose}`, 32));
    if (derived.size >= derivedKeysKept) derived.clear();
    derived.set(name, made);
    return made;
  }

  return {
    currentKeyId,
    has: (keyId) => keys.has(keyId),
    derive,
    encrypt(plaintext, context) {
      const nonce = random.bytes(nonceBytes);
      const cipher = createCipheriv('aes-256-gcm', derive(currentKeyId, 'encryption'), nonce);
      cipher.setAAD(Buffer.from(context));
      const body = Buffer.concat([cipher.update(plaintext), cipher.final()]);
      return Buffer.concat([Buffer.from([formatVersion, currentKeyId]), nonce, body, cipher.getAuthTag()]);
    },
    decrypt(ciphertext, context) {
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
        // Another key may have the same id, or the value was changed in the database.
        throw new Error(`SECRET_KEY does not decrypt a stored value (key id ${keyId}): ${addFormerKey}`, {
          cause,
        });
      }
    },
    keyIdOf: (ciphertext) => ciphertext[1] as number,
  };
}

// Recovery codes: ten of 50 random bits, each of which replaces the authenticator app once. Stored are HMACs under a key derived
// from the TOTP secret, which is encrypted: the hashes in a stolen database can be guessed at only with ENCRYPTION_KEYS, and
// they survive the rotation of these keys.
import { limits } from '@foyer/contract';
import { hmacSha256 } from '../lib/crypto/digest.js';
import type { Random } from '../lib/crypto/random.js';

/** Without letters that are mistaken for digits. */
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';

export function newRecoveryCodes(random: Random, secret: Uint8Array): { codes: string[]; hashes: string[] } {
  const codes = Array.from({ length: limits.recoveryCodes }, () =>
    // 256 is a multiple of 32, so every character is as likely as another.
    Array.from(random.bytes(limits.recoveryCodeCharacters), (byte) => alphabet[byte % 32]).join(''),
  );
  const hashes = codes.map((code) => hashOfRecoveryCode(secret, code));
  return { codes: codes.map((code) => `${code.slice(0, 5)}-${code.slice(5)}`), hashes };
}

/** The code is in the form in which the contract passes it on, without its dash. */
export function hashOfRecoveryCode(secret: Uint8Array, code: string): string {
  return hmacSha256(hmacSha256(secret, 'foyer recovery code'), code).toString('base64url');
}

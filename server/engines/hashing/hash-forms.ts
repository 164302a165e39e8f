// The forms of stored hashes, argon2id and the bcrypt of v1, and the form of a password that each of them hashes.
import { limits } from '@foyer/contract';

/** The form that is hashed: NFKC, so that the same characters from different keyboards are the same password. */
export function normalisedPassword(password: string): string {
  return password.normalize('NFKC');
}

/** The input of a stored hash for a typed password: v1 hashed the bytes as received, v2 normalises them. */
export function hashedForm(hash: string, typed: string): string {
  return isBcrypt(hash) ? typed : normalisedPassword(typed);
}

/** A hash imported from v1: a sign-in with the whole password replaces it. */
export function isBcrypt(hash: string): boolean {
  return hash.startsWith('$2');
}

/** The rounds of a hash imported from v1: each step of the cost doubles them. */
export function bcryptRounds(hash: string): number {
  return 2 ** Number(hash.slice(4, 6));
}

/** The bytes of a password that bcrypt reads, including the terminator if it fits. */
const bcryptBytes = 72;

/**
 * Whether bcrypt read all of a typed password that matches the hash. If not, it may differ from the right one after the 72
 * bytes that bcrypt reads, and a new hash of it would lock out the right one.
 */
export function fitsWhole(hash: string, typed: string): boolean {
  return !isBcrypt(hash) || new TextEncoder().encode(typed).length < bcryptBytes;
}

// The last characters of salt and digest carry fewer than six bits: other characters are no output of bcrypt.
const bcryptForm = /^\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{21}[.Oeu][./A-Za-z0-9]{30}[.CGKOSWaeimquy26]$/;

/** Whether a hash of v1 is well-formed and of an accepted cost. */
export function isImportableHash(hash: string): boolean {
  const cost = Number(bcryptForm.exec(hash)?.[1]);
  return cost >= limits.importedBcryptCost.min && cost <= limits.importedBcryptCost.max;
}

const argon2idForm =
  /^\$argon2id\$v=19\$m=(\d{1,6}),(?:t=(\d{1,2}),p=(\d)|p=(\d),t=(\d{1,2}))\$[A-Za-z0-9+/]{11,86}\$[A-Za-z0-9+/]{43}$/;

/** More work than any version asks for: a hash from elsewhere must not make a sign-in arbitrarily expensive. */
const mostArgon2 = { memoryKibibytes: 65_536, passes: 10 };

/** Whether a hash is argon2id in the form in which this engine writes it. */
export function isOwnHash(hash: string): boolean {
  const [, memory, passes, , , passesLast] = argon2idForm.exec(hash) ?? [];
  return Number(memory) <= mostArgon2.memoryKibibytes && Number(passes ?? passesLast) <= mostArgon2.passes;
}

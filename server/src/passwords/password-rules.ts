// What a password must be to be set (conventions of the API, "Signing in"). Where one is proven no minimum is judged.
import { charactersOf, limits } from '@foyer/contract';

/** The form that is hashed: NFKC, so that the same characters typed on another keyboard are the same password. */
export function normalisedPassword(password: string): string {
  return password.normalize('NFKC');
}

/**
 * What of a password, as it was typed, a stored hash was made of. v1 hashed the bytes as they came; all that is set here
 * is normalised.
 */
export function hashedForm(hash: string, typed: string): string {
  return isBcrypt(hash) ? typed : normalisedPassword(typed);
}

/** A hash that was brought over from v1: a sign-in that shows the whole password replaces it. */
export function isBcrypt(hash: string): boolean {
  return hash.startsWith('$2');
}

/** The work of verifying a hash of v1, which doubles with every step of the cost. */
export function bcryptRounds(hash: string): number {
  return 2 ** Number(hash.slice(4, 6));
}

/** What bcrypt reads of a password, with a byte that ends it where there is room. */
const bcryptBytes = 72;

/**
 * Whether what was typed and fits the hash is the password, and not merely the 72 bytes of it that bcrypt reads: another
 * hash, of a password that only begins like the right one, would lock the right one out.
 */
export function fitsWhole(hash: string, typed: string): boolean {
  return !isBcrypt(hash) || new TextEncoder().encode(typed).length < bcryptBytes;
}

// The last characters of salt and digest carry fewer than six bits: what has others was made by no bcrypt of v1's.
const bcryptForm = /^\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{21}[.Oeu][./A-Za-z0-9]{30}[.CGKOSWaeimquy26]$/;

/** Whether a hash of v1 can be verified here, and at a bearable cost. */
export function isImportableHash(hash: string): boolean {
  const cost = Number(bcryptForm.exec(hash)?.[1]);
  return cost >= limits.importedBcryptCost.min && cost <= limits.importedBcryptCost.max;
}

export type PasswordVerdict = 'ok' | 'short' | 'common' | 'app name';

/** What an app refuses beyond the least length: frequent passwords, and its own names. */
export type RefusedPasswords = { common: ReadonlySet<string>; appNames: readonly string[] };

/** Judges a normalised password: by code points, then against what is refused, whatever its case. */
export function judgeNewPassword(normalised: string, refused: RefusedPasswords | false): PasswordVerdict {
  if (charactersOf(normalised) < limits.minPasswordCharacters) return 'short';
  if (!refused) return 'ok';
  const password = comparedForm(normalised);
  if (refused.common.has(password)) return 'common';
  const names = refused.appNames.flatMap((name) => [
    comparedForm(name),
    comparedForm(name).replace(/\s+/g, ''),
  ]);
  return names.includes(password) ? 'app name' : 'ok';
}

/** Lower-casing may leave a text that is not normalised any more. */
function comparedForm(text: string): string {
  return normalisedPassword(text).toLowerCase().normalize('NFKC');
}

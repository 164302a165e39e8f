// The requirements of a new password. An existing password is verified whatever its length.
import { charactersOf, limits } from '@foyer/contract';

export type PasswordVerdict = 'ok' | 'short' | 'common' | 'app name';

/** Passwords that an app rejects in addition to short ones: common passwords, and its own names. */
export type RefusedPasswords = { common: ReadonlySet<string>; appNames: readonly string[] };

/** Checks a normalised password: its length in code points, then the rejected passwords, case-insensitively. */
export function checkNewPassword(normalised: string, refused: RefusedPasswords | false): PasswordVerdict {
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

/** Lower-cases a text and normalises it again, since lower-casing can produce a text that is not normalised. */
function comparedForm(text: string): string {
  return text.normalize('NFKC').toLowerCase().normalize('NFKC');
}

// What a password must be to be set (conventions of the API, "Signing in"). Where one is proven no minimum is judged.
import { limits } from '@foyer/contract';

/** The form that is hashed: NFKC, so that the same characters typed on another keyboard are the same password. */
export function normalisedPassword(password: string): string {
  return password.normalize('NFKC');
}

/** Judges a normalised password by code points. */
export function judgeNewPassword(normalised: string): 'ok' | 'weak' {
  return [...normalised].length < limits.minPasswordCharacters ? 'weak' : 'ok';
}

// A typed text as the search for users accepts it.
import { limits } from '@foyer/contract';

/** Only a device token is longer than other searches, and it has no spaces. */
export function searchedText(typed: string): string {
  const text = typed.trim();
  return /\s/.test(text) ? [...text].slice(0, limits.userSearchCharacters.max).join('').trim() : text;
}

// What a search for users must have, for clients that load no schemas.
import { charactersOf } from './characters.js';
import { userSearchCharacters } from './limits.js';

/** One character of these scripts is a word. */
export function isSearchLongEnough(term: string): boolean {
  const isWord = /^[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(term);
  return charactersOf(term) >= (isWord ? 1 : userSearchCharacters.min);
}

// Values of v1 that v2 cannot store are truncated, replaced or left out, with a note, so that no account is lost for them.
import { charactersOf, errorMap, limits, PhotoUrlInput } from '@foyer/contract';
import { isObject } from '../../lib/json-rules.js';
import { isStorable } from '../../lib/storable.js';

/** The description of an entry of the history that has none. */
export const noDescription = 'Points of v1';

/** The line with such values corrected, and a note of each. Values of another type are left for the validation. */
export function fitLine(line: unknown): { fitted: unknown; notes: string[] } {
  if (!isObject(line)) return { fitted: line, notes: [] };
  const notes = new Set<string>();
  const note = (words: string) => void notes.add(words);
  const { first_name, last_name, photo_url, history, tokens } = line;
  const fitted = {
    ...withFittingTimes(line),
    ...(typeof first_name === 'string' && { first_name: fittingName(first_name, 'first_name', note) }),
    ...(typeof last_name === 'string' && { last_name: fittingName(last_name, 'last_name', note) }),
    ...(typeof photo_url === 'string' && { photo_url: fittingPhoto(photo_url, note) }),
    ...(Array.isArray(history) && { history: history.map((entry) => fittingEntry(entry, note)) }),
    ...(Array.isArray(tokens) && { tokens: tokens.map(fittingToken) }),
  };
  return { fitted, notes: [...notes] };
}

/** In NFC, in which its length is limited: it writes some letters as two or three. */
export function fittingName(name: string, field: string, note: (words: string) => void): string {
  return fittingText(name.trim().normalize('NFC'), limits.maxNameCharacters, field, note);
}

export function fittingPhoto(url: string, note: (words: string) => void): string | null {
  if (url.trim() === '') return null;
  const { error } = PhotoUrlInput.safeParse(url, { error: errorMap });
  if (!error && isStorable(url)) return url;
  note(`photo_url is left out: it ${error?.issues[0]?.message ?? 'cannot be stored'}`);
  return null;
}

function fittingEntry(entry: unknown, note: (words: string) => void): unknown {
  if (!isObject(entry)) return entry;
  const dated = withFittingTimes(entry);
  const { description } = dated;
  if (typeof description !== 'string' && description !== null && description !== undefined) return dated;
  const maxCharacters = limits.maxPointsDescriptionCharacters;
  const fitting = fittingText(description ?? '', maxCharacters, 'a description in history', note);
  if (fitting !== '') return { ...dated, description: fitting };
  note(`a description in history is empty, and reads ${JSON.stringify(noDescription)}`);
  return { ...dated, description: noDescription };
}

/** A token that was never used was last used when it was made. */
function fittingToken(token: unknown): unknown {
  if (!isObject(token)) return token;
  const dated = withFittingTimes(token);
  return { ...dated, last_used_at: dated.last_used_at ?? dated.created_at };
}

/** MySQL writes a missing date as zeros. */
function withFittingTimes(values: Record<string, unknown>): Record<string, unknown> {
  const isMissing = (time: unknown) =>
    typeof time === 'string' && (time.trim() === '' || time.startsWith('0000-00-00'));
  const missing = ['created_at', 'last_used_at'].filter((name) => isMissing(values[name]));
  return { ...values, ...Object.fromEntries(missing.map((name) => [name, null])) };
}

function fittingText(
  text: string,
  maxCharacters: number,
  what: string,
  note: (words: string) => void,
): string {
  const storable = text.replaceAll('\u0000', '').replace(/\p{Surrogate}/gu, '');
  if (storable !== text) note(`${what} holds U+0000 or half of a surrogate pair, which is left out`);
  if (charactersOf(storable) <= maxCharacters) return storable;
  note(`${what} is cut to ${maxCharacters} characters`);
  return [...storable].slice(0, maxCharacters).join('');
}

// The display name of a file. It is never a path, since bytes are stored under ids. Removes what could mislead a reader: folders,
// control characters, bidirectional marks.
import { limits } from '@foyer/contract';

const nameless = 'file';
const maxExtensionCharacters = 16;
/** The code units of a name that are processed: normalizing a longer name would block the event loop. */
const processed = { first: 4 * limits.maxFileNameCharacters, last: 8 * maxExtensionCharacters };
/** Required by emoji and several scripts. */
const joiners = '\u200c\u200d';

/** The name of a file in a form. */
export function displayName(given: string | undefined): string {
  const lastPart = written(given ?? '')
    .split(/[/\\]/)
    .at(-1) as string;
  const plain = bounded(lastPart)
    .toWellFormed()
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Cf}\u2028\u2029\ufffd]/gu, (mark) => (joiners.includes(mark) ? mark : ''))
    .replace(/[<>:"|?*]/g, '_')
    .replace(/\s+/g, ' ')
    .trim();
  const name = shortened(plain).replace(/[. ]+$/, '');
  return name === '' ? nameless : name;
}

/**
 * In a form, quotes and line breaks are percent-encoded (HTML, "multipart/form-data"). React Native encodes every character that
 * `encodeURIComponent` does; a name of which that is not the output is one with a percent sign.
 */
function written(given: string): string {
  const decoded = given.includes('%') && decodedComponent(given);
  if (decoded && encodeURIComponent(decoded) === given) return decoded;
  return given.replace(/%(0d|0a|22)/gi, (_, code: string) => (code === '22' ? '"' : ''));
}

function decodedComponent(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

function bounded(name: string): string {
  const { first, last } = processed;
  return name.slice(0, first) + name.slice(first).slice(-last);
}

/** Truncates before the extension, which indicates the type of the file. */
function shortened(name: string): string {
  const points = [...name];
  if (points.length <= limits.maxFileNameCharacters) return name;
  const dot = points.lastIndexOf('.');
  const extension = dot > 0 && points.length - dot <= maxExtensionCharacters ? points.slice(dot) : [];
  return [...points.slice(0, limits.maxFileNameCharacters - extension.length), ...extension].join('');
}

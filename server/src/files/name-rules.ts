// The name under which a file is shown and saved. It is never a path: the bytes lie under ids. What could act on whoever
// looks at it (folders, control characters, marks that turn the direction of writing) goes.
import { limits } from '@foyer/contract';

const nameless = 'file';
const longestExtension = 16;
/** The units of a written name that are looked at. Normalising a longer one would stop the service for a while. */
const looked = { first: 4 * limits.maxFileNameCharacters, last: 8 * longestExtension };
/** Emoji and several scripts are written with them. */
const joiners = '\u200c\u200d';

/** `given` as a form has it, where quotes and line breaks are percent-encoded (HTML, "multipart/form-data"). */
export function displayName(given: string | undefined): string {
  const written = (given ?? '').replace(/%(0d|0a|22)/gi, (_, code: string) => (code === '22' ? '"' : ''));
  const lastPart = written.split(/[/\\]/).at(-1) as string;
  const plain = measured(lastPart)
    .toWellFormed()
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Cf}\u2028\u2029\ufffd]/gu, (mark) => (joiners.includes(mark) ? mark : ''))
    .replace(/[<>:"|?*]/g, '_')
    .replace(/\s+/g, ' ')
    .trim();
  const name = shortened(plain).replace(/[. ]+$/, '');
  return name === '' ? nameless : name;
}

function measured(name: string): string {
  const { first, last } = looked;
  return name.length <= first + last ? name : name.slice(0, first) + name.slice(-last);
}

/** Cut in the middle: the ending says what the file is. */
function shortened(name: string): string {
  const points = [...name];
  if (points.length <= limits.maxFileNameCharacters) return name;
  const dot = points.lastIndexOf('.');
  const extension = dot > 0 && points.length - dot <= longestExtension ? points.slice(dot) : [];
  return [...points.slice(0, limits.maxFileNameCharacters - extension.length), ...extension].join('');
}

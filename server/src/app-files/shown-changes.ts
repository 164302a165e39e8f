// Changes as a person reads them on a terminal: a value in one line, or the lines that differ.
import { yamlText } from './write-files.js';

const maxShownCharacters = 120;
/** Beyond it, a comparison line by line would take too long. */
const maxComparisons = 1_000_000;

/** `old → new` in one line, or below the name the lines that differ. */
export function changed(name: string, from: unknown, to: unknown): string[] {
  const [old, current] = [yamlText(from).trimEnd(), yamlText(to).trimEnd()];
  if (`${old}${current}`.includes('\n')) return [`~ ${visible(name)}`, ...differingLines(old, current)];
  return [`~ ${visible(name)}: ${shortened(old)} → ${shortened(current)}`];
}

export function changedText(name: string, from: string, to: string): string[] {
  return [`~ ${visible(name)}`, ...differingLines(from, to)];
}

export function added(name: string): string[] {
  return [`+ ${visible(name)}`];
}

export function removed(name: string): string[] {
  return [`- ${visible(name)}`];
}

/** Characters that a terminal executes or that reorder a line are shown as escapes. */
function visible(text: string): string {
  return text.replace(
    /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function shortened(text: string): string {
  const characters = [...visible(text)];
  if (characters.length <= maxShownCharacters) return characters.join('');
  return `${characters.slice(0, maxShownCharacters - 1).join('')}…`;
}

/** The longest common subsequence of lines stays; the others are removed or added, each with its sign. */
export function differingLines(from: string, to: string): string[] {
  const [old, current] = [from.split('\n'), to.split('\n')];
  const common = old.length * current.length > maxComparisons ? [] : commonLines(old, current);
  const lines: string[] = [];
  let [oldAt, currentAt] = [0, 0];
  for (const [oldNext, currentNext] of [...common, [old.length, current.length] as const]) {
    while (oldAt < oldNext) lines.push(`    - ${shortened(old[oldAt++] as string)}`);
    while (currentAt < currentNext) lines.push(`    + ${shortened(current[currentAt++] as string)}`);
    oldAt += 1;
    currentAt += 1;
  }
  return lines;
}

/** The places of each common line in both. */
function commonLines(old: string[], current: string[]): (readonly [number, number])[] {
  const width = current.length + 1;
  const lengths = new Uint32Array((old.length + 1) * width);
  const lengthAt = (row: number, column: number) => lengths[row * width + column] as number;
  for (let row = old.length - 1; row >= 0; row -= 1) {
    for (let column = current.length - 1; column >= 0; column -= 1) {
      lengths[row * width + column] =
        old[row] === current[column]
          ? lengthAt(row + 1, column + 1) + 1
          : Math.max(lengthAt(row + 1, column), lengthAt(row, column + 1));
    }
  }
  const common: (readonly [number, number])[] = [];
  let [row, column] = [0, 0];
  while (row < old.length && column < current.length) {
    if (old[row] === current[column]) common.push([row++, column++]);
    else if (lengthAt(row + 1, column) >= lengthAt(row, column + 1)) row += 1;
    else column += 1;
  }
  return common;
}

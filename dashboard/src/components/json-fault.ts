// Finds the first fault in a JSON text, with its position. `JSON.parse` reports a position in some browsers and for some
// faults only, accepts a key twice, and rounds numbers without a word.

type JsonFault = { message: string; from: number; to: number };

/** The place of `offset` as editors count it, from 1. */
function placeOf(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset).split('\n');
  return { line: before.length, column: (before.at(-1) ?? '').length + 1 };
}

export function describeFault(text: string, fault: JsonFault): string {
  const { line, column } = placeOf(text, fault.from);
  return `Line ${line}, column ${column}: ${fault.message}`;
}

export type JsonRules = {
  /** How deeply objects and arrays may be nested. */
  maxLevels?: number;
  /** Why a number cannot be stored; null if it can. By default every number can. */
  numberFault?: (number: string) => string | null;
};

/** The levels of a request body without those around the value. */
const defaultLevels = 90;

/** Null if the text is one JSON value. */
export function jsonFault(text: string, rules: JsonRules = {}): JsonFault | null {
  const { maxLevels = defaultLevels, numberFault = () => null } = rules;
  const scan: Scan = { text, at: 0, levelsLeft: maxLevels, numberFault };
  try {
    value(scan);
    skipSpace(scan);
    if (scan.at < text.length) fail(scan, 'the text continues after the end of the value.');
    return null;
  } catch (error) {
    if (error instanceof Found) return error.fault;
    throw error;
  }
}

type Scan = { text: string; at: number; levelsLeft: number; numberFault: (number: string) => string | null };

class Found extends Error {
  readonly fault: JsonFault;
  constructor(fault: JsonFault) {
    super(fault.message);
    this.fault = fault;
  }
}

function fail({ text, at }: Scan, message: string, from = at, to = at + 1): never {
  throw new Found({ message, from: Math.min(from, text.length), to: Math.min(to, text.length) });
}

function skipSpace(scan: Scan) {
  while (' \t\n\r'.includes(scan.text[scan.at] ?? '-')) scan.at += 1;
}

function value(scan: Scan): void {
  skipSpace(scan);
  const first = scan.text[scan.at];
  if (first === undefined) fail(scan, 'a value is missing.');
  if (first === '{') nested(scan, '}', member(scan));
  else if (first === '[') nested(scan, ']', value);
  else if (first === '"') string(scan);
  else if (/[-0-9]/.test(first)) number(scan);
  else word(scan);
}

/** The members of an object or the items of an array, with their brackets. */
function nested(scan: Scan, close: '}' | ']', part: (scan: Scan) => void): void {
  if (scan.levelsLeft === 0) fail(scan, 'objects and arrays are nested too deeply here.');
  scan.levelsLeft -= 1;
  scan.at += 1;
  skipSpace(scan);
  if (scan.text[scan.at] !== close) parts(scan, close, part);
  scan.at += 1;
  scan.levelsLeft += 1;
}

function parts(scan: Scan, close: string, part: (scan: Scan) => void): void {
  for (;;) {
    part(scan);
    skipSpace(scan);
    const next = scan.text[scan.at];
    if (next === close) return;
    if (next !== ',') fail(scan, `a comma or ${close} is expected.`);
    const comma = scan.at;
    scan.at += 1;
    skipSpace(scan);
    if (scan.text[scan.at] === close) {
      fail(scan, `there must be no comma before ${close}.`, comma, comma + 1);
    }
  }
}

function member(scan: Scan): (scan: Scan) => void {
  const names = new Set<string>();
  return () => {
    const from = scan.at;
    if (scan.text[from] !== '"') fail(scan, 'a key in double quotes is expected.');
    const name = string(scan);
    if (names.has(name)) {
      fail(scan, `the key ${JSON.stringify(name)} occurs twice in this object.`, from, scan.at);
    }
    names.add(name);
    skipSpace(scan);
    if (scan.text[scan.at] !== ':') fail(scan, 'a colon is expected after the key.');
    scan.at += 1;
    value(scan);
  };
}

function string(scan: Scan): string {
  const from = scan.at;
  for (scan.at += 1; scan.text[scan.at] !== '"'; scan.at += 1) {
    const character = scan.text[scan.at];
    if (character === undefined || character === '\n') {
      fail(scan, 'this string has no closing quote.', from, scan.at);
    }
    if (character < ' ') fail(scan, 'control characters are written as \\t, \\n or \\u0000 in strings.');
    if (character === '\\') {
      const escaped = /^\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/.exec(scan.text.slice(scan.at, scan.at + 6));
      if (!escaped) fail(scan, 'this escape sequence is not valid.', scan.at, scan.at + 2);
      scan.at += escaped[0].length - 1;
    }
  }
  scan.at += 1;
  return JSON.parse(scan.text.slice(from, scan.at));
}

const wordPattern = /[^\s,:[\]{}"]*/y;

function wordAt({ text, at }: Scan): string {
  wordPattern.lastIndex = at;
  return wordPattern.exec(text)?.[0] ?? '';
}

function number(scan: Scan): void {
  const text = wordAt(scan);
  const end = scan.at + text.length;
  if (!/^-?(0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?$/.test(text)) {
    fail(scan, `${text} is not a number as JSON writes it.`, scan.at, end);
  }
  const fault = scan.numberFault(text);
  if (fault) fail(scan, fault, scan.at, end);
  scan.at = end;
}

function word(scan: Scan): void {
  const text = wordAt(scan);
  const end = scan.at + Math.max(text.length, 1);
  if (text === 'true' || text === 'false' || text === 'null') scan.at = end;
  else if (text.startsWith("'")) fail(scan, 'strings are written in double quotes.', scan.at, end);
  else if (text === '') fail(scan, 'a value is expected.', scan.at, end);
  else fail(scan, `${text} is not a value; strings are written in double quotes.`, scan.at, end);
}

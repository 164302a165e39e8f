// What is wrong in the files of an app, with the place of each fault.
import { compareTexts } from '../lib/compare-texts.js';

/** A line and a column of a file, from 1. */
export type Place = { line: number; column: number };

export type Fault = { path: string; place?: Place | undefined; message: string };

export class FileFaults extends Error {
  constructor(
    readonly faults: Fault[],
    sentence = 'these files are not valid',
  ) {
    const lines = faults.toSorted(byPlace).slice(0, maxLines).map(lineOf);
    super(`${sentence}, and nothing was changed:\n${lines.join('\n')}`);
  }
}

/** The first faults often cause the others. */
const maxLines = 50;

function byPlace(one: Fault, other: Fault): number {
  const [place, otherPlace] = [one.place, other.place].map((each) => each ?? { line: 0, column: 0 }) as [
    Place,
    Place,
  ];
  const byPath = compareTexts(one.path, other.path);
  return byPath || place.line - otherPlace.line || place.column - otherPlace.column;
}

function lineOf({ path, place, message }: Fault): string {
  return `  ${path}${place ? `:${place.line}:${place.column}` : ''}  ${message}`;
}

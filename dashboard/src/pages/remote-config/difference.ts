// The difference between two sets of parameters.

import { namedParameter } from './draft.ts';
import { isSameParameter, type NamedParameter, type Parameters } from './parameter.ts';

/** A renamed parameter has both sides, with different names. */
export type Difference = { before: NamedParameter | null; after: NamedParameter | null };

export function differencesBetween(before: Parameters, after: Parameters): Difference[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names
    .sort((left, right) => left.localeCompare(right, 'en'))
    .map((name) => ({ before: sideOf(before, name), after: sideOf(after, name) }))
    .filter(({ before, after }) => !before || !after || !isSameParameter(before, after));
}

function sideOf(parameters: Parameters, name: string): NamedParameter | null {
  return Object.hasOwn(parameters, name) ? namedParameter(parameters, name) : null;
}

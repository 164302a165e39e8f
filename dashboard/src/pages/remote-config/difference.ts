// The difference between two sets of parameters.
import { type Change, findParameter } from './draft.ts';
import { isSameParameter, type NamedParameter, type Parameters, parameterOf } from './parameter.ts';

/** A renamed parameter has both sides, with different names. */
export type Difference = { before: NamedParameter | null; after: NamedParameter | null };

export function differencesBetween(before: Parameters, after: Parameters): Difference[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names
    .sort((left, right) => left.localeCompare(right, 'en'))
    .map((name) => ({ before: findParameter(before, name), after: findParameter(after, name) }))
    .filter(({ before, after }) => !before || !after || !isSameParameter(before, after));
}

/** What changes without faults make of the parameters. */
export function differencesOf(changes: Change[]): Difference[] {
  return changes.map(({ before, after }) => ({
    before,
    after: after && { name: after.name, ...parameterOf(after) },
  }));
}

// Moves a draft to a newer version: what only one editor changed is merged, and what both changed differently is a
// conflict that the editor decides, parameter by parameter.
import { type Change, findParameter, namedParameter, withChange } from './draft.ts';
import {
  editedOf,
  isSameParameter,
  type NamedParameter,
  type Parameters,
  parameterOf,
  valueFault,
} from './parameter.ts';

export type Conflict = {
  change: Change;
  /** The parameter as the newer version has it; null if it was removed there. */
  theirs: NamedParameter | null;
};

export type Rebase = { kept: Change[]; conflicts: Conflict[] };

export function rebase(changes: Change[], newest: Parameters): Rebase {
  const kept: Change[] = [];
  const conflicts: Conflict[] = [];
  for (const change of changes) {
    if (isIncluded(change, newest)) continue;
    const theirs = conflictingParameter(change, newest);
    if (theirs === undefined) kept.push(change);
    else conflicts.push({ change, theirs });
  }
  return { kept, conflicts };
}

/** The changes after each conflict was decided; `mine` holds the ids whose change is kept. */
export function resolved(
  { kept, conflicts }: Rebase,
  newest: Parameters,
  mine: ReadonlySet<string>,
): Change[] {
  const chosen = conflicts.filter(({ change }) => mine.has(change.id));
  return chosen.flatMap(({ change }) => replacing(change, newest)).reduce(withChange, kept);
}

/** True if the newer version already says the same. */
function isIncluded({ before, after }: Change, newest: Parameters): boolean {
  if (before && before.name !== after?.name && findParameter(newest, before.name)) return false;
  if (after === null) return true;
  const there = findParameter(newest, after.name);
  return there !== null && valueFault(after) === null && isSameParameter(there, parameterOf(after));
}

/** Undefined if the newer version did not touch what the change is about. */
function conflictingParameter(
  { before, after }: Change,
  newest: Parameters,
): NamedParameter | null | undefined {
  const renamedTo = after && after.name !== before?.name ? findParameter(newest, after.name) : null;
  if (renamedTo) return renamedTo;
  if (before === null) return undefined;
  const there = findParameter(newest, before.name);
  return there && isSameParameter(there, before) ? undefined : there;
}

/** The same change, in terms of the newer version. */
function replacing({ id, before, after }: Change, newest: Parameters): Change[] {
  const there = before && findParameter(newest, before.name);
  if (after === null) return there ? [{ id: there.name, before: there, after: null }] : [];
  const atName = findParameter(newest, after.name);
  if (!atName || atName.name === before?.name)
    return [{ id: there ? id : `new:${id}`, before: there, after }];
  const replaced = { id: atName.name, before: atName, after };
  return there ? [replaced, { id: there.name, before: there, after: null }] : [replaced];
}

/** Takes a complete set of parameters as changes to `current`; what it lacks is removed only if asked. */
export function changesTo(current: Parameters, wanted: Parameters, removeOthers: boolean): Change[] {
  const changed = Object.keys(wanted).flatMap((name): Change[] => {
    const before = findParameter(current, name);
    const after = namedParameter(wanted, name);
    if (before && isSameParameter(before, after)) return [];
    return [{ id: before ? name : `new:${name}`, before, after: editedOf(after) }];
  });
  const removed = Object.keys(current)
    .filter((name) => removeOthers && !Object.hasOwn(wanted, name))
    .map((name) => ({ id: name, before: namedParameter(current, name), after: null }));
  return [...changed, ...removed];
}

// Applies a draft to a newer version of the remote config.
import { type Change, findParameter, withChange } from './draft.ts';
import type { Parameters } from './parameter.ts';

/** The same changes to the newer version. Where that changed a parameter too, the draft replaces its value; the review shows both. */
export function reapplied(changes: Change[], newest: Parameters): Change[] {
  return changes.flatMap((change) => replacing(change, newest)).reduce(withChange, []);
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

// The unpublished changes to a remote config. Each change holds what it replaces, so that a draft can be applied to a later
// version.
import { configLimits } from './limits.ts';
import {
  type EditedParameter,
  editedOf,
  isSameParameter,
  type NamedParameter,
  nameFault,
  type Parameters,
  parameterOf,
  sizeOf,
  valueFault,
} from './parameter.ts';

/** `before` is null for an added parameter, `after` for a removed one. */
export type Change = { id: string; before: NamedParameter | null; after: EditedParameter | null };

/** `etag` is that of the version that was edited, `version` its number. */
export type Draft = { etag: string; version: number; changes: Change[] };

/** A stored draft; null without changes. A parameter that was added and not filled in was given up. */
export function draftIn(text: string | null): Draft | null {
  const draft = parsed(text);
  if (!draft || !Array.isArray(draft.changes)) return null;
  const changes = draft.changes.filter((change) => !isUntouched(change));
  return changes.length > 0 ? { ...draft, changes } : null;
}

function parsed(text: string | null): Draft | null {
  try {
    return JSON.parse(text ?? 'null');
  } catch {
    return null;
  }
}

/** True for a parameter that was added and has nothing yet. */
export function isUntouched({ before, after }: Change): boolean {
  return before === null && after !== null && after.name + after.text + after.description === '';
}

export type Row = {
  id: string;
  before: NamedParameter | null;
  after: EditedParameter | null;
  state: 'unchanged' | 'added' | 'changed' | 'removed';
};

/** The parameters of a version with the changes to them, sorted by name; added ones first. */
export function rowsOf(parameters: Parameters, changes: Change[]): Row[] {
  const byName = new Map(changes.flatMap((change) => (change.before ? [[change.before.name, change]] : [])));
  const stored = unchangedRows(parameters).map((row) => {
    const change = byName.get(row.id);
    byName.delete(row.id);
    return change ? changedRow(change) : row;
  });
  // The changes to parameters that a newer version no longer has.
  const orphans = [...byName.values()].map(changedRow);
  const added = changes.filter(({ before }) => before === null).map(changedRow);
  return [...added.reverse(), ...orphans, ...stored];
}

const unchanged = new WeakMap<Parameters, Row[]>();

/** Made once per version: a large set takes long to write as text, and rows are needed with every key. */
function unchangedRows(parameters: Parameters): Row[] {
  const known = unchanged.get(parameters);
  if (known) return known;
  const rows = Object.keys(parameters)
    .sort((left, right) => left.localeCompare(right, 'en'))
    .map((name) => unchangedRow(namedParameter(parameters, name)));
  unchanged.set(parameters, rows);
  return rows;
}

export function findParameter(parameters: Parameters, name: string): NamedParameter | null {
  return Object.hasOwn(parameters, name) ? namedParameter(parameters, name) : null;
}

export function namedParameter(parameters: Parameters, name: string): NamedParameter {
  return { name, ...(parameters[name] as Parameters[string]) };
}

function unchangedRow(parameter: NamedParameter): Row {
  return { id: parameter.name, before: parameter, after: editedOf(parameter), state: 'unchanged' };
}

function changedRow(change: Change): Row {
  return { ...change, state: stateOf(change) };
}

function stateOf(change: Change): Row['state'] {
  if (change.after === null) return 'removed';
  if (change.before === null) return 'added';
  return hasEffect(change) ? 'changed' : 'unchanged';
}

/**
 * The changes with this one in the place of an earlier change to the same parameter, or without it if it is the same text
 * as before. One that only writes the same value differently is kept: the next key may change the value.
 */
export function withChange(changes: Change[], change: Change): Change[] {
  const kept = !isSameText(change);
  if (!changes.some(({ id }) => id === change.id)) return kept ? [...changes, change] : changes;
  return kept
    ? changes.map((other) => (other.id === change.id ? change : other))
    : changes.filter(({ id }) => id !== change.id);
}

function isSameText({ before, after }: Change): boolean {
  if (before === null || after === null) return before === after;
  const edited = editedOf(before);
  return (Object.keys(edited) as (keyof EditedParameter)[]).every((key) => edited[key] === after[key]);
}

/** False for a change that only writes the same value differently. */
export function hasEffect({ before, after }: Change): boolean {
  if (before === null || after === null) return before !== after;
  if (before.name !== after.name || before.type !== after.type) return true;
  if (before.description !== after.description) return true;
  return valueFault(after) !== null || !isSameParameter(before, parameterOf(after));
}

/** The complete set to publish, in the order of the version; only for changes without faults. */
export function parametersWith(parameters: Parameters, changes: Change[]): Parameters {
  const byName = new Map(changes.map((change) => [change.before?.name, change]));
  const kept = Object.entries(parameters).flatMap(([name, parameter]) => {
    const change = byName.get(name);
    if (!change) return [[name, parameter] as const];
    return change.after ? [[change.after.name, parameterOf(change.after)] as const] : [];
  });
  const added = changes.flatMap(({ before, after }) =>
    before === null && after ? [[after.name, parameterOf(after)] as const] : [],
  );
  return Object.fromEntries([...kept, ...added]);
}

export type RowFault = { name?: string; value?: string; description?: string };

/** What must be mended before publishing, by the id of the row. */
export function faultsOf(rows: Row[]): Map<string, RowFault> {
  const uses = new Map<string, number>();
  for (const { after } of rows) if (after) uses.set(after.name, (uses.get(after.name) ?? 0) + 1);
  const faults = rows.flatMap((row): [string, RowFault][] => {
    const fault = row.after && row.state !== 'unchanged' ? faultOf(row.after, uses) : {};
    return Object.keys(fault).length > 0 ? [[row.id, fault]] : [];
  });
  return new Map(faults);
}

function faultOf(after: EditedParameter, uses: Map<string, number>): RowFault {
  const taken = (uses.get(after.name) ?? 0) > 1 ? 'Another parameter has this name.' : null;
  const name = nameFault(after.name) ?? taken;
  const value = valueFault(after);
  const tooLong = [...after.description].length > configLimits.descriptionCharacters;
  return {
    ...(name && { name }),
    ...(value && { value }),
    ...(tooLong && { description: `At most ${configLimits.descriptionCharacters} characters.` }),
  };
}

/** How much of the limits the rows use; values with faults count with their text. */
export function usageOf(rows: Row[]): { parameters: number; characters: number } {
  let parameters = 0;
  let characters = 0;
  for (const { before, after, state } of rows) {
    if (!after) continue;
    parameters += 1;
    characters += after.name.length + (state === 'unchanged' && before ? sizeOf(before) : editedSize(after));
  }
  return { parameters, characters };
}

function editedSize(after: EditedParameter): number {
  return valueFault(after) === null
    ? sizeOf(parameterOf(after))
    : after.text.length + after.description.length;
}

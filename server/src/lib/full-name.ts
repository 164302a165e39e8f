// The names of a person whom another service calls by the full name only.

type Names = { firstName: string | null; lastName: string | null };

/** What follows a full name after a comma, and is not a first name. */
const suffix = /^(?:jr|sr|i{2,3}|iv|esq|ph\.?\s?d|m\.?d|mba|m\.?sc|cpa)\.?$/i;

/**
 * The first word of a full name is the first name, unless the last name comes before it with a comma, as in the directories of
 * many companies. Some services put the email where the name is missing.
 */
export function namesOf(fullName: string | null): Names {
  const name = fullName?.trim() ?? '';
  if (name === '' || name.includes('@')) return { firstName: null, lastName: null };
  const [, family, given = ''] = /^([^,]+),\s*([^,\s][^,]*)$/.exec(name) ?? [];
  if (family !== undefined && !suffix.test(given))
    return { firstName: given.trim(), lastName: family.trim() };
  const [, first = '', rest = ''] = /^(\S+)\s*([\s\S]*)$/.exec(name) ?? [];
  return { firstName: first, lastName: rest === '' ? null : rest };
}

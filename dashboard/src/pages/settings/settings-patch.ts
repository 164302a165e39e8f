// What a form sends: only the settings that it changed, checked with the schema of the contract before they are sent.
import '../../schemas-under-csp.ts';
import { AppSettingsPatch, errorMap } from '@foyer/contract';
import { isObject, isSame } from '../../components/form-values.ts';

/** Objects are compared key by key, as the service merges them; null removes an entry of a map. */
export function changesBetween(before: unknown, after: unknown): AppSettingsPatch {
  return (difference(before, after) ?? {}) as AppSettingsPatch;
}

/** What the service replaces as a whole: passkeys, a provider, and the texts of mails. */
const wholeEntries = /^passkeys$|^providers\.[^.]+$|^mail\.texts\.[^.]+\.[^.]+$/;

/** Undefined if there is none. */
function difference(before: unknown, after: unknown, path = ''): unknown {
  if (after === undefined) return undefined;
  if (!isObject(before) || !isObject(after) || wholeEntries.test(path)) {
    return isSame(before, after) ? undefined : after;
  }
  const changed = Object.keys(after).map((key) => {
    const inner = path === '' ? key : `${path}.${key}`;
    return [key, difference(before[key], after[key], inner)] as const;
  });
  const removed = Object.keys(before)
    .filter((key) => before[key] !== undefined && !Object.hasOwn(after, key))
    .map((key) => [key, null] as const);
  const entries = [...changed, ...removed].filter(([, value]) => value !== undefined);
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

const writeOnly = ['private_key', 'service_account'];

/** Inputs hold text: an empty one is a setting without a value. Only an explicit null removes a secret. */
export function blankAsNull(values: unknown): unknown {
  if (values === '') return null;
  if (!isObject(values)) return values;
  const entries = Object.entries(values).filter(([key, value]) => value !== '' || !writeOnly.includes(key));
  return Object.fromEntries(entries.map(([key, value]) => [key, blankAsNull(value)]));
}

/** The fields that the contract refuses, with messages; empty if it accepts the patch. */
export function faultsIn(patch: AppSettingsPatch): Record<string, string[]> {
  const result = AppSettingsPatch.safeParse(patch, { error: errorMap });
  const fields: Record<string, string[]> = {};
  for (const issue of result.error?.issues ?? []) {
    const path = issue.path.join('.');
    fields[path] = [...(fields[path] ?? []), issue.message];
  }
  return fields;
}

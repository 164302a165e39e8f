// The text of a record's fields in the editor.
import { limits } from '@foyer/contract';
import { describeFault, type JsonRules, jsonFault } from '../../components/json-fault.ts';
import { recordNumberFault } from '../../components/number-faults.ts';

/** As the service stores records: a number that would be rounded is refused. */
export const recordRules: JsonRules = { maxLevels: limits.recordDepth, numberFault: recordNumberFault };

/** The fields, or why the text is none. */
export function fieldsIn(text: string): { fields: Record<string, unknown> } | { error: string } {
  const fault = jsonFault(text, recordRules);
  if (fault) return { error: `Not valid JSON. ${describeFault(text, fault)}` };
  const value: unknown = JSON.parse(text);
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? { fields: value as Record<string, unknown> }
    : { error: 'A record is an object: { … }.' };
}

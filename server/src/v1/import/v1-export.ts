// Reads a line of an export of v1, with values that v2 cannot store corrected.
import { errorMap } from '@foyer/contract';
import { sha256 } from '../../lib/crypto/digest.js';
import { jsonIn } from '../../lib/json-rules.js';
import { completeTimes, type V1Export } from './complete-times.js';
import { fitLine } from './fit-line.js';
import { hasRepeatedKey } from './repeated-key.js';
import { V1Id, WrittenLine } from './written-line.js';

type ReadLine =
  | { user: V1Export; lineHash: string; notes: string[]; reason?: never }
  /** The id of the line, or null. */
  | { user?: never; id: number | null; reason: string };

const maxIssues = 3;
/** Per issue: an unknown key may be of any length. */
const maxIssueCharacters = 100;

/** Reason and notes name fields and never contain values, since reports may be shared. */
export function readExportLine(text: string, now: Date): ReadLine {
  const json = jsonIn(text);
  if (json === undefined) return { id: null, reason: 'is not JSON' };
  if (hasRepeatedKey(text)) return { id: v1IdIn(json), reason: 'has a key twice' };
  const { fitted, notes } = fitLine(json);
  const { data: written, error } = WrittenLine.safeParse(fitted, { error: errorMap });
  if (error) {
    const reasons = error.issues.slice(0, maxIssues).map(({ path, message }) => {
      return [...path.map(String), message].join(' ').slice(0, maxIssueCharacters);
    });
    return { id: v1IdIn(json), reason: reasons.join('; ') };
  }
  // The hash is that of the line as written: a value that is completed may differ with the time of the import.
  const lineHash = sha256(JSON.stringify(written)).toString('hex');
  const { user, notes: notesOfTimes } = completeTimes(written, now);
  if (!user) return { id: written.id, reason: 'has a time that is still to come' };
  return { user, lineHash, notes: [...notes, ...notesOfTimes] };
}

/** The numeric id of a line, also of a rejected one, since it must not be assigned to another user. */
export function v1IdOf(text: string): number | null {
  return v1IdIn(jsonIn(text));
}

function v1IdIn(json: unknown): number | null {
  return V1Id.safeParse((json as { id?: unknown } | null | undefined)?.id).data ?? null;
}

// The user whose quota a record counts against, and the change of the totals by a write. A record counts for the user
// whose write created it or last made it larger, so that in the mode `shared` no user can use up the quota of another.
// Writes of the app's backend leave the user as it is: a record that the backend created counts for no user.
import { limits } from '@foyer/contract';

export type CountedRecord = {
  bytes: number;
  ownerUid: string | null;
  /** Null for the owner. */
  countedUid: string | null;
};

export type Usage = {
  /** The uid that is stored with the record. */
  countedUid: string | null;
  /** The changes of the totals by user. */
  deltas: { uid: string; bytes: number }[];
  /** The user who must be within the quota after the write; null when it adds nothing to the total of the writer. */
  limitedUid: string | null;
};

/** `before` is null for a new record, `after` for a deleted one; `writerUid` is null for the backend. */
export function usageOfWrite(
  before: CountedRecord | null,
  after: { bytes: number; ownerUid: string | null } | null,
  writerUid: string | null,
): Usage {
  const grows = after !== null && after.bytes > (before?.bytes ?? -1);
  const from = before && userOf(before);
  const to = grows && writerUid !== null ? writerUid : from;
  const deltas = new Map<string, number>();
  if (before && from !== null) deltas.set(from, -sizeOf(before.bytes));
  if (after && to !== null) deltas.set(to, (deltas.get(to) ?? 0) + sizeOf(after.bytes));
  return {
    countedUid: after && to !== after.ownerUid ? to : null,
    deltas: [...deltas].flatMap(([uid, bytes]) => (bytes === 0 ? [] : { uid, bytes })),
    limitedUid: grows ? writerUid : null,
  };
}

function userOf({ countedUid, ownerUid }: CountedRecord): string | null {
  return countedUid ?? ownerUid;
}

function sizeOf(bytes: number): number {
  return bytes + limits.recordOverheadBytes;
}

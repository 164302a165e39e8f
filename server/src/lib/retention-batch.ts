// A batch of the daily deletion: rows of one app in the order of a key, so that each statement reads and deletes few rows
// however large the table is, and none reads again what an earlier one has dealt with.

export type RetentionBatch = {
  appId: string;
  /** The key at which the batch before ended; empty at first. */
  after: string;
  /** Rows from before this time are due. */
  time: Date;
  maxRows: number;
};

/** What a batch read: how many rows, and the key of the last. */
export type BatchEnd = { rows: number; last: string | null };

/** Where the next batch begins; null if this one read the last row that may be due. */
export function nextAfter(end: BatchEnd | undefined, batch: RetentionBatch): string | null {
  return end && end.rows === batch.maxRows ? end.last : null;
}

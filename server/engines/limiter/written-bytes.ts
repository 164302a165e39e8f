// A budget of the bytes that a user writes: a quota limits what is stored, and not how often the same megabytes are replaced, each
// time with a new copy in the log of the database or in the store of files.
import type { LimitedApp } from './limit-windows.js';
import type { Limiter } from './rate-limit.js';

const unitBytes = { 'record-kilobytes': 1_024, 'file-megabytes': 1_024 * 1_024 } as const;

/** The user who writes. */
type Writer = { app: LimitedApp; uid: string };
type ByteBudgetPolicy = keyof typeof unitBytes;

/** Counts bytes before they are written; throws `request/rate-limited` once the budget is used up. */
export async function consumeBytes(
  limiter: Pick<Limiter, 'consume'>,
  policy: ByteBudgetPolicy,
  { app, uid }: Writer,
  bytes: number,
): Promise<void> {
  await limiter.consume(policy, app, uid, unitsOf(policy, bytes));
}

/** Counts what was written beyond the bytes that were known before. */
export async function consumeFurtherBytes(
  limiter: Pick<Limiter, 'tryConsume'>,
  policy: ByteBudgetPolicy,
  { app, uid }: Writer,
  { known, written }: { known: number; written: number },
): Promise<void> {
  const further = unitsOf(policy, written) - unitsOf(policy, known);
  if (further > 0) await limiter.tryConsume(policy, app, uid, further);
}

/**
 * Returns a function that is given the total before each write, and counts what exceeds the bytes that were known before. It
 * throws `request/rate-limited` once the budget is used up.
 */
export function countWrites(
  limiter: Pick<Limiter, 'consume'>,
  policy: ByteBudgetPolicy,
  { app, uid }: Writer,
  known: number,
): (written: number) => Promise<void> {
  let counted = unitsOf(policy, known);
  return async (written) => {
    const further = unitsOf(policy, written) - counted;
    if (further <= 0) return;
    counted += further;
    await limiter.consume(policy, app, uid, further);
  };
}

function unitsOf(policy: ByteBudgetPolicy, bytes: number): number {
  return Math.max(1, Math.ceil(bytes / unitBytes[policy]));
}

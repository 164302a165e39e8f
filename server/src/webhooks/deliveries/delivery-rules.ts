// What follows from an attempt: done, once more and when, or given up.
import { limits } from '@foyer/contract';

export const goneStatus = 410;

/** What came of an attempt: the status of a complete answer, or why there was none. */
export type AttemptResult = { status: number } | { error: string };

export type AttemptVerdict =
  | { kind: 'succeeded' }
  | { kind: 'again'; step: number; at: Date }
  | { kind: 'failed'; gone: boolean };

export type Attempted = {
  result: AttemptResult;
  /** How many attempts of this round of the schedule failed before. */
  step: number;
  /** False for a test, which is tried once. */
  scheduled: boolean;
  /** The webhook has another address by now: that this one is gone says nothing of it. */
  moved: boolean;
  now: Date;
  /** From 0 to 1, drawn for the jitter. */
  chance: number;
};

export function judgeAttempt({ result, step, scheduled, moved, now, chance }: Attempted): AttemptVerdict {
  const status = 'status' in result ? result.status : null;
  if (status !== null && status >= 200 && status < 300) return { kind: 'succeeded' };
  if (status === goneStatus && !moved) return { kind: 'failed', gone: true };
  const seconds = limits.webhookDelaySeconds[step + 1];
  if (!scheduled || seconds === undefined) return { kind: 'failed', gone: false };
  const factor = 1 + limits.webhookJitter * (2 * chance - 1);
  return {
    kind: 'again',
    step: step + 1,
    at: new Date(now.getTime() + Math.round(seconds * factor * 1_000)),
  };
}

/** Why the attempt was none, for people; null for a success. */
export function failureOf(result: AttemptResult): string | null {
  if ('error' in result) return result.error;
  const { status } = result;
  if (status >= 200 && status < 300) return null;
  if (status === goneStatus) return 'answered 410: the receiver is gone';
  if (status >= 300 && status < 400) return `answered ${status}: redirects are not followed`;
  return `answered ${status}`;
}

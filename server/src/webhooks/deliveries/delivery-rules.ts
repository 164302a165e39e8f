// Classifies an attempt: succeeded, retry with its time, or failed.
import { limits } from '@foyer/contract';

export const goneStatus = 410;

/** The status of a complete response, or the reason why there is none. */
export type AttemptResult = { status: number } | { error: string };

export type AttemptVerdict =
  | { kind: 'succeeded' }
  | { kind: 'retry'; step: number; at: Date }
  | { kind: 'failed'; gone: boolean };

export type Attempt = {
  result: AttemptResult;
  /** The number of failed attempts of this run of the schedule. */
  step: number;
  /** False if the attempt is not repeated, as for a test. */
  scheduled: boolean;
  /** The webhook has another URL now, to which a 410 of the old one does not apply. */
  urlChanged: boolean;
  now: Date;
  /** A random number from 0 to 1, for the jitter. */
  chance: number;
};

export function classifyAttempt({
  result,
  step,
  scheduled,
  urlChanged,
  now,
  chance,
}: Attempt): AttemptVerdict {
  const status = 'status' in result ? result.status : null;
  if (status !== null && status >= 200 && status < 300) return { kind: 'succeeded' };
  if (status === goneStatus && !urlChanged) return { kind: 'failed', gone: true };
  const seconds = limits.webhookDelaySeconds[step + 1];
  if (!scheduled || seconds === undefined) return { kind: 'failed', gone: false };
  const factor = 1 + limits.webhookJitter * (2 * chance - 1);
  return {
    kind: 'retry',
    step: step + 1,
    at: new Date(now.getTime() + Math.round(seconds * factor * 1_000)),
  };
}

/** The error of the attempt for people; null for a success. */
export function errorOf(result: AttemptResult): string | null {
  if ('error' in result) return result.error;
  const { status } = result;
  if (status >= 200 && status < 300) return null;
  if (status === goneStatus) return 'answered 410: the receiver is gone';
  if (status >= 300 && status < 400) return `answered ${status}: redirects are not followed`;
  return `answered ${status}`;
}

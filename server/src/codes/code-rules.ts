// What a guess at an emailed code comes to. Specification "Emailed code"; the order is that of the conventions of the API.
import { limits } from '@foyer/contract';

export type CodeVerdict = 'right' | 'wrong' | 'dead' | 'expired';

/**
 * `code` is the row as it stands after the guess was counted, or null when nothing could be counted: there is no code, it
 * was used, or it has had its five guesses.
 */
export function judgeCode(code: { sentAt: Date } | null, now: Date, fits: () => boolean): CodeVerdict {
  if (code === null) return 'dead';
  if (now.getTime() - code.sentAt.getTime() > limits.codeSeconds * 1_000) return 'expired';
  return fits() ? 'right' : 'wrong';
}

/** Whether a code could still be confirmed: unused, alive and in time. */
export function isLive(code: { sentAt: Date; usedAt: Date | null; guesses: number }, now: Date): boolean {
  if (code.usedAt !== null || code.guesses >= limits.codeGuesses) return false;
  return now.getTime() - code.sentAt.getTime() <= limits.codeSeconds * 1_000;
}

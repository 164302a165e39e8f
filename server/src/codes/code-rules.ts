// The verdict on a guess at an emailed code.
import { limits } from '@foyer/contract';

type CodeVerdict = 'right' | 'wrong' | 'dead' | 'expired';

/**
 * `code` is the row after the guess was counted, or null if there is no code, it was used, or it has had five guesses.
 */
export function checkCode(code: { sentAt: Date } | null, now: Date, fits: () => boolean): CodeVerdict {
  if (code === null) return 'dead';
  if (isExpired(code, now)) return 'expired';
  return fits() ? 'right' : 'wrong';
}

export type SentCode = { sentAt: Date; guesses: number };

/**
 * Selects between the two codes of a user: a live change of email, otherwise a live verification. If neither is live, the
 * code sent last determines the error.
 */
export function intendedPurpose(
  codes: { email_change: SentCode | null; verification: SentCode | null },
  now: Date,
): 'email_change' | 'verification' {
  const { email_change: change, verification } = codes;
  if (change === null) return 'verification';
  if (isLive(change, now) || verification === null) return 'email_change';
  return isLive(verification, now) || verification.sentAt > change.sentAt ? 'verification' : 'email_change';
}

/** Tells whether a code can still be confirmed. */
export function isLive(code: SentCode, now: Date): boolean {
  return code.guesses < limits.codeGuesses && !isExpired(code, now);
}

/** `sentAt` in the future: the clock was set back; treated as expired, because the code would otherwise live too long. */
function isExpired({ sentAt }: { sentAt: Date }, now: Date): boolean {
  return Math.abs(now.getTime() - sentAt.getTime()) > limits.codeSeconds * 1_000;
}

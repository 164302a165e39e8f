// What a guess at an emailed code comes to. Specification "Emailed code"; the order is that of the conventions of the API.
import { limits } from '@foyer/contract';

export type CodeVerdict = 'right' | 'wrong' | 'dead' | 'expired';

/**
 * `code` is the row as it stands after the guess was counted, or null when nothing could be counted: there is no code, one
 * was used, or it has had its five guesses.
 */
export function judgeCode(code: { sentAt: Date } | null, now: Date, fits: () => boolean): CodeVerdict {
  if (code === null) return 'dead';
  if (now.getTime() - code.sentAt.getTime() > limits.codeSeconds * 1_000) return 'expired';
  return fits() ? 'right' : 'wrong';
}

export type SentCode = { sentAt: Date; guesses: number };

/**
 * Which of a user's two codes is meant where either could be: a change of email that is under way, else a verification
 * that is. With neither, the one that was sent last says what became of it.
 */
export function judgeMeant(
  codes: { email_change: SentCode | null; verification: SentCode | null },
  now: Date,
): 'email_change' | 'verification' {
  const { email_change: change, verification } = codes;
  if (change === null) return 'verification';
  if (isLive(change, now) || verification === null) return 'email_change';
  return isLive(verification, now) || verification.sentAt > change.sentAt ? 'verification' : 'email_change';
}

/** Whether a code could still be confirmed: alive and in time. */
export function isLive(code: SentCode, now: Date): boolean {
  if (code.guesses >= limits.codeGuesses) return false;
  return now.getTime() - code.sentAt.getTime() <= limits.codeSeconds * 1_000;
}

// Whether a guess at a second factor may be judged. Only a caller who passed the first factor can guess, so others cannot
// exhaust these limits.
import { limits } from '@foyer/contract';

/** The latest guesses of a user, oldest first; the ticket is an empty text for a guess without one. */
export type Guesses = { guessTimes: Date[]; guessTickets: string[]; usedTickets: string[] };

type Verdict =
  | { verdict: 'counted'; guesses: Pick<Guesses, 'guessTimes' | 'guessTickets'> }
  /** The ticket has started a session, or has had its guesses. */
  | { verdict: 'used-up' }
  | { verdict: 'limited'; retryAfterSeconds: number };

const { perTicket, perUser, windowSeconds } = limits.secondFactorGuesses;
/** Names the limit of a user in the audit log, and on the page of support. */
export const guessesPolicy = 'second-factor-guesses';
/** At most about 30 sign-ins can succeed while a ticket is valid (20 TOTP steps and 10 recovery codes). */
const usedTicketsKept = 50;

export function judgeFactorGuess(
  { guessTimes, guessTickets, usedTickets }: Guesses,
  { ticket, now }: { ticket: string; now: Date },
): Verdict {
  const recent = recentOf({ guessTimes, guessTickets }, now);
  const isUsedUp = recent.filter((guess) => guess.ticket === ticket).length >= perTicket;
  if (ticket !== '' && (isUsedUp || usedTickets.includes(ticket))) return { verdict: 'used-up' };
  const until = endOfLimit(recent);
  if (until) return { verdict: 'limited', retryAfterSeconds: (until.getTime() - now.getTime()) / 1_000 };
  const counted = [...recent, { time: now, ticket }];
  const guesses = {
    guessTimes: counted.map(({ time }) => time),
    guessTickets: counted.map((guess) => guess.ticket),
  };
  return { verdict: 'counted', guesses };
}

/** When the user may guess again; null below the limit. */
export function limitedUntil(guesses: Pick<Guesses, 'guessTimes' | 'guessTickets'>, now: Date): Date | null {
  return endOfLimit(recentOf(guesses, now));
}

/** The guesses after a right one: those of others stay, and the ticket works no second time. */
export function afterRightGuess({ guessTimes, guessTickets, usedTickets }: Guesses, ticket: string): Guesses {
  const last = guessTickets.lastIndexOf(ticket);
  const isKept = (at: number) => (ticket === '' ? at !== last : guessTickets[at] !== ticket);
  return {
    guessTimes: guessTimes.filter((_, at) => isKept(at)),
    guessTickets: guessTickets.filter((_, at) => isKept(at)),
    usedTickets: ticket === '' ? usedTickets : [...usedTickets, ticket].slice(-usedTicketsKept),
  };
}

type Guess = { time: Date; ticket: string };

/** A time further ahead than the window is from before the clock was set back. */
function recentOf({ guessTimes, guessTickets }: Omit<Guesses, 'usedTickets'>, now: Date): Guess[] {
  const isRecent = (time: Date) => Math.abs(now.getTime() - time.getTime()) < windowSeconds * 1_000;
  return guessTimes.flatMap((time, at) =>
    isRecent(time) ? [{ time, ticket: guessTickets[at] as string }] : [],
  );
}

/** When the oldest of the guesses that reach the limit leaves the window. */
function endOfLimit(recent: readonly Guess[]): Date | null {
  const oldest = recent.at(-perUser);
  return oldest ? new Date(oldest.time.getTime() + windowSeconds * 1_000) : null;
}

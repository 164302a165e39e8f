// The day's budget of wrong guesses at the codes of one kind that were mailed to one email. Without it, the number of guesses
// would be bounded only by the number of mails.
import { limits } from '@foyer/contract';
import { type Count, hashed, isOver, type LimitedApp, subjectsOf, windowsOf } from './limit-windows.js';
import type { KnownClient } from './mail-limits.js';
import type { Window } from './memory-windows.js';

export type CodeGuess = {
  /** Each kind of code has a budget of its own. */
  kind: string;
  email: string;
  ip: string | null;
  /** Each client that proved an earlier sign-in has a budget of its own. */
  known: KnownClient | null;
  /** The guess is at a code that only its own flow opens. */
  flowOnly: boolean;
};

const policy = 'code-guesses-email-day';

/**
 * Beyond the budget, a network without a wrong guess that day has one more, at a code of the slow lane: an attacker who uses
 * up the budget must not shut out the owner for good.
 */
export async function consumeCodeGuess(count: Count, app: LimitedApp, guess: CodeGuess) {
  const { kind, email, known, flowOnly } = guess;
  const of = known ? `${kind} ${known.uid} ${known.deviceId ?? ''}` : hashed(`${kind} ${email}`);
  const budget = windowsOf(policy, app, [of]);
  if (known) return { windows: budget, state: await count(budget) };
  const windows = [...budget, ...guessNetworks(app, guess)];
  const state = await count(windows);
  if (!flowOnly || !isOver(state, policy)) return { windows, state };
  const first = guessNetworks(app, guess, 1);
  const allowed = (await count(first)).remaining >= 0;
  return allowed ? { windows: first, state: { ...state, remaining: 0 } } : { windows, state };
}

/** The wrong guesses of each network of an IP address; the narrowest may have `most`, by default the whole budget. */
export function guessNetworks(
  app: LimitedApp,
  { kind, email, ip }: Pick<CodeGuess, 'kind' | 'email' | 'ip'>,
  most?: number,
): Window[] {
  const of = hashed(`${kind} ${email}`);
  const [{ limit, windowMilliseconds }] = windowsOf(policy, app, [of]) as [Window];
  return subjectsOf({ ip }, of).map((network, place) => ({
    policy: 'code-guesses-network',
    key: `${app.id} ${network}`,
    limit: (most ?? limit) * limits.widerNetworkFactor ** place,
    windowMilliseconds,
  }));
}

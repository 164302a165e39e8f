// The session in memory: its tokens and their state.
import type { FoyerError } from './errors.js';
import type { AccessAnswer, TokenAnswer, User } from './generated/models.js';
import { stopwatch } from './stopwatch.js';
import type { Stored } from './vault.js';

export interface ActiveSession extends Stored {
  /** The access token, and the serial of the refresh token that it came with. */
  access?: { token: string; serial: number; ageMs: () => number; lifeMs: number };
  /** The pending question to the other tabs for their access token. */
  asked?: Promise<void>;
  user?: User;
  /** True while the storage still contains an older refresh token. */
  unsaved?: boolean;
  /** The refresh token that was sent last, and the time since its first send. */
  sent?: { token: string; ageMs: () => number };
  /** The pending renewal, shared by its callers. */
  renewal?: Promise<void> | undefined;
  /** The last rejected refresh, with the delay that the service requires before the next. */
  backoff?: { error: FoyerError; ageMs: () => number };
  /** Aborts the session's pending refresh when the session ends. */
  ended: AbortController;
}

/** What tabs send each other: the tokens of a session, or without them, a question for them. */
export type TabMessage = { id: number | undefined } & Partial<TokenAnswer & { serial: number }>;

/** An access token and its session, so that a retry never continues as a different user. */
export interface Bearer {
  token: string;
  session: ActiveSession;
}

export function setAccess(
  session: Pick<ActiveSession, 'serial' | 'access' | 'user'>,
  { access_token, expires_in, user }: Omit<AccessAnswer, 'token_type'>,
): void {
  session.access = {
    token: access_token,
    serial: session.serial,
    ageMs: stopwatch(),
    lifeMs: expires_in * 1_000,
  };
  session.user = user;
}

/** The access token, unless it expires within the margin (at most a fifth of its lifetime). */
export function freshToken({ access }: Partial<ActiveSession>, marginMs = 0): string | undefined {
  return access && access.ageMs() < access.lifeMs - Math.min(marginMs, access.lifeMs / 5)
    ? access.token
    : undefined;
}

/** Milliseconds since a refresh token was first sent whose response has not arrived; infinite without one. */
export function unansweredMs({ sent, refreshToken }: ActiveSession): number {
  return sent?.token === refreshToken ? sent.ageMs() : Number.POSITIVE_INFINITY;
}

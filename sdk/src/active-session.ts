// The session in memory: its tokens and their state.
import type { FoyerError } from './errors.js';
import type { AccessAnswer } from './generated/models.js';
import { stopwatch } from './stopwatch.js';
import type { Stored } from './vault.js';

export interface ActiveSession extends Stored {
  access?: { token: string; ageMs: () => number; lifeMs: number };
  /** True while the storage still contains an older refresh token. */
  unsaved?: boolean;
  /** The last rejected refresh, with the delay that the service requires before the next. */
  backoff?: { error: FoyerError; ageMs: () => number };
  /** Aborts the session's pending refresh when the session ends. */
  ended: AbortController;
}

/** An access token and its session, so that a retry never continues as a different user. */
export interface Bearer {
  token: string;
  session: ActiveSession;
}

export function setAccess(session: ActiveSession, { access_token, expires_in }: AccessAnswer): void {
  session.access = { token: access_token, ageMs: stopwatch(), lifeMs: expires_in * 1_000 };
}

/** The access token, unless it expires within the margin (at most a fifth of its lifetime). */
export function freshToken({ access }: Partial<ActiveSession>, marginMs = 0): string | undefined {
  return access && access.ageMs() < access.lifeMs - Math.min(marginMs, access.lifeMs / 5)
    ? access.token
    : undefined;
}

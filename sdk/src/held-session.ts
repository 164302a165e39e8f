// The session in memory: the refresh token, the access token with its age, and what hangs on them.
import type { FoyerError } from './errors.js';
import type { AccessAnswer } from './generated/models.js';
import { stopwatch } from './stopwatch.js';
import type { Stored } from './vault.js';

export interface HeldSession extends Stored {
  access?: { token: string; ageMs: () => number; lifeMs: number };
  /** True while the storage still holds an older refresh token than this. */
  unsaved?: boolean;
  /** The last refused refresh, with the wait that the service asked for. */
  rest?: { error: FoyerError; ageMs: () => number };
  /** Aborts what is under way for this session when it ends. */
  ended: AbortController;
}

/** An access token and the session it belongs to: a call never goes on as somebody else. */
export interface Bearer {
  token: string;
  session: HeldSession;
}

export function setAccess(session: HeldSession, { access_token, expires_in }: AccessAnswer): void {
  session.access = { token: access_token, ageMs: stopwatch(), lifeMs: expires_in * 1_000 };
}

/** The access token, unless it expires within the margin; a margin is at most a fifth of the token's life. */
export function freshToken({ access }: Partial<HeldSession>, marginMs = 0): string | undefined {
  return access && access.ageMs() < access.lifeMs - Math.min(marginMs, access.lifeMs / 5)
    ? access.token
    : undefined;
}

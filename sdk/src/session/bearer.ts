// The access token that a request as the signed-in user is sent with.
import type { CallOptions } from '../api.js';
import { unlessAborted } from '../http/bounded.js';
import type { ActiveSession, Core } from './core.js';
import { refusesToken } from './refresh.js';
import { renew } from './renewal.js';
import { ready } from './restore.js';
import { freshToken, refreshesOf, required } from './session.js';

/** An access token and its session, so that a retry never continues as a different user. */
export interface Bearer {
  bearer: string;
  session: ActiveSession;
}

interface BearerOptions extends Pick<CallOptions, 'signal'> {
  /** The bearer token that a response rejected; returns a newer one, refreshing if necessary. */
  refused?: Bearer;
  forceRefresh?: boolean | undefined;
}

/** Returns a valid access token of the session, renewing it if necessary. */
export async function bearerOf(core: Core, options: BearerOptions = {}): Promise<Bearer> {
  const { signal, refused, forceRefresh } = options;
  await unlessAborted(ready(core), signal);
  const session = required(core, refused ? refused.session : core.active);
  const mustRefresh = forceRefresh || (refused && refused.bearer === session.access?.bearer);
  const fresh = freshToken(session, core.options.refreshMarginMs ?? 60_000);
  if (mustRefresh || session.unsaved || !fresh) {
    // A fresh token that is not stored requires no later refresh.
    const before = mustRefresh ? session.refreshes : fresh ? -1 : refreshesOf(session);
    try {
      await unlessAborted(renew(core, session, before), signal);
    } catch (error) {
      // An early refresh may fail harmlessly, unless the new token is not stored.
      if (mustRefresh || signal?.aborted || session.unsaved || !freshToken(session)) throw error;
    }
  }
  required(core, session);
  const bearer = session.access?.bearer;
  // Another tab has just signed the same user in again.
  return bearer ? { bearer, session } : bearerOf(core, options);
}

/** Runs `send` with an access token, and once more with a newer one when that is refused. */
export async function withBearer<T>(
  core: Core,
  signal: AbortSignal | undefined,
  send: (bearer: string) => Promise<T>,
): Promise<T> {
  const refused = await bearerOf(core, { signal });
  return send(refused.bearer).catch(async (error) => {
    if (!refusesToken(error)) throw error;
    const { bearer } = await bearerOf(core, { signal, refused });
    return send(bearer);
  });
}

/** A `send` for `withBearer` that is not repeated. The next call has a newer token. */
export function sentOnce<T>(send: (bearer: string) => Promise<T>): (bearer: string) => Promise<T> {
  let result: Promise<T> | undefined;
  return (bearer) => {
    result ??= send(bearer);
    return result;
  };
}

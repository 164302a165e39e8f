// The access token that a request as the signed-in user is sent with.
import type { CallOptions } from './api.js';
import { unlessAborted } from './bounded.js';
import type { ActiveSession, Core } from './core.js';
import { refusesToken } from './refresh.js';
import { renew } from './renewal.js';
import { ready } from './restore.js';
import { freshToken, required } from './session.js';

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
  const must = mustRefresh || session.unsaved;
  if (must || !freshToken(session, core.options.refreshMarginMs ?? 60_000)) {
    try {
      await unlessAborted(renew(core, session, mustRefresh ? session.refreshes : undefined), signal);
    } catch (error) {
      // An early refresh may fail harmlessly, unless the new token is not stored.
      if (must || signal?.aborted || session.unsaved || !freshToken(session)) throw error;
    }
  }
  required(core, session);
  const bearer = session.access?.bearer;
  // Another tab has just signed the same user in again.
  return bearer ? { bearer, session } : bearerOf(core, options);
}

/** Runs `send` with an access token, and if it can be repeated, once more with a newer one when that is refused. */
export async function withBearer<T>(
  core: Core,
  signal: AbortSignal | undefined,
  send: (bearer: string) => Promise<T>,
  isRepeatable = true,
): Promise<T> {
  const refused = await bearerOf(core, { signal });
  return send(refused.bearer).catch(async (error) => {
    if (!refusesToken(error)) throw error;
    const { bearer } = await bearerOf(core, { signal, refused });
    if (!isRepeatable) throw error;
    return send(bearer);
  });
}

// Requests with retries, and requests as the signed-in user.

import type { RepeatableCallOptions } from './api.js';
import { withBearer } from './bearer.js';
import type { Core } from './core.js';
import { type FoyerError, isFoyerError } from './errors.js';
import type { Route } from './generated/routes.js';
import { send } from './http.js';
import { isDenied } from './refresh.js';
import type { RequestInput } from './request-url.js';
import { ready } from './restore.js';
import { wasDeleted, withRetries } from './retry.js';
import { merge } from './session.js';

/** As `send`, but retries idempotent requests after transient failures. */
export function sendRepeated<T>(
  core: Core,
  route: Route,
  input: RequestInput = {},
  call: RepeatableCallOptions = {},
  bearer?: string,
): Promise<T> {
  const { signal, maxRetries = core.options.maxRetries ?? 2 } = call;
  return withRetries<T>(
    core,
    (previous) =>
      send<T>(core, route, input, call, bearer).catch((error) => {
        if (isDone(route, error, previous)) return undefined as T;
        throw error;
      }),
    /^(GET|PUT|DELETE) /.test(route) ? maxRetries : 0,
    signal,
  );
}

/** Sends a request as the signed-in user: with an access token, and once more with a newer one when it is refused. */
export async function call<T, R extends Route = Route>(
  core: Core,
  route: R,
  input?: RequestInput<R>,
  options: RepeatableCallOptions = {},
): Promise<T> {
  try {
    const data = await withBearer(core, options.signal, (token) =>
      sendRepeated<T>(core, route, input, options, token),
    );
    merge(core, { online: true });
    return data;
  } catch (error) {
    if (isFoyerError(error) && /^client\/(network|timeout)/.test(error.code)) merge(core, { online: false });
    throw error;
  }
}

/**
 * Sends a request that requires no session, with an access token when there is one, which identifies the account's
 * owner.
 */
export async function callOptionalUser<T, R extends Route = Route>(
  core: Core,
  route: R,
  input?: RequestInput<R>,
  options?: RepeatableCallOptions,
): Promise<T> {
  const before = await ready(core);
  if (before.status === 'signedIn') {
    try {
      return await call(core, route, input, options);
    } catch (error) {
      const after = await ready(core);
      // Falls back to no token only when the session was revoked elsewhere. While offline the session may still be valid,
      // and a sign-out on this client aborts the call.
      const endedElsewhere =
        after.status === 'signedOut' && /^(revoked|other-context)$/.test(after.reason ?? '');
      const hasEnded = isDenied(error) || isFoyerError(error, 'client/signed-out');
      if (!hasEnded || !endedElsewhere) throw error;
    }
  }
  return sendRepeated(core, route, input, options);
}

/** A lost response to the deletion of the account: the retry finds its session revoked. */
function isDone(route: Route, error: unknown, previous: FoyerError | undefined): boolean {
  const lost = route === 'DELETE /me' && previous?.status === 0;
  return wasDeleted(route, error, previous) || (lost && isFoyerError(error, 'auth/invalid-token'));
}

// Requests with retries, and requests as the signed-in user.
import type { CallOptions, RepeatableCallOptions, SignOutReason } from '../api.js';
import { type FoyerError, isFoyerError } from '../errors.js';
import type { User } from '../generated/models.js';
import type { Route } from '../generated/routes.js';
import { unlessAborted } from '../http/bounded.js';
import type { RequestInput } from '../http/request-url.js';
import { wasDeleted, withRetries } from '../http/retry.js';
import { send } from '../http/send.js';
import { withBearer } from './bearer.js';
import type { Core } from './core.js';
import { isDenied } from './refresh.js';
import { ready } from './restore.js';
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
        if (wasDeleted(route, error, previous)) return undefined as T;
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
    if (/^client\/(network|timeout|bad)/.test((error as FoyerError).code)) merge(core, { online: false });
    throw error;
  }
}

/** As `call`, for a response with the user, which becomes that of the state. */
export async function callForUser(
  core: Core,
  route: Route,
  body: object | undefined,
  options?: CallOptions,
): Promise<User> {
  const user = await call<User>(core, route, { body }, options);
  merge(core, { user });
  return user;
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
  await unlessAborted(ready(core), options?.signal);
  if (core.active) {
    try {
      return await call(core, route, input, options);
    } catch (error) {
      // Falls back to no token only when the session was revoked elsewhere. While offline the session may still be valid,
      // and a sign-out on this client aborts the call.
      const { reason } = (await ready(core)) as { reason?: SignOutReason };
      const endedElsewhere = /revoked|other/.test(reason as string);
      const hasEnded = isDenied(error) || isFoyerError(error, 'client/signed-out');
      if (!hasEnded || !endedElsewhere) throw error;
    }
  }
  return sendRepeated(core, route, input, options);
}

// Requests as the signed-in user: with a bearer token, and retried once with a newer one when the service rejects it.

import type { ClientOptions, RepeatableCallOptions } from './api.js';
import { type FoyerError, isFoyerError } from './errors.js';
import type { Emit } from './events.js';
import type { Route } from './generated/routes.js';
import type { Send } from './http.js';
import { refusesToken } from './refresh.js';
import type { RequestInput } from './request-url.js';
import { wasDeleted, withRetries } from './retry.js';
import type { SessionStore } from './session-store.js';

export type Call = <T, R extends Route = Route>(
  route: R,
  input?: RequestInput<R>,
  options?: RepeatableCallOptions,
) => Promise<T>;

/** As `Send`, but retries idempotent requests after transient failures. */
export type SendRepeated = <T>(
  route: Route,
  input?: RequestInput,
  call?: RepeatableCallOptions,
  bearer?: string,
) => Promise<T>;

export function createSendRepeated(options: ClientOptions, send: Send, emit: Emit): SendRepeated {
  return <T>(route: Route, input: RequestInput = {}, call: RepeatableCallOptions = {}, bearer?: string) => {
    const { signal, maxRetries = options.maxRetries ?? 2 } = call;
    return withRetries<T>(
      (previous) =>
        send<T>(route, input, call, bearer).catch((error) => {
          if (isDone(route, error, previous)) return undefined as T;
          throw error;
        }),
      { maxRetries: /^(GET|PUT|DELETE) /.test(route) ? maxRetries : 0, signal, emit },
    );
  };
}

export function createCall(sessionStore: SessionStore, sendRepeated: SendRepeated): Call {
  return async <T>(route: Route, input: RequestInput = {}, call: RepeatableCallOptions = {}) => {
    const { signal } = call;
    const sendAs = (token: string) => sendRepeated<T>(route, input, call, token);
    const bearer = await sessionStore.bearer({ signal });
    try {
      const data = await sendAs(bearer.token).catch(async (error) => {
        if (!refusesToken(error)) throw error;
        return sendAs((await sessionStore.bearer({ signal, refused: bearer })).token);
      });
      sessionStore.merge({ online: true });
      return data;
    } catch (error) {
      if (isFoyerError(error) && /^client\/(network|timeout)/.test(error.code))
        sessionStore.merge({ online: false });
      throw error;
    }
  };
}

/** A lost response to the deletion of the account: the retry finds its session revoked. */
function isDone(route: Route, error: unknown, previous: FoyerError | undefined): boolean {
  const lost = route === 'DELETE /me' && previous?.status === 0;
  return wasDeleted(route, error, previous) || (lost && isFoyerError(error, 'auth/invalid-token'));
}

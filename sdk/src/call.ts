// Calls as the signed-in user: always with a bearer, and repeated once with a newer one when the service refuses it.
import type { RequestInput } from './address.js';
import type { ClientOptions, RepeatableCallOptions } from './api.js';
import { type FoyerError, isFoyerError } from './errors.js';
import type { Emit } from './events.js';
import type { Send } from './http.js';
import { withRetries } from './retry.js';
import type { Route } from './routes.js';
import type { SessionKeeper } from './session-keeper.js';

export type Call = <T, R extends Route = Route>(
  route: R,
  input?: RequestInput<R>,
  options?: RepeatableCallOptions,
) => Promise<T>;

export function createCall(options: ClientOptions, keeper: SessionKeeper, send: Send, emit: Emit): Call {
  return async <T>(route: Route, input: RequestInput = {}, call: RepeatableCallOptions = {}) => {
    const { signal } = call;
    const allowed = call.maxRetries ?? options.maxRetries ?? 2;
    const maxRetries = /^(GET|PUT|DELETE) /.test(route) ? allowed : 0;

    const sendAs = (token: string) =>
      withRetries<T>(
        (previous) =>
          send<T>(route, input, call, token).catch((error) => {
            if (isDone(route, error, previous)) return undefined as T;
            throw error;
          }),
        { maxRetries, signal, emit },
      );

    const bearer = await keeper.bearer({ signal });
    try {
      const data = await sendAs(bearer.token).catch(async (error) => {
        if (!refusesToken(error)) throw error;
        return sendAs((await keeper.bearer({ signal, refused: bearer })).token);
      });
      keeper.note({ online: true });
      return data;
    } catch (error) {
      if (isFoyerError(error, 'client/network') || isFoyerError(error, 'client/timeout')) {
        keeper.note({ online: false });
      }
      throw error;
    }
  };
}

/** The two codes, and no other 401, that a newer access token may cure. */
export function isTokenRefusal(code: unknown): code is 'auth/token-expired' | 'auth/invalid-token' {
  return code === 'auth/token-expired' || code === 'auth/invalid-token';
}

export function refusesToken(error: unknown): boolean {
  return isFoyerError(error) && isTokenRefusal(error.code);
}

/** A DELETE whose first answer was lost finds nothing the second time, and after that of the account no session. */
function isDone(route: Route, error: unknown, previous: FoyerError | undefined): boolean {
  if (!route.startsWith('DELETE') || previous?.status !== 0 || !isFoyerError(error)) return false;
  return error.status === 404 || (route === 'DELETE /me' && error.code === 'auth/invalid-token');
}

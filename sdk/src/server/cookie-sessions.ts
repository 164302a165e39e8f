// Sessions of browsers in cookies of the app's own origin: the app's backend holds the refresh token, so that scripts of
// the page never do. The service itself receives tokens and no cookies.
import type { ClientOptions } from '../api.js';
import { FoyerError } from '../errors.js';
import { requireOptions } from '../http/required-options.js';
import { withRetries } from '../http/retry.js';
import { createSender } from '../http/send.js';
import { uncached } from '../http/uncached.js';
import type { Sender } from '../session/core.js';
import { isDenied, refreshOnce } from '../session/refresh.js';
import { createEndedSessions } from './ended-sessions.js';
import { createSessionCookies, type SessionTokens } from './session-cookies.js';
import { answerRequest } from './session-requests.js';
import { newestTokens, type Sessions, tokensOf } from './session-tokens.js';
import { createTokenChains } from './token-chains.js';

export interface CookieSessionsOptions
  extends Pick<ClientOptions, 'baseUrl' | 'appKey' | 'fetch' | 'headers' | 'timeoutMs' | 'onEvent'> {
  /**
   * The origin of the app's pages, for example `https://app.example.com`. Requests from pages of any other are refused.
   * Only `localhost`, `127.0.0.1` and `[::1]` may do without https.
   */
  origin: string;
}

/** The session that the cookies of a request contain. Nothing of it is verified: the service does that with each call. */
export interface RequestSession {
  /** The user's id. */
  uid: string;
  /** For `createServerClient`; `null` when it has expired and could not be renewed. */
  accessToken: string | null;
}

export interface RenewedHeaders {
  /** The headers of the request, with the renewed cookies. */
  request: Headers;
  /** Headers to add to the response: new cookies, and that no cache may store it. Empty when no user is signed in. */
  response: Headers;
}

/** The used subset of `Headers`. */
export interface HeaderGetter {
  /** Returns the value of a header. */
  get(name: string): string | null;
}

export interface CookieSessions {
  /**
   * Answers the requests that `cookieSession` sends from the browser: sign-in, refresh and sign-out. Mount it at one path
   * and those below it, such as `/api/auth`. `clientIp` is the IP address of the browser, by which the service limits
   * sign-ins; the service accepts it when its `TRUST_PROXY` lists the IP of this backend.
   */
  handle(request: Request, clientIp?: string | null): Promise<Response>;
  /**
   * Renews the access token of a request for a page, if it is about to expire. When the service is unreachable, the
   * headers remain as they are.
   */
  renew(headers: Headers): Promise<RenewedHeaders>;
  /** The session of a request, by the headers of a `Request` or of a request of Node; `null` when signed out. */
  read(headers: HeaderGetter | { cookie?: string | undefined }): RequestSession | null;
}

/**
 * Creates the sessions of an app's backend. Create one per process: it sends one refresh at a time for each session, and
 * remembers the tokens that a browser has not received, for 60 seconds. It has no timers. Throws
 * `client/invalid-argument` when an option is malformed.
 *
 * @example
 * const sessions = createCookieSessions({ baseUrl, appKey, origin: 'https://app.example.com' });
 * export const POST = (request: Request) => sessions.handle(request); // app/api/auth/[...path]/route.ts of Next.js
 */
export function createCookieSessions(options: CookieSessionsOptions): CookieSessions {
  requireOptions(options);
  requireOrigin(options.origin);
  const { origin, appKey } = options;
  const sessions: Sessions = {
    origin,
    sender: createSender({ ...options, fetch: uncached(options.fetch) }),
    cookies: createSessionCookies(appKey, origin.startsWith('https:')),
    chains: createTokenChains(),
    ended: createEndedSessions(),
  };
  const { cookies, chains, ended, sender } = sessions;

  return {
    handle: (request, clientIp) => answerRequest(sessions, request, clientIp),
    read(headers) {
      const cookie = isGetter(headers) ? headers.get('Cookie') : headers.cookie;
      const presented = cookies.read(cookie);
      if (!presented?.uid) return null;
      const { uid, accessToken, expiresAtMs } = presented;
      return { uid, accessToken: accessToken && expiresAtMs > Date.now() ? accessToken : null };
    },
    async renew(headers) {
      const request = new Headers(headers);
      const response = new Headers();
      const presented = cookies.read(headers.get('Cookie'));
      if (!presented?.uid || ended.has(presented.sid)) return { request, response };
      response.set('Cache-Control', 'private, no-store');
      let changes: string[] = [];
      try {
        const tokens =
          newestTokens(sessions, presented) ??
          (await chains.refresh(presented, (token) => refreshForPage(sender, token)));
        if (tokens.accessToken !== presented.accessToken) changes = cookies.set(tokens);
      } catch (error) {
        if (isDenied(error)) changes = cookies.clear();
      }
      if (changes.length > 0 && !ended.has(presented.sid)) {
        request.set('Cookie', cookies.applied(headers.get('Cookie'), changes));
        for (const change of changes) response.append('Set-Cookie', change);
      }
      return { request, response };
    },
  };
}

/**
 * Sends the token once more when there is no response: it may be spent, and the service repeats the response for 30 seconds only,
 * in which the browser need not ask for another page. Requests of `cookieSession` are repeated by the page.
 */
async function refreshForPage(sender: Sender, token: string): Promise<SessionTokens> {
  const send = () => refreshOnce({ ...sender }, token);
  const isLost = ({ code }: FoyerError) => /^client\/(network|timeout)$/.test(code);
  return tokensOf(await withRetries(sender, send, 1, undefined, isLost));
}

/** Not by its class: a polyfill, or another copy of undici, has one of its own. The headers of Node may have one named `get`. */
function isGetter(headers: object): headers is HeaderGetter {
  return typeof (headers as { get?: unknown }).get === 'function';
}

function requireOrigin(origin: string): void {
  const isAllowed = /^https:|^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:|$)/.test(origin);
  // In lower case and without the default port, as browsers send it.
  try {
    if (isAllowed && new URL(origin).origin === origin) return;
  } catch {} // Not a URL.
  throw new FoyerError(
    'client/invalid-argument',
    `origin must be that of the app's pages, such as https://app.example.com, not ${origin}.`,
  );
}

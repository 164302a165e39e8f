// The browser's part of a session in cookies of the app's own origin, which the backend's `createCookieSessions` sets:
// requests that issue or end tokens go to the backend, all others to the service, and the page holds access tokens only.
// In place of the refresh token it has a handle, which begins with the id of the session.
import type { AccessTokenCache, ClientOptions } from '../api.js';
import { parsed } from '../http/json.js';
import type { ActiveSession } from '../session/core.js';
import { type TokenStorage, webStorage } from '../session/storage.js';

export interface CookieSessionOptions {
  /** Where the backend answers, on the page's own origin. Default: `/api/auth`. */
  url?: string | undefined;
  /** Replaces the platform's `fetch`. */
  fetch?: typeof fetch | undefined;
}

/** @internal The `fetch` of `cookieSession`, with the one that it passes other requests to, if given. */
export type CookieFetch = typeof fetch & { given: typeof fetch | undefined };

const routes =
  /\/api\/v2\/auth\/(sign-up|sign-in|provider-[ab]|providers\/[^/]+|email-code\/verify|passkey\/verify|second-factor(?:\/enroll\/confirm)?|token\/(?:from-v1|refresh)|sign-out(?:-all)?)$/;

/**
 * Keeps the session in cookies that the app's own backend sets, so that no script of the page can read the refresh token.
 * Requires `createCookieSessions` of `@foyer/sdk/server` in the backend.
 *
 * @example
 * const client = createClient({ baseUrl, appKey, ...cookieSession() });
 */
export function cookieSession({
  url = '/api/auth',
  fetch: given,
}: CookieSessionOptions = {}): Required<Pick<ClientOptions, 'storage' | 'fetch' | 'keepAccessToken'>> {
  let held: string | undefined;
  /** A new session has cookies before the client has stored it. */
  const arriving: Arriving = { isArriving: false };
  const keepAccessToken: AccessTokenCache = () => ({
    save({ access }: ActiveSession) {
      held = access?.bearer;
    },
    load() {
      held = undefined;
    },
    clear() {
      held = undefined;
    },
  });

  const cookieFetch: typeof fetch = async (input, init) => {
    const fetchNow = given ?? fetch;
    const route = routes.exec(String(input))?.[1];
    if (!route) return fetchNow(input, init);
    const headers = new Headers(init?.headers);
    headers.set('Content-Type', 'application/json');
    // The backend answers a page that has no access token with the one of the cookies, and any other with a newer one.
    if (route === 'token/refresh' && held) headers.set('Authorization', `Bearer ${held}`);
    const isSignIn = !/^(token\/refresh|sign-out)/.test(route);
    if (isSignIn) arriving.isArriving = true;
    const request: RequestInit = {
      ...init,
      headers,
      body: init?.body ?? '{}',
      credentials: 'same-origin',
      cache: 'no-store',
    };
    let isOk = false;
    try {
      const response = await fetchNow(`${url}/${route}`, request);
      isOk = response.ok;
      return response;
    } finally {
      if (isSignIn && !isOk) arriving.isArriving = false;
    }
  };

  return { storage: cookieStorage(arriving), fetch: Object.assign(cookieFetch, { given }), keepAccessToken };
}

/** The stored value of a session, see vault.ts. */
type Value = { d?: string | undefined; r?: string; u?: string; i?: number; n?: number };

interface Arriving {
  isArriving: boolean;
}

/** The browser's storage, where a session counts only as long as its cookie does. */
function cookieStorage(arriving: Arriving): TokenStorage {
  const inner = webStorage();
  const isOfSession = (key: string) => !key.endsWith('.out');

  /** The stored value; or that of the cookies' session if a server-rendered page signed in or the storage was cleared. */
  function current(key: string, text: string | null): string | null {
    const { d, ...stored } = parsed<Value>(text);
    const [sid, uid] = userCookie(key);
    const hasSignedOut = !sid || `${inner.get(`${key}.out`)}`.includes(sid);
    if (hasSignedOut) return d ? JSON.stringify({ d }) : null;
    if (stored.r?.startsWith(sid) || arriving.isArriving) return text;
    // Tabs recognize each other's session by the number.
    return JSON.stringify({ d, r: sid, u: uid, i: Number.parseInt(sid.slice(-10), 36), n: 0 });
  }

  return {
    ...inner,
    persistent: true,
    get(key) {
      const text = inner.get(key) as string | null;
      return isOfSession(key) ? current(key, text) : text;
    },
    set(key, value) {
      if (isOfSession(key)) {
        arriving.isArriving = false;
        if (!parsed<Value>(value).r) removeUserCookie(key);
      }
      return inner.set(key, value);
    },
    remove(key) {
      if (isOfSession(key)) removeUserCookie(key);
      return inner.remove(key);
    },
  };
}

const isSecure = () => globalThis.location?.protocol === 'https:';
const cookieName = (key: string) => `${isSecure() ? '__Host-' : ''}${key}.user`;

/** The ids of the session and of its user. */
function userCookie(key: string): string[] {
  const name = `${cookieName(key)}=`;
  const value =
    cookies()
      .find((each) => each.startsWith(name))
      ?.slice(name.length) ?? '';
  return value.split('.');
}

/** None on a server, and in a frame that is sandboxed without `allow-same-origin`: reading them throws there. */
function cookies(): string[] {
  try {
    return document.cookie.split('; ');
  } catch {
    return [];
  }
}

/** Without this cookie the backend treats the browser as signed out, even if no sign-out request reaches it. */
function removeUserCookie(key: string): void {
  const secure = isSecure() ? '; Secure' : '';
  try {
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in browsers in use, and asynchronous.
    document.cookie = `${cookieName(key)}=; Max-Age=0; Path=/; SameSite=Lax${secure}`;
  } catch {} // A sandboxed frame has no cookies, and a server no document.
}

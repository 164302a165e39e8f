// A browser with cookies and localStorage, as far as `cookieSession` uses one, in front of an app's backend.
import { onTestFinished, vi } from 'vitest';
import type { ClientOptions } from '../src/api.js';
import { createClient } from '../src/client.js';
import { cookieSession } from '../src/features/cookie-session.js';
import { webArea } from './storage-doubles.js';

/** Provides the platform of the pages that are opened, until the end of the test. */
export function cookieBrowser(origin: string, options: Pick<ClientOptions, 'baseUrl' | 'appKey'>) {
  const values = new Map<string, string>();
  const hidden = new Set<string>();
  const area = webArea();
  const stored = area.values;
  const seen: string[] = [];

  const keep = (setCookie: string) => {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(setCookie) ?? [];
    if (/; HttpOnly/.test(setCookie)) hidden.add(name);
    if (/; Max-Age=0/.test(setCookie)) values.delete(name);
    else values.set(name, value);
  };

  const browser = {
    values,
    seen,
    isOffline: false,
    losesCookies: false,
    /** The `Cookie` header that the browser sends. */
    get cookie() {
      return [...values].map(([name, value]) => `${name}=${value}`).join('; ');
    },
    /** What scripts of the page can read: cookies, localStorage and the responses of the backend. */
    get readable() {
      const readable = [...values].filter(([name]) => !hidden.has(name));
      return JSON.stringify([readable, [...stored], seen]);
    },
    /** The id of the session. */
    get sid() {
      const [, value = ''] = [...values].find(([name]) => name.endsWith('.user')) ?? [];
      return value.split('.')[0];
    },
    stored,
    async fetch(input: string | URL | Request, init: RequestInit = {}): Promise<Response> {
      if (browser.isOffline) throw new TypeError('offline');
      const url = new URL(String(input), origin);
      if (url.origin !== origin) return fetch(url, init);
      const headers = new Headers(init.headers);
      headers.set('Cookie', browser.cookie);
      headers.set('Sec-Fetch-Site', 'same-origin');
      if (init.method !== 'GET') headers.set('Origin', origin);
      const response = await fetch(url, { ...init, headers });
      if (!browser.losesCookies) response.headers.getSetCookie().forEach(keep);
      seen.push(await response.clone().text());
      return response;
    },
    /** The page of the app's backend at `/`. */
    async visit(): Promise<string> {
      return (await browser.fetch('/', { method: 'GET' })).text();
    },
    /** The client of a page that has just been loaded. */
    page(given: Partial<ClientOptions> = {}) {
      const client = createClient({ ...options, ...cookieSession({ fetch: browser.fetch }), ...given });
      onTestFinished(() => client.dispose());
      return client;
    },
  };

  vi.stubGlobal('document', {
    get cookie() {
      return [...values]
        .flatMap(([name, value]) => (hidden.has(name) ? [] : [`${name}=${value}`]))
        .join('; ');
    },
    set cookie(setCookie: string) {
      keep(setCookie);
    },
  });
  vi.stubGlobal('localStorage', area);
  onTestFinished(() => {
    vi.unstubAllGlobals();
  });
  return browser;
}

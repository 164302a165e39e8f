// What the storage of `cookieSession` reads and writes: the cookie that scripts of the page can read, and localStorage.
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { cookieSession } from '../src/features/cookie-session.js';
import { webArea } from './storage-doubles.js';

const key = 'foyer.pk';
const sid = '01JC4Q7M0RZ9X2V5T8W3Y6K1ND';

/** The storage in a page at the protocol, whose browser has the cookie; and what the page writes to `document.cookie`. */
function page(protocol: string, cookie: string) {
  const written: string[] = [];
  vi.stubGlobal('location', { protocol });
  vi.stubGlobal('localStorage', webArea());
  vi.stubGlobal('document', {
    get cookie() {
      return `theme=dark; ${cookie}`;
    },
    set cookie(setCookie: string) {
      written.push(setCookie);
    },
  });
  onTestFinished(() => void vi.unstubAllGlobals());
  return { storage: cookieSession().storage!, written };
}

const sessionIn = (value: unknown) => JSON.parse((value as string | null) ?? '{}').r;

describe.each([
  ['https:', '__Host-foyer.pk.user', '; Secure'],
  ['http:', 'foyer.pk.user', ''],
])('at %s', (protocol, name, secure) => {
  const ended = `${name}=; Max-Age=0; Path=/; SameSite=Lax${secure}`;

  test('the session is that of the cookie which the backend sets there', () => {
    const { storage } = page(protocol, `${name}=${sid}.uid`);
    // Every tab takes the same number for the session from its id.
    const i = Number.parseInt('T8W3Y6K1ND', 36);
    expect(JSON.parse(storage.get(key) as string)).toEqual({ r: sid, u: 'uid', i, n: 0 });
    const [own, other] = ['foyer.pk.user', '__Host-foyer.pk.user'];
    const elsewhere = page(protocol, `${name === own ? other : own}=${sid}.uid`);
    expect(elsewhere.storage.get(key)).toBeNull();
  });

  test('the end of the session removes its cookie, and the end of what is yet to be signed out does not', () => {
    const { storage, written } = page(protocol, `${name}=${sid}.uid`);
    storage.remove(`${key}.out`);
    expect(written).toEqual([]);
    storage.remove(key);
    storage.set(key, JSON.stringify({ d: 'device' }));
    expect(written).toEqual([ended, ended]);
  });

  test('a session that has signed out offline is not continued by a cookie that arrives late', () => {
    const { storage } = page(protocol, `${name}=${sid}.uid`);
    storage.set(`${key}.out`, JSON.stringify({ [`${sid}.handle`]: false }));
    expect(storage.get(key)).toBeNull();
    storage.set(`${key}.out`, JSON.stringify({ 'another.handle': false }));
    expect(sessionIn(storage.get(key))).toBe(sid);
  });
});

test('on a server, which renders the page, there is no session and no cookie to remove', () => {
  const storage = cookieSession().storage!;
  expect(storage.get(key)).toBeNull();
  expect(storage.remove(key)).toBeUndefined();
});

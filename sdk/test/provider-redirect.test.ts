// Sign-in by redirect in a browser's tab and in the browser that Expo opens, against the fake service.
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import {
  type Client,
  completeRedirect,
  createClient,
  linkInAuthSession,
  linkWithProvider,
  memoryStorage,
  reauthenticateWithProvider,
  signInByIdToken,
  signInInAuthSession,
  signInMethods,
  signInWithProvider,
} from '../src/index.js';
import { fakeService } from '../src/testing/index.js';
import { codeOf } from './harness.js';
import { newTab } from './redirect-tab.js';

const redirectUri = 'https://app.example.com/signed-in?from=contoso';
const email = 'ada@example.com';
const minute = 60_000;

let service: ReturnType<typeof fakeService>;
let tab: ReturnType<typeof newTab>;
let client: Client;
beforeEach(() => {
  service = fakeService({ providers: { contoso: { name: 'Contoso' }, fabrikam: { name: 'Fabrikam' } } });
  tab = newTab();
  client = newClient();
});
afterEach(() => void vi.unstubAllGlobals());

function newClient(): Client {
  const made = createClient({ ...service.options, storage: memoryStorage() });
  onTestFinished(() => made.dispose());
  return made;
}

/** The user signs in at the page of the provider, which is open, and returns to the app. */
const returnFromProvider = (account = { email }) => tab.assign(service.returnFromProvider(tab.href, account));
const finishes = () => service.requestsTo('POST /auth/providers/finish');

describe('a page', () => {
  test('leaves for the provider, and signs in on the way back, with a clean address', async () => {
    await signInWithProvider(client, 'contoso', { redirectUri });
    expect(tab.href).toMatch(/^https:\/\/contoso\.provider\.test\/authorize\?/);
    expect(service.users).toEqual([]);
    returnFromProvider();
    expect(await completeRedirect(client)).toMatchObject({
      purpose: 'sign-in',
      is_new_user: true,
      user: { email },
    });
    expect(tab.href).toBe(redirectUri);
    expect([...tab.values]).toEqual([]);
    expect(client.auth.state).toMatchObject({ status: 'signedIn', user: { email } });
    expect(await completeRedirect(client)).toBeNull();
  });

  test('signs in once although effects run twice', async () => {
    await signInWithProvider(client, 'contoso', { redirectUri });
    returnFromProvider();
    const [one, two] = await Promise.all([completeRedirect(client), completeRedirect(client)]);
    expect(one).toBe(two);
    expect(finishes()).toHaveLength(1);
  });

  test('that was not opened by a provider does nothing, and keeps its parameters', async () => {
    for (const search of ['', '?code=402718&error=gone', '?error=auth/user-cancelled']) {
      const href = `https://app.example.com/${search}`;
      tab.href = href;
      expect(await completeRedirect(client)).toBeNull();
      expect(tab.href).toBe(href);
    }
  });

  test.each([
    ['https://a.example/', '#/signed-in'],
    ['https://a.example/?b=%20c', ''],
    ['https://a.example/?b=%20c', '&d=e'],
    ['https://a.example/?', ''],
  ])('at %s and %s has its own address afterwards', async (own, hash) => {
    await signInWithProvider(client, 'contoso', { redirectUri: own });
    returnFromProvider();
    tab.href += hash;
    await completeRedirect(client);
    expect(tab.href.replace('?#', '#').replace(/\?$/, '')).toBe(own.replace(/\?$/, '') + hash);
  });

  test('in another tab than the one that began is refused without a request, with a clean address', async () => {
    await signInWithProvider(client, 'contoso', { redirectUri });
    const returned = service.returnFromProvider(tab.href, { email });
    tab = newTab();
    tab.href = returned;
    expect(await codeOf(completeRedirect(client))).toBe('auth/invalid-credential');
    expect(tab.href).toBe(redirectUri);
    expect(finishes()).toEqual([]);
  });

  test.each(['blocks the storage of the page', 'has no storage'])(
    'in a browser that %s does nothing, unless a code came back',
    async (what) => {
      vi.stubGlobal('sessionStorage', null);
      if (what.startsWith('blocks')) {
        Object.defineProperty(globalThis, 'sessionStorage', {
          configurable: true,
          get() {
            throw new DOMException('The operation is insecure.', 'SecurityError');
          },
        });
      }
      tab.href = 'https://app.example.com/';
      expect(await completeRedirect(client)).toBeNull();
      tab.href = `${redirectUri}&code=pc_of-another-tab`;
      expect(await codeOf(completeRedirect(client))).toBe('auth/invalid-credential');
      expect(tab.href).toBe(redirectUri);
      expect(finishes()).toEqual([]);
    },
  );

  test('that got the code of another sign-in is refused by the service', async () => {
    await signInWithProvider(client, 'contoso', { redirectUri });
    const ofAttacker = tab.href;
    await signInWithProvider(client, 'contoso', { redirectUri });
    tab.href = service.returnFromProvider(ofAttacker, { email: 'eve@example.com' });
    expect(await codeOf(completeRedirect(client))).toBe('auth/invalid-credential');
    expect(client.auth.state.status).not.toBe('signedIn');
  });

  test('that is too late is refused', async () => {
    await signInWithProvider(client, 'contoso', { redirectUri });
    returnFromProvider();
    service.advance(minute);
    expect(await codeOf(completeRedirect(client))).toBe('auth/invalid-credential');
  });

  test('of a user who declined rejects with that, with a clean address', async () => {
    await signInWithProvider(client, 'contoso', { redirectUri });
    tab.href = service.cancelAtProvider(tab.href);
    expect(await codeOf(completeRedirect(client))).toBe('auth/user-cancelled');
    expect(tab.href).toBe(redirectUri);
    expect(await completeRedirect(client)).toBeNull();
  });

  test('stays where it is when the provider is unknown or the tab cannot store', async () => {
    const { href } = tab;
    const unknown = signInWithProvider(client, 'unknown', { redirectUri });
    expect(await codeOf(unknown)).toBe('auth/no-such-provider');
    vi.stubGlobal('sessionStorage', undefined);
    const full = signInWithProvider(client, 'contoso', { redirectUri });
    expect(await codeOf(full)).toBe('client/storage-unavailable');
    expect(tab.href).toBe(href);
  });

  test('links a provider, and reauthenticates with it', async () => {
    await client.auth.signUp({ email, password: 'correct horse' });
    await linkWithProvider(client, 'contoso', { redirectUri });
    returnFromProvider({ email: 'ada@contoso.example' });
    expect(await completeRedirect(client)).toMatchObject({
      purpose: 'link',
      identity: { provider: 'contoso', email: 'ada@contoso.example' },
    });
    service.advance(10 * minute);
    expect(await codeOf(client.me.unlinkIdentity('contoso'))).toBe('auth/requires-recent-login');
    await reauthenticateWithProvider(client, 'contoso', { redirectUri });
    returnFromProvider({ email: 'ada@contoso.example' });
    expect(await completeRedirect(client)).toEqual({ purpose: 'reauthenticate' });
    await client.me.unlinkIdentity('contoso');
    expect((await client.me.identities()).items).toEqual([]);
  });

  test.each([
    ['a link', linkWithProvider],
    ['a reauthentication', reauthenticateWithProvider],
  ])("%s that another user's session comes back to is refused without a request", async (_, leave) => {
    await client.auth.signUp({ email, password: 'correct horse' });
    await leave(client, 'contoso', { redirectUri });
    returnFromProvider({ email: 'ada@contoso.example' });
    // As in another tab.
    await client.auth.signUp({ email: 'bob@example.com', password: 'correct horse' });
    const before = service.requests.length;
    expect(await codeOf(completeRedirect(client))).toBe('client/signed-out');
    expect(tab.href).toBe(redirectUri);
    expect(service.requests.slice(before)).toEqual([]);
  });
});

test('GitHub signs in by redirect, and never with an ID token', async () => {
  service = fakeService({ providers: { github: { name: 'GitHub', kind: 'github' } } });
  client = newClient();
  const { providers } = await signInMethods(client);
  expect(providers.at(-1)).toMatchObject({ id: 'github', kind: 'github', redirect: true });
  const nonce = 'a nonce';
  const id_token = service.idToken('github', { nonce, email });
  const byToken = signInByIdToken(client, 'github', { id_token, nonce });
  expect(await codeOf(byToken)).toBe('auth/operation-not-allowed');
  await signInWithProvider(client, 'github', { redirectUri });
  returnFromProvider();
  expect(await completeRedirect(client)).toMatchObject({ purpose: 'sign-in', user: { email } });
  const linking = client.me.linkIdentity('github', { id_token, nonce });
  expect(await codeOf(linking)).toBe('auth/operation-not-allowed');
});

describe('an app', () => {
  const uri = 'com.example.app:/signed-in';
  const closing = (result: (url: string) => { type: string; url?: string }) => ({
    redirectUri: uri,
    openAuthSessionAsync: vi.fn(async (url: string, back: string) => {
      expect(back).toBe(uri);
      return result(url);
    }),
  });
  const returning = (account = { email }) =>
    closing((url) => ({ type: 'success', url: service.returnFromProvider(url, account) }));

  test('signs in in the browser over it, and stores nothing in the meantime', async () => {
    vi.stubGlobal('sessionStorage', undefined);
    const session = await signInInAuthSession(client, 'contoso', returning());
    expect(session).toMatchObject({ is_new_user: true, user: { email } });
    expect(client.auth.state).toMatchObject({ status: 'signedIn' });
  });

  test('links a provider in the browser over it', async () => {
    await client.auth.signUp({ email, password: 'correct horse' });
    expect(await linkInAuthSession(client, 'fabrikam', returning())).toMatchObject({ provider: 'fabrikam' });
    expect(
      await linkInAuthSession(
        client,
        'contoso',
        closing(() => ({ type: 'dismiss' })),
      ),
    ).toBeNull();
  });

  test('gets null when the user closes the browser, and an error when the user declines', async () => {
    expect(
      await signInInAuthSession(
        client,
        'contoso',
        closing(() => ({ type: 'cancel' })),
      ),
    ).toBeNull();
    // As its types permit.
    const empty = closing(() => ({ type: 'success' }));
    expect(await signInInAuthSession(client, 'contoso', empty)).toBeNull();
    const declined = closing((url) => ({ type: 'success', url: service.cancelAtProvider(url) }));
    expect(await codeOf(signInInAuthSession(client, 'contoso', declined))).toBe('auth/user-cancelled');
    const other = closing(() => ({ type: 'success', url: `${uri}?error=javascript:alert(1)` }));
    expect(await codeOf(signInInAuthSession(client, 'contoso', other))).toBe('auth/invalid-credential');
    expect(finishes()).toEqual([]);
  });

  test('without a secure random source needs one from the app', async () => {
    vi.stubGlobal('crypto', undefined);
    const begun = signInInAuthSession(client, 'contoso', returning());
    expect(await codeOf(begun)).toBe('client/invalid-argument');
    const randomBytes = (length: number) => new Uint8Array(length).fill(7);
    const session = await signInInAuthSession(client, 'contoso', { ...returning(), randomBytes });
    expect(session?.user.email).toBe(email);
  });
});

test('the challenge is the SHA-256 of the verifier in base64url, as the standard says', async () => {
  await signInWithProvider(client, 'contoso', { redirectUri });
  const [request] = service.requestsTo('POST /auth/providers/:provider/authorize');
  const { code_challenge } = request!.body as { code_challenge: string };
  const [stored = ''] = [...tab.values.values()];
  const { verifier } = JSON.parse(stored) as { verifier: string };
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
  expect(code_challenge).toBe(Buffer.from(digest).toString('base64url'));
});

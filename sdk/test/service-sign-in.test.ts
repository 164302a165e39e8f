// Sign-in by link and provider against the real service. By password reset: examples/03-password-reset.ts.
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { clients, providerScenario } from '../../server/test/provider-scenario.js';
import { shared } from '../../server/test/shared.js';
import { createNonce } from '../src/features/nonce.js';
import { codeOf } from './harness.js';
import { newClient as newClientAt, password, signedUp as signedUpAt } from './service-client.js';

const minuteMs = 60_000;
const _newPassword = 'a new password of mine';
const deepLink = 'https://app.example.com/sign-in?lang=en';

const scenario = shared(providerScenario);
beforeAll(() => scenario.set({ deep_link: deepLink }));

const newClient = () => newClientAt(scenario.service);
const signedUp = () => signedUpAt(scenario.service);
const newEmail = () => `ada+${randomUUID()}@example.com`;

async function newestMail(email: string) {
  const [mail] = await scenario.service.mailbox(email);
  if (!mail) throw new Error(`nothing was mailed to ${email}`);
  return mail;
}

async function codeFor(email: string): Promise<string> {
  return String((await newestMail(email)).code);
}

/** What the provider's own SDK returns after its sign-in. */
async function fromProviderA(person: string, claims: object = {}) {
  const { raw: nonce } = await createNonce();
  const email = `${person}@example.com`;
  const id_token = await scenario.a.idToken({ claims: { sub: person, email, nonce, ...claims } });
  return { id_token, nonce };
}

async function fromProviderB(person: string) {
  const nonce = await createNonce();
  const claims = { sub: person, email: `${person}@example.com`, nonce: nonce.sha256 };
  const identity_token = await scenario.b.idToken({ claims });
  const authorization_code = scenario.b.code(person, clients.bundle);
  return { identity_token, authorization_code, nonce: nonce.raw };
}

describe('a magic link', () => {
  test('opens the app from the email: first a new account, then the same one', async () => {
    const email = newEmail();
    const client = newClient();
    expect(await client.auth.emailCode.send(email)).toEqual({ expires_in: 600 });
    const { link } = await newestMail(email);
    expect(link).toContain(`${deepLink}&mode=sign_in`);
    const fromLink = client.auth.emailCode.parseLink(link);
    expect(fromLink).toEqual({ email, code: expect.any(String) });
    const { user } = await client.auth.emailCode.verify({ ...fromLink!, first_name: 'Ada' });
    expect(user).toMatchObject({ email, email_verified: true, first_name: 'Ada' });

    await scenario.service.advance(minuteMs);
    await client.auth.emailCode.send(email);
    const again = newClient();
    const { user: same } = await again.auth.emailCode.verify({ email, code: await codeFor(email) });
    expect(same).toEqual(user);
    const methods = (await again.me.sessions()).items.map(({ method }) => method);
    expect(methods).toEqual(['email_code', 'email_code']);
  });

  test('preserves the password when used in a session; otherwise it removes an unverified one', async () => {
    const own = await signedUp();
    await own.client.auth.emailCode.send(own.email);
    await own.client.auth.emailCode.verify({ email: own.email, code: await codeFor(own.email) });
    await newClient().auth.signIn({ email: own.email, password });

    const planted = await signedUp();
    const owner = newClient();
    await owner.auth.emailCode.send(planted.email);
    await owner.auth.emailCode.verify({ email: planted.email, code: await codeFor(planted.email) });
    const signIn = newClient().auth.signIn({ email: planted.email, password });
    expect(await codeOf(signIn)).toBe('auth/invalid-credential');
    expect(await codeOf(planted.client.me.get())).toBe('auth/refresh-token-revoked');
  });
});

test('an emailed code whose response was lost is used up, and a new one signs in to the same account', async () => {
  const email = newEmail();
  const lossy = newClientAt(scenario.service, {
    fetch: async (...request) => {
      const response = await fetch(...request);
      if (String(request[0]).endsWith('/verify')) throw new TypeError('the connection was lost');
      return response;
    },
  });
  await lossy.auth.emailCode.send(email);
  const code = await codeFor(email);
  expect(await codeOf(lossy.auth.emailCode.verify({ email, code }))).toBe('client/network');
  // The page is reloaded: a new client, which knows neither the attempt nor who asked for the code.
  const reloaded = newClient();
  expect(await codeOf(reloaded.auth.emailCode.verify({ email, code }))).toBe('auth/invalid-code');
  await scenario.service.advance(minuteMs);
  await reloaded.auth.emailCode.send(email);
  await reloaded.auth.emailCode.verify({ email, code: await codeFor(email) });
  const sessions = (await reloaded.me.sessions()).items;
  expect(sessions.map(({ current }) => current)).toEqual([true, false]);
});

describe('a provider', () => {
  test('A signs in, creates the account once, and its nonce is checked', async () => {
    const client = newClient();
    const person = randomUUID();
    const first = await client.auth.signInWithProviderA(await fromProviderA(person));
    expect(first).toEqual({ is_new_user: true, user: expect.objectContaining({ email_verified: true }) });
    await client.auth.signOut();
    const second = await client.auth.signInWithProviderA(await fromProviderA(person));
    expect(second).toEqual({ user: first.user, is_new_user: false });
    const proof = { ...(await fromProviderA(person)), nonce: (await createNonce()).raw };
    expect(await codeOf(newClient().auth.signInWithProviderA(proof))).toBe('auth/invalid-credential');
  });

  test('B signs in with the hashed nonce, and the names of its first response', async () => {
    const person = randomUUID();
    const client = newClient();
    const { user } = await client.auth.signInWithProviderB({
      ...(await fromProviderB(person)),
      first_name: 'Ada',
      last_name: undefined,
    });
    expect(user).toMatchObject({ first_name: 'Ada', last_name: null, email_verified: true });
    const again = await newClient().auth.signInWithProviderB(await fromProviderB(person));
    expect(again).toEqual({ user });
  });

  test('is linked after the 409 of an unverified email, listed, and unlinked', async () => {
    const person = randomUUID();
    const email = `${person}@example.com`;
    const client = newClient();
    await client.auth.signUp({ email, password });
    const stranger = newClient();
    const refused = stranger.auth.signInWithProviderA(await fromProviderA(person));
    expect(await codeOf(refused)).toBe('auth/account-exists-with-different-credential');
    expect(stranger.auth.state).toEqual({ status: 'signedOut' });

    const linked = await client.me.linkIdentity('provider-a', await fromProviderA(person));
    expect(linked).toMatchObject({ provider: 'provider-a', email });
    const twice = client.me.linkIdentity('provider-a', await fromProviderA(person));
    expect(await codeOf(twice)).toBe('auth/provider-already-linked');
    await client.me.linkIdentity('provider-b', await fromProviderB(person));
    const providers = (await client.me.identities()).items.map(({ provider }) => provider);
    expect(providers).toEqual(['provider-a', 'provider-b']);
    const { user } = await newClient().auth.signInWithProviderA(await fromProviderA(person));
    expect(user.email).toBe(email);

    await client.me.unlinkIdentity('provider-b');
    expect(await client.me.identities()).toMatchObject({ items: [linked], next_cursor: null });
    expect(await codeOf(client.me.unlinkIdentity('provider-b'))).toBe('auth/no-such-provider');
  });
});

// The passkeys of a user: adding, listing, renaming and removing them; and the setting that allows them.
import { limits, type ProviderCheck } from '@foyer/contract';
import { describe, expect, test } from 'vitest';
import { ForbiddenUrlError } from '../../engines/safe-fetch/index.js';
import { codeScenario, newEmail } from '../../test/code-scenario.js';
import { testService } from '../../test/harness.js';
import {
  type Claims,
  flag,
  forged,
  forgedRegistration,
  newAuthenticator,
  passkeyScenario,
  passkeys,
  withRsaKey,
} from '../../test/passkey-scenario.js';
import { shared } from '../../test/shared.js';
import { userHandleOf } from './user-handle.js';

const refused = { status: 401, code: 'auth/invalid-credential' };
const invalid = { status: 422, code: 'request/validation-failed' };

/** What the host of the relying party answers, by path; an error for a host that is not reached. */
const files = new Map<string, { status: number; body: string } | Error>();
const service = shared(async () => {
  const started = await testService({
    overrides: {
      ssrfSafeFetch: {
        requireAllowed: async () => {},
        send: async (url, { timeoutMilliseconds, maxAnswerBytes }) => {
          expect({ timeoutMilliseconds, maxAnswerBytes }).toEqual({
            timeoutMilliseconds: 5_000,
            maxAnswerBytes: 131_072,
          });
          const file = files.get(url) ?? { status: 404, body: '' };
          if (file instanceof Error) throw file;
          const { status, body } = file;
          return { status, headers: {}, body: Buffer.from(body) };
        },
        close: async () => {},
      },
    },
  });
  await passkeyScenario(() => started).enable();
  return started;
});
const scenario = passkeyScenario(() => service);
const codes = codeScenario(() => service);
const eventsOf = async (uid: string) =>
  (
    await service.database.prisma.event.findMany({
      where: { uid, type: { startsWith: 'user.passkey' } },
      orderBy: { id: 'asc' },
    })
  ).map(({ type, data }) => [type, (data as { reason?: string }).reason]);

describe('adding a passkey', () => {
  test('gives it a name, notifies the user, and is in the events and the audit log', async () => {
    const { user, passkey, credential } = await scenario.userWithPasskey({
      aaguid: new Uint8Array(Buffer.from('bada5566a7aa401fbd9645619a55120d', 'hex')) as never,
    });
    expect(passkey).toMatchObject({
      name: '1Password',
      provider_name: '1Password',
      backed_up: true,
      last_used_at: null,
    });
    const token = user.tokens.access_token;
    const { data } = await scenario.creationOptions(token);
    expect(data.public_key).toMatchObject({
      rp: { id: 'example.com', name: 'Example' },
      user: { name: user.email, displayName: user.email },
      excludeCredentials: [{ id: credential.id, type: 'public-key' }],
      attestation: 'none',
      // EdDSA, ES256 and RS256.
      pubKeyCredParams: [-8, -7, -257].map((alg) => ({ type: 'public-key', alg })),
      timeout: 300_000,
    });
    expect(data.public_key.user.id).toBe(userHandleOf({ appId: service.app.app.id, uid: user.uid }));
    const named = await scenario.add(token, newAuthenticator().create(data), '  Mein Schlüssel ');
    expect(named.data).toMatchObject({ name: 'Mein Schlüssel', provider_name: null });
    expect((await scenario.list(token)).map(({ name }) => name)).toEqual(['Mein Schlüssel', '1Password']);
    expect(await eventsOf(user.uid)).toHaveLength(2);
    const subjects = (await service.mailbox(user.email)).map(({ subject }) => subject);
    expect(subjects.filter((subject) => subject.startsWith('A passkey was added'))).toHaveLength(2);
    const entries = await service.auditEntries({ action: 'passkey.added', uid: user.uid });
    expect(entries.map(({ details }) => details)).toEqual([
      { passkey: passkey.id },
      { passkey: named.data.id },
    ]);
  });

  test.each<[name: string, reason: string, claims: Claims]>([
    ['another origin', 'wrong-origin', { clientData: { origin: 'https://evil.example' } }],
    ['the type of a sign-in', 'wrong-type', { clientData: { type: 'webauthn.get' } }],
    ['an embedded page', 'cross-origin', { clientData: { crossOrigin: true } }],
    ['another relying party', 'wrong-rp-id', { rpId: 'evil.example' }],
    ['no user presence', 'no-user-presence', { flags: flag.userVerified }],
    ['a challenge that nobody made', 'wrong-challenge', { clientData: { challenge: 'AAAA' } }],
  ])('is refused for %s', async (_name, reason, claims) => {
    const { uid, tokens } = await service.signUp();
    const { data } = await scenario.creationOptions(tokens.access_token);
    const credential = forgedRegistration(newAuthenticator().create(data), claims);
    expect(await scenario.add(tokens.access_token, credential)).toMatchObject(refused);
    const [entry] = await service.auditEntries({ action: 'passkey.add_failed', uid });
    expect(entry?.details).toMatchObject({ passkey: reason });
    expect(await scenario.list(tokens.access_token)).toEqual([]);
  });

  test('can be added and used on the page of the service, at its own origin', async () => {
    const { tokens } = await service.signUp();
    const claims = { clientData: { origin: service.deps.config.baseUrl } };
    const { device } = await scenario.register(tokens.access_token, { claims });
    const assertion = forged(device, await scenario.assertion(device), claims);
    expect((await scenario.signIn(assertion)).status).toBe(200);
  });

  test('needs the challenge of the same user and session, unused, within five minutes', async () => {
    const user = await service.signUp();
    const token = user.tokens.access_token;
    const challenge = async (of: string) => (await scenario.creationOptions(of)).data;
    const stranger = (await service.signUp()).tokens.access_token;
    const elsewhere = (await service.signIn(user)).data.access_token;
    for (const of of [stranger, elsewhere]) {
      const credential = newAuthenticator().create(await challenge(of));
      expect(await scenario.add(token, credential)).toMatchObject(refused);
    }
    const { data } = await scenario.options();
    const signIn = { challenge: data.public_key.challenge };
    const forSignIn = forgedRegistration(newAuthenticator().create(await challenge(token)), {
      clientData: signIn,
    });
    expect(await scenario.add(token, forSignIn)).toMatchObject(refused);

    const once = await challenge(token);
    expect((await scenario.add(token, newAuthenticator().create(once))).status).toBe(201);
    expect(await scenario.add(token, newAuthenticator().create(once))).toMatchObject(refused);
    const late = await challenge(token);
    service.clock.advance(limits.passkeyChallengeSeconds * 1_000 + 1_000);
    const renewed = await codes.reauthenticate(token, { password: user.password });
    expect(renewed.status).toBe(200);
    expect(await scenario.add(token, newAuthenticator().create(late))).toMatchObject(refused);
  });

  test('stores a public key of at most 1,200 bytes', async () => {
    const { tokens } = await service.signUp();
    const add = async (keyBytes: number) => {
      const { data } = await scenario.creationOptions(tokens.access_token);
      const credential = withRsaKey(newAuthenticator().create(data), keyBytes);
      return scenario.add(tokens.access_token, credential);
    };
    expect((await add(1_200)).status).toBe(201);
    expect(await add(1_201)).toMatchObject(refused);
  });

  test('is refused for a passkey that any user has, and leaves it to that user', async () => {
    const { user, credential, device } = await scenario.userWithPasskey();
    for (const { tokens } of [user, await service.signUp()]) {
      const { data } = await scenario.creationOptions(tokens.access_token);
      const again = forgedRegistration(credential, { clientData: { challenge: data.public_key.challenge } });
      const answer = await scenario.add(tokens.access_token, again);
      expect(answer).toMatchObject({ status: 409, code: 'auth/passkey-already-registered' });
    }
    const { data } = await scenario.signIn(await scenario.assertion(device));
    expect(data.user.uid).toBe(user.uid);
  });

  test(`stops at ${limits.passkeysPerUser} passkeys, also in parallel`, async () => {
    const { access_token: token } = (await service.signUp()).tokens;
    for (let count = 1; count < limits.passkeysPerUser; count += 1) await scenario.register(token);
    const waiting = await Promise.all([1, 2, 3].map(() => scenario.creationOptions(token)));
    const answers = await Promise.all(
      waiting.map(({ data }) => scenario.add(token, newAuthenticator().create(data))),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    expect((await scenario.creationOptions(token)).code).toBe('auth/too-many-passkeys');
    expect(await scenario.list(token)).toHaveLength(limits.passkeysPerUser);
  });
});

test('the list of passkeys has pages, the newest first, for the user and for the team', async () => {
  const { user } = await scenario.userWithPasskey();
  const { access_token: token } = user.tokens;
  for (let more = 0; more < 2; more += 1) await scenario.register(token);
  const ids = (await scenario.list(token)).map(({ id }) => id);
  expect(ids).toHaveLength(3);
  type List = { items: { id: string }[]; next_cursor: string | null };
  for (const [path, bearer] of [
    ['/me/passkeys', token],
    [`/admin/users/${user.uid}/passkeys`, service.app.secretKey],
  ] as const) {
    const page = async (query: string) =>
      (await service.call<List>('GET', `${path}?${query}`, { token: bearer })).data;
    const first = await page('limit=2');
    const last = await page(`limit=2&cursor=${first.next_cursor}`);
    expect([first, last].map(({ items }) => items.map(({ id }) => id))).toEqual([
      ids.slice(0, 2),
      ids.slice(2),
    ]);
    expect(last.next_cursor).toBeNull();
  }
});

describe('a passkey', () => {
  test('is renamed by its user alone', async () => {
    const { user, passkey } = await scenario.userWithPasskey();
    const stranger = await service.signUp();
    const missing = { status: 404, code: 'auth/passkey-not-found' };
    expect(await scenario.rename(stranger.tokens.access_token, passkey.id, 'Mine')).toMatchObject(missing);
    expect(await scenario.rename(user.tokens.access_token, passkey.id, ' ')).toMatchObject(invalid);
    const renamed = await scenario.rename(user.tokens.access_token, passkey.id, 'Work');
    expect(renamed.data).toEqual({ ...passkey, name: 'Work' });
  });

  test('is removed by its user, who is told, with what remains for the browser', async () => {
    const { user, passkey } = await scenario.userWithPasskey();
    const token = user.tokens.access_token;
    const { credential } = await scenario.register(token);
    const stranger = await service.signUp();
    expect((await scenario.remove(stranger.tokens.access_token, passkey.id)).status).toBe(404);
    const { status, data } = await scenario.remove(token, passkey.id);
    expect({ status, data }).toEqual({
      status: 200,
      data: {
        rp_id: 'example.com',
        user_id: userHandleOf({ appId: service.app.app.id, uid: user.uid }),
        credential_ids: [credential.id],
      },
    });
    expect((await scenario.remove(token, passkey.id)).status).toBe(404);
    expect((await eventsOf(user.uid)).at(-1)).toEqual(['user.passkey_removed', 'self']);
    const subjects = (await service.mailbox(user.email)).map(({ subject }) => subject);
    expect(subjects).toContainEqual(expect.stringMatching(/^A passkey was removed from/));
  });

  test('is removed by the backend of the app, for a user who lost it', async () => {
    const { user, passkey, device } = await scenario.userWithPasskey();
    const token = service.app.secretKey;
    const path = `/admin/users/${user.uid}/passkeys`;
    const listed = await service.call<{ items: object[] }>('GET', path, { token });
    expect(listed.data.items).toEqual([passkey]);
    expect((await service.call('DELETE', `${path}/${passkey.id}`, { token })).status).toBe(204);
    expect((await service.call('DELETE', `${path}/${passkey.id}`, { token })).code).toBe(
      'auth/passkey-not-found',
    );
    expect(await scenario.signIn(await scenario.assertion(device))).toMatchObject(refused);
    expect((await eventsOf(user.uid)).at(-1)).toEqual(['user.passkey_removed', 'admin']);
    const [entry] = await service.auditEntries({ action: 'passkey.removed', uid: user.uid });
    expect(entry?.actor).toMatch(/^secret_key:/);
  });

  test('that is the last way in can be removed only while the email is verified', async () => {
    const { access_token: token, user } = await codes.signInByCode(newEmail());
    const { passkey } = await scenario.register(token);
    const verified = (email_verified: boolean) =>
      service.call('PATCH', `/admin/users/${user.uid}`, {
        token: service.app.secretKey,
        body: { email_verified },
      });
    await verified(false);
    const refusedLast = { status: 409, code: 'auth/last-sign-in-method' };
    expect(await scenario.remove(token, passkey.id)).toMatchObject(refusedLast);
    expect(await scenario.list(token)).toHaveLength(1);
    await verified(true);
    expect((await scenario.remove(token, passkey.id)).status).toBe(200);
  });

  test('can be removed by a user who signs in with a provider, though the email is not verified', async () => {
    const { access_token: token, user } = await codes.signInByCode(newEmail());
    const { passkey } = await scenario.register(token);
    const { uid, email } = user;
    const linkedAt = service.clock.now();
    await service.database.prisma.identity.create({
      data: {
        ...{ appId: service.app.app.id, provider: 'provider-a', subject: uid, uid, email },
        ...{ clientId: 'web', linkedAt, userCreatedAt: linkedAt },
      },
    });
    await service.database.prisma.user.updateMany({ where: { id: uid }, data: { emailVerified: false } });
    expect((await scenario.remove(token, passkey.id)).status).toBe(200);
    expect(await scenario.list(token)).toEqual([]);
  });

  test('that was added before the email was proven goes with the first emailed code', async () => {
    const { user: squatter, device } = await scenario.userWithPasskey();
    const owner = await codes.signInByCode(squatter.email);
    expect(owner.user.uid).toBe(squatter.uid);
    expect(await scenario.list(owner.access_token)).toEqual([]);
    expect(await scenario.signIn(await scenario.assertion(device))).toMatchObject(refused);
    expect((await eventsOf(squatter.uid)).at(-1)).toEqual(['user.passkey_removed', 'unproven']);
    const [entry] = await service.auditEntries({ action: 'user.unproven_removed', uid: squatter.uid });
    expect(entry?.details).toMatchObject({ passkeys: 1 });
  });
});

describe('the setting', () => {
  const set = (change: object) =>
    service.call('PATCH', '/admin/settings', {
      token: service.app.secretKey,
      body: { passkeys: { ...passkeys, ...change } },
    });
  const hash = 'A'.repeat(43);

  test.each<[string, object]>([
    ['a public suffix', { rp_id: 'co.uk', origins: ['https://example.co.uk'] }],
    ['a public suffix of a hoster', { rp_id: 'github.io', origins: ['https://ada.github.io'] }],
    ['a top-level domain', { rp_id: 'com', origins: ['https://example.com'] }],
    ['an IP address', { rp_id: '192.0.2.1', origins: ['https://192.0.2.1'] }],
    ['a URL', { rp_id: 'https://example.com' }],
    ['an origin elsewhere', { origins: ['https://evil.example'] }],
    ['an origin that only ends alike', { origins: ['https://notexample.com'] }],
    ['http', { origins: ['http://app.example.com'] }],
    ['a path', { origins: ['https://app.example.com/sign-in'] }],
    ['a star', { origins: ['https://*.example.com'] }],
    ['no origin', { origins: [] }],
    ['a certificate that is no SHA-256', { origins: ['android:apk-key-hash:AAAA'] }],
  ])('refuses %s', async (_name, change) => {
    expect(await set(change)).toMatchObject(invalid);
  });

  test.each<[string, object]>([
    ['the host itself', { rp_id: 'app.example.com', origins: ['https://app.example.com'] }],
    ['localhost', { rp_id: 'localhost', origins: ['http://localhost:3000'] }],
    ['an Android app', { origins: [`android:apk-key-hash:${hash}`] }],
    ['a domain below the suffix of a hoster', { rp_id: 'ada.github.io', origins: ['https://ada.github.io'] }],
    ['another spelling', { rp_id: ' Example.COM ', origins: ['https://APP.example.com/'] }],
  ])('accepts %s', async (_name, change) => {
    expect((await set(change)).status).toBe(200);
    await scenario.enable();
  });

  test('is checked against the files of its host', async () => {
    await set({ origins: [`android:apk-key-hash:${hash}`] });
    const check = async () =>
      (
        await service.call<{ steps: { name: string; status: string }[] }>(
          'POST',
          '/admin/settings/check-passkeys',
          {
            token: service.app.secretKey,
          },
        )
      ).data.steps.map(({ name, status }) => [name, status]);
    const own = ['Settings', 'passed'];
    expect(await check()).toEqual([own, ['Apple apps', 'failed'], ['Android apps', 'failed']]);
    const at = (path: string, json: unknown) =>
      files.set(`https://example.com/.well-known/${path}`, { status: 200, body: JSON.stringify(json) });
    at('apple-app-site-association', { webcredentials: { apps: ['ABCDE12345.com.example.app'] } });
    const target = { namespace: 'android_app', sha256_cert_fingerprints: [Array(32).fill('00').join(':')] };
    at('assetlinks.json', [{ relation: ['delegate_permission/common.get_login_creds'], target }]);
    expect(await check()).toEqual([own, ['Apple apps', 'passed'], ['Android apps', 'passed']]);
    at('assetlinks.json', [{ relation: ['delegate_permission/common.handle_all_urls'], target }]);
    expect(await check()).toEqual([own, ['Apple apps', 'passed'], ['Android apps', 'failed']]);
    await scenario.enable();
  });

  test.each<[string, Error, string]>([
    [
      'in a private network',
      new ForbiddenUrlError('not-public'),
      'the host must resolve to a public IP address',
    ],
    ['that is slow', new DOMException('', 'TimeoutError'), 'no response in time'],
    ['that is down', Object.assign(new Error('secret'), { code: 'ECONNREFUSED' }), '(ECONNREFUSED)'],
  ])('names the reason why a host %s has no files', async (_what, error, reason) => {
    await set({ origins: [`android:apk-key-hash:${hash}`] });
    const paths = ['apple-app-site-association', 'assetlinks.json'];
    for (const path of paths) files.set(`https://example.com/.well-known/${path}`, error);
    const { status, data } = await service.call<ProviderCheck>('POST', '/admin/settings/check-passkeys', {
      token: service.app.secretKey,
    });
    files.clear();
    await scenario.enable();
    expect([status, data.ok]).toEqual([200, false]);
    expect(data.steps.slice(1)).toEqual(
      ['Apple apps', 'Android apps'].map((name) => ({
        ...{ name, status: 'failed', message: expect.stringContaining(reason) },
      })),
    );
  });

  test('of the dashboard is the host of BASE_URL, and never a Host header', async () => {
    const { appKey } = await service.deps.apps.console();
    const { data } = await scenario.options({ appKey, headers: { host: 'evil.example' } });
    expect(data.public_key.rpId).toBe(new URL(service.deps.config.baseUrl).hostname);
  });
});

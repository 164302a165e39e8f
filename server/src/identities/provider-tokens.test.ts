// Provider B's authorization code: exchanged after the answer, stored encrypted, and revoked when the account or link
// is removed, however long the provider is down.
import { jwtVerify } from 'jose';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { keyRing } from '../../engines/keys/key-ring.js';
import { passQueueTime, testEncryptionKey } from '../../test/harness.js';
import { type Call, down, json, type Route } from '../../test/identity-provider.js';
import { rsaKeyPair } from '../../test/key-pairs.js';
import { appKey, clients, providerScenario, settings } from '../../test/provider-scenario.js';
import { shared } from '../../test/shared.js';
import { storeUnread } from '../../test/stored-key.js';
import { systemRandom } from '../lib/crypto/random.js';
import { claimExchange, useIdToken } from './store.js';
import { reencryptProviderTokens } from './stored-provider-tokens.js';

const minute = 60_000;
const day = 24 * 60 * minute;

let sub: string;
const logged: string[] = [];
let people = 0;

const scenario = shared(() => providerScenario({ onLogLine: (line) => logged.push(line) }));
beforeEach(() => {
  people += 1;
  sub = `person-${people}`;
});
afterEach(async () => {
  for (const path of ['/token', '/revoke'] as const) scenario.b.answer(path, null);
  await pass(7 * 60 * minute);
  expect(await jobs()).toEqual([]);
  const text = logged.splice(0).join('\n');
  for (const secret of ['refresh-token-', 'authorization-code-', 'an-access-token', 'BEGIN PRIVATE KEY']) {
    expect(text).not.toContain(secret);
  }
});

/** Signs in as this test's user, with a code of this or another user. */
async function signIn(aud = clients.bundle, codeOf = sub) {
  const claims = { sub, email: `${sub}@example.com`, aud };
  const body = await scenario.bodyOfB({ claims, code: scenario.b.code(codeOf, aud) });
  const answer = await scenario.signInB(body);
  expect(answer.status).toBe(200);
  return answer.data;
}
const run = () => scenario.service.deps.queue.runNow();
/** Moves the clock and runs due jobs. The periodic work of the scheduler, which has no part in this, would take longer. */
async function pass(milliseconds: number): Promise<void> {
  scenario.service.clock.advance(milliseconds);
  await passQueueTime(scenario.service.database, milliseconds);
  await run();
}
/** Signs in and exchanges the code. */
async function signInAndExchange(aud?: string) {
  const answer = await signIn(aud);
  await run();
  return answer;
}
const warnings = () =>
  logged
    .map((line) => JSON.parse(line))
    .filter(({ level }) => level === 'warn')
    .map(({ msg }) => msg);
const identity = () => scenario.service.database.prisma.identity.findFirst({ where: { subject: sub } });
const jobs = () => scenario.service.database.prisma.$queryRaw<
  { name: string; data: unknown; pause: number }[]
>`
  SELECT name, data, EXTRACT(epoch FROM start_after - created_on)::float AS pause
  FROM pgboss.job WHERE name LIKE 'provider%' AND state < 'completed'`;
const given = () => scenario.b.given.filter((token) => token.startsWith(`refresh-token-${sub}-`));
const revoked = () => scenario.b.revoked.filter((token) => token.startsWith(`refresh-token-${sub}-`));
const token = (n: number) => `refresh-token-${sub}-${n}`;
const callsTo = (path: string) => scenario.b.callsTo(path);
const deleteMe = async (accessToken: string) =>
  expect((await scenario.service.call('DELETE', '/me', { token: accessToken })).status).toBe(204);

describe('the exchange', () => {
  test('comes after the answer, and stores the refresh token encrypted', async () => {
    const before = callsTo('/token').length;
    await signIn();
    expect(callsTo('/token').length).toBe(before);
    expect(JSON.stringify(await jobs())).not.toContain('authorization-code');
    await run();
    expect(given()).toEqual([token(1)]);
    const kept = await identity();
    expect(kept?.clientId).toBe(clients.bundle);
    expect(Buffer.from(kept?.refreshToken ?? []).includes('refresh-token')).toBe(false);
    expect(kept?.refreshToken).not.toBeNull();
  });

  test("sends a client secret signed with the app's key, for the client of the identity token", async () => {
    await signInAndExchange(clients.services);
    const call = callsTo('/token').at(-1) as Call;
    const secret = call.form.get('client_secret') ?? '';
    expect(Object.fromEntries(call.form)).toEqual({
      client_id: clients.services,
      client_secret: secret,
      code: call.form.get('code'),
      grant_type: 'authorization_code',
    });
    const currentDate = scenario.service.clock.now();
    const { payload, protectedHeader } = await jwtVerify(secret, appKey.publicKey, { currentDate });
    expect(protectedHeader).toEqual({ alg: 'ES256', kid: 'KEY1234567' });
    const now = Math.floor(currentDate.getTime() / 1_000);
    expect(payload).toEqual({
      iss: 'TEAM123456',
      sub: clients.services,
      aud: scenario.b.issuer,
      iat: now,
      exp: now + 300,
    });
  });

  test.each<[string, Route]>([
    ['refuses the code', (_call, res) => json(res, 400, { error: 'invalid_grant' })],
    ['refuses the client', (_call, res) => json(res, 400, { error: 'invalid_client' })],
    ['answers without a refresh token', (_call, res) => json(res, 200, { access_token: 'an-access-token' })],
    ['answers nonsense', (_call, res) => void res.writeHead(200).end('<html>refresh-token-1')],
    [
      'answers with nonsense for a token',
      (_call, res) => json(res, 200, { id_token: 'x', refresh_token: 'refresh-token-1' }),
    ],
    ['sends elsewhere', (_call, res) => void res.writeHead(307, { Location: scenario.a.issuer }).end()],
    ['is down', down],
  ])('with a provider that %s fails no sign-in and stores nothing', async (_what, route) => {
    scenario.b.answer('/token', route);
    await signIn();
    // Six attempts at most.
    for (let i = 0; i < 7 && (await jobs()).length > 0; i += 1) await pass(2 * minute);
    expect((await identity())?.refreshToken).toBeNull();
    expect(await jobs()).toEqual([]);
    expect(scenario.a.callsTo('/')).toEqual([]);
    expect((await signIn()).user.email).toBe(`${sub}@example.com`);
  });

  test('that the provider refuses for its client leaves a warning of the answer and of its effect', async () => {
    scenario.b.answer('/token', (_call, res) => json(res, 400, { error: 'invalid_client' }));
    await signInAndExchange();
    expect(warnings()).toEqual(['provider B refused a code', 'a code of provider B could not be exchanged']);
  });

  test('that yields an ID token without a refresh token stores nothing, and is not repeated', async () => {
    scenario.b.answer('/token', async (_call, res) =>
      json(res, 200, { id_token: await scenario.b.idToken({ claims: { sub, aud: clients.bundle } }) }),
    );
    await signInAndExchange();
    expect((await identity())?.refreshToken).toBeNull();
    expect(await jobs()).toEqual([]);
  });

  test('is retried while the provider is down, and works after it recovers', async () => {
    scenario.b.answer('/token', down);
    await signInAndExchange();
    scenario.b.answer('/token', (_call, res) => json(res, 503, {}));
    await pass(minute);
    expect((await identity())?.refreshToken).toBeNull();
    scenario.b.answer('/token', null);
    await pass(minute);
    expect((await identity())?.refreshToken).not.toBeNull();
  });

  test.each([408, 429, 500])('is retried after the answer %i', async (status) => {
    scenario.b.answer('/token', (_call, res) => json(res, status, {}));
    await signInAndExchange();
    expect((await identity())?.refreshToken).toBeNull();
    scenario.b.answer('/token', null);
    await pass(minute);
    expect((await identity())?.refreshToken).not.toBeNull();
  });

  test('is done once for an ID token that is sent repeatedly', async () => {
    const before = callsTo('/token').length;
    const body = await scenario.bodyOfB({
      claims: { sub, email: `${sub}@example.com` },
      code: scenario.b.code(sub, clients.bundle),
    });
    const send = () => scenario.signInB(body);
    const answers = [await send(), ...(await Promise.all([send(), send()]))];
    await run();
    answers.push(await send());
    await run();
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(callsTo('/token').length).toBe(before + 1);
    expect((await identity())?.refreshToken).not.toBeNull();
  });

  test('is claimed in each app that accepts the ID token', async () => {
    const { prisma } = scenario.service.database;
    const hash = Buffer.alloc(32, 7);
    const now = scenario.service.clock.now();
    for (const app of ['one', 'two']) await useIdToken(prisma, app, hash, { now, retrySince: now });
    const claim = (app: string) => prisma.$transaction((tx) => claimExchange(tx, app, hash));
    expect([await claim('one'), await claim('two'), await claim('one')]).toEqual([true, true, false]);
  });

  test('follows the link by a token with which the sign-in was refused', async () => {
    const owner = await scenario.service.signUp();
    const body = await scenario.bodyOfB({
      claims: { sub, email: owner.email },
      code: scenario.b.code(sub, clients.bundle),
    });
    expect((await scenario.signInB(body)).status).toBe(409);
    const call = { token: owner.tokens.access_token, body };
    expect((await scenario.service.call('POST', '/me/identities/provider-b', call)).status).toBe(201);
    await run();
    expect((await identity())?.refreshToken).not.toBeNull();
  });

  test("with another user's code stores nothing, and revokes no token of the other user", async () => {
    await signIn(clients.bundle, 'victim');
    await run();
    expect(scenario.b.given).toContain('refresh-token-victim-1');
    expect((await identity())?.refreshToken).toBeNull();
    expect(await jobs()).toEqual([]);
    expect(scenario.b.revoked).not.toContain('refresh-token-victim-1');
    expect(warnings()).toEqual(['an authorization code and its identity token do not belong together']);
  });

  test('with a code that the provider issued to another client of the same user stores nothing', async () => {
    scenario.b.answer('/token', async (_call, res) =>
      json(res, 200, {
        access_token: 'an-access-token',
        refresh_token: 'refresh-token-of-another-client',
        id_token: await scenario.b.idToken({ claims: { sub, aud: clients.services } }),
      }),
    );
    await signInAndExchange(clients.bundle);
    expect((await identity())?.refreshToken).toBeNull();
    expect(await jobs()).toEqual([]);
  });

  test('of a later sign-in stores the newest token, with its client', async () => {
    await signInAndExchange();
    const first = (await identity())?.refreshToken;
    const { access_token } = await signInAndExchange(clients.services);
    const kept = await identity();
    expect(kept?.clientId).toBe(clients.services);
    expect(kept?.refreshToken).not.toEqual(first);
    await deleteMe(access_token);
    await run();
    expect(revoked()).toEqual([token(2)]);
    expect(callsTo('/revoke').at(-1)?.form.get('client_id')).toBe(clients.services);
  });

  test('is not attempted while the app has no private key for the provider', async () => {
    await scenario.set({ provider_b: { private_key: null } });
    scenario.service.deps.apps.forget();
    await signIn();
    expect(await jobs()).toEqual([]);
    await scenario.set(settings);
    scenario.service.deps.apps.forget();
  });
});

describe('the revocation', () => {
  test('follows the deletion of the account', async () => {
    const { access_token } = await signInAndExchange();
    await deleteMe(access_token);
    expect(JSON.stringify(await jobs())).not.toContain('refresh-token');
    await run();
    expect(revoked()).toEqual([token(1)]);
    const call = callsTo('/revoke').at(-1) as Call;
    expect([...call.form.keys()].sort()).toEqual(['client_id', 'client_secret', 'token', 'token_type_hint']);
    expect(await jobs()).toEqual([]);
  });

  test('is retried for 30 days after the account is deleted if the provider is down, and succeeds once', async () => {
    const { access_token, user } = await signInAndExchange();
    scenario.b.answer('/revoke', down);
    await deleteMe(access_token);
    expect(await scenario.service.database.prisma.user.count({ where: { id: user.uid } })).toBe(0);
    const before = callsTo('/revoke').length;
    await run();
    for (let i = 0; i < 29; i += 1) await pass(day);
    const tried = callsTo('/revoke').length;
    expect(tried - before).toBe(30);
    scenario.b.answer('/revoke', null);
    await pass(day - minute);
    expect(revoked()).toEqual([token(1)]);
    await pass(day);
    expect(callsTo('/revoke').length).toBe(tried + 1);
  });

  test('stops after 30 days', async () => {
    const { access_token } = await signInAndExchange();
    scenario.b.answer('/revoke', (_call, res) => json(res, 400, { error: 'invalid_client' }));
    await deleteMe(access_token);
    await run();
    await pass(30 * day - 1);
    expect(await jobs()).toHaveLength(1);
    // The last attempt, at the latest six hours later.
    await pass(6 * 60 * minute);
    expect(await jobs()).toEqual([]);
    expect(logged.join()).toContain('giving up');
  });

  test('is retried soon at first, then every six hours', async () => {
    const { access_token } = await signInAndExchange();
    scenario.b.answer('/revoke', down);
    await deleteMe(access_token);
    await run();
    const pauses: number[] = [];
    for (let tries = 0; tries < 13; tries += 1) {
      const [job] = await jobs();
      pauses.push(Math.round(job?.pause ?? 0));
      await pass((job?.pause ?? 0) * 1_000 + 1);
    }
    const sixHours = 6 * 3_600;
    const doubled = Array.from({ length: 10 }, (_, tries) => 30 * 2 ** tries);
    expect(pauses).toEqual([...doubled, sixHours, sixHours, sixHours]);
  });

  test('follows an exchange that was pending when the account was deleted', async () => {
    scenario.b.answer('/token', down);
    const { access_token } = await signInAndExchange();
    await deleteMe(access_token);
    scenario.b.answer('/token', null);
    await pass(minute);
    expect([given(), revoked()]).toEqual([[token(1)], [token(1)]]);
  });

  test('follows an unlink, and the removal of an unproven identity', async () => {
    const { access_token } = await signInAndExchange();
    const unlinked = await scenario.service.call('DELETE', '/me/identities/provider-b', {
      token: access_token,
    });
    expect(unlinked.status).toBe(204);
    await run();
    expect(revoked()).toEqual([token(1)]);

    const squatter = await scenario.service.signUp();
    const code = scenario.b.code(sub, clients.bundle);
    const body = await scenario.bodyOfB({ claims: { sub }, code });
    const linked = await scenario.service.call('POST', '/me/identities/provider-b', {
      token: squatter.tokens.access_token,
      body,
    });
    expect(linked.status).toBe(201);
    await run();
    await scenario.verifiedUser(squatter.email);
    await run();
    expect(revoked()).toEqual([token(1), token(2)]);
  });

  test('uses the code of a reauthentication if the one of the sign-in was refused', async () => {
    scenario.b.answer('/token', (_call, res) => json(res, 400, { error: 'invalid_grant' }));
    const { access_token } = await signInAndExchange();
    scenario.b.answer('/token', null);
    const proof = await scenario.bodyOfB({ claims: { sub }, code: scenario.b.code(sub, clients.bundle) });
    const renewed = await scenario.service.call('POST', '/auth/reauthenticate', {
      token: access_token,
      body: { provider_b: proof },
    });
    expect(renewed.status).toBe(200);
    await deleteMe(access_token);
    await run();
    expect(revoked()).toEqual([token(1)]);
  });

  test.each(['invalid_grant', 'invalid_token'])(
    'treats a token as revoked after the error %s',
    async (error) => {
      const { access_token } = await signInAndExchange();
      scenario.b.answer('/revoke', (_call, res) => json(res, 400, { error }));
      await deleteMe(access_token);
      await run();
      expect(await jobs()).toEqual([]);
      const lines = logged.map((line) => JSON.parse(line));
      const about = lines.filter(({ msg }) => msg.startsWith('provider B'));
      expect(about).toMatchObject([
        { msg: 'provider B does not know a token that was to be revoked', error },
      ]);
    },
  );

  test.each([
    [503, {}],
    [429, {}],
    [400, { error: 'invalid_request' }],
  ])('is retried after the answer %i %j', async (status, body) => {
    const { access_token } = await signInAndExchange();
    scenario.b.answer('/revoke', (_call, res) => json(res, status, body));
    await deleteMe(access_token);
    await run();
    expect(await jobs()).toHaveLength(1);
    expect(warnings()).toEqual(['a token of provider B could not be revoked; retrying later']);
    scenario.b.answer('/revoke', null);
    await pass(minute);
    expect(revoked()).toEqual([token(1)]);
  });

  test('a deleted user who signs in again gets a new account, whose token is not revoked', async () => {
    const old = await signInAndExchange();
    await deleteMe(old.access_token);
    const again = await signIn();
    expect(again.user.uid).not.toBe(old.user.uid);
    await run();
    expect(revoked()).toEqual([token(1)]);
    expect((await identity())?.uid).toBe(again.user.uid);
    expect((await identity())?.refreshToken).not.toBeNull();
  });
});

describe('a failure that nobody waits for is in the audit log', () => {
  const failures = async (action: 'exchange' | 'revocation') =>
    (await scenario.service.auditEntries({ action: `provider.${action}_failed` })).map(
      ({ actor, target, uid, details }) => [actor, target, uid, details],
    );
  const entry = (details: object) => ['service', 'provider:provider-b', null, details];
  const setKey = (key: string) =>
    storeUnread(scenario.service.deps, scenario.service.app.app.id, 'provider_b.private_key', key);
  const rsa = () =>
    rsaKeyPair('of a provider').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const rejects =
    (error: string): Route =>
    (_call, res) =>
      json(res, 400, { error });
  beforeEach(async () => {
    await scenario.service.deps.auditBuffer.flush();
    await scenario.service.database.prisma.auditLog.deleteMany();
  });
  afterEach(async () => {
    await scenario.set(settings);
    scenario.service.deps.apps.forget();
  });

  const faults: [string, () => Promise<unknown>, string][] = [
    ['whose stored key cannot work', () => setKey(rsa()), 'unusable-key'],
    ...['invalid_client', 'unauthorized_client'].map((error): [string, () => Promise<unknown>, string] => [
      `whose client the provider rejects with ${error}`,
      async () => (['/token', '/revoke'] as const).map((path) => scenario.b.answer(path, rejects(error))),
      'client-rejected',
    ]),
    ['whose key was removed', () => scenario.set({ provider_b: { private_key: null } }), 'no-key'],
  ];

  test.each(faults)('an exchange for an app %s', async (_what, prepare, reason) => {
    await signIn();
    await prepare();
    await run();
    expect(await failures('exchange')).toEqual([entry({ reason })]);
    expect(await jobs()).toEqual([]);
  });

  test('not an exchange of a code that a client made up', async () => {
    await scenario.signInB(await scenario.bodyOfB({ claims: { sub, email: `${sub}@example.com` } }));
    await run();
    expect(await failures('exchange')).toEqual([]);
  });

  test.each(faults)(
    'a revocation for an app %s, once while it is retried, and at its end',
    async (_what, prepare, reason) => {
      const { access_token } = await signInAndExchange();
      await prepare();
      await deleteMe(access_token);
      await run();
      const retrying = entry({ reason, state: 'retrying' });
      expect(await failures('revocation')).toEqual([retrying]);
      await pass(minute);
      await pass(day);
      expect(await failures('revocation')).toEqual([retrying]);
      await pass(30 * day);
      expect(await failures('revocation')).toEqual([retrying, entry({ reason, state: 'given-up' })]);
    },
  );

  test('a revocation that a provider which is down prevents, at its end', async () => {
    const { access_token } = await signInAndExchange();
    scenario.b.answer('/revoke', down);
    await deleteMe(access_token);
    await run();
    expect(await failures('revocation')).toEqual([]);
    await pass(30 * day);
    expect(await failures('revocation')).toEqual([entry({ reason: 'unavailable', state: 'given-up' })]);
  });

  test('the deletion of an account without a stored token', async () => {
    const { access_token } = await signIn(clients.bundle, 'somebody else');
    await run();
    await deleteMe(access_token);
    await run();
    expect(await failures('revocation')).toEqual([entry({ reason: 'no-token', state: 'given-up' })]);
  });
});

test('what is left to do for an app that was deleted is dropped, without a call and without another attempt', async () => {
  const { deps, database, clock } = scenario.service;
  const job = { appId: deps.random.ulid(clock.now()), clientId: clients.bundle };
  const until = clock.now().getTime() + day;
  await deps.queue.send(database.prisma, 'provider_b_exchange', { ...job, subject: sub, code: 'a code' });
  await deps.queue.send(database.prisma, 'provider_b_revoke', { ...job, refreshToken: 'x', until, tries: 0 });
  expect(await jobs()).toHaveLength(2);
  const before = scenario.b.calls.length;
  await run();
  expect(await jobs()).toEqual([]);
  expect(scenario.b.calls.length).toBe(before);
});

test('stored tokens are re-encrypted under a new encryption key, and can still be revoked', async () => {
  const { access_token } = await signInAndExchange();
  const before = await identity();
  const { deps } = scenario.service;
  const newKey = 'another-secret-key-for-tests-and-long-enough!!';
  const rotated = keyRing([newKey, testEncryptionKey], systemRandom());
  const rotate = () =>
    reencryptProviderTokens({ prisma: deps.prisma, keyRing: rotated }, scenario.service.app.app.id);
  const kept = await deps.prisma.identity.count({ where: { refreshToken: { not: null } } });
  expect([await rotate(), await rotate()]).toEqual([kept, 0]);
  const after = await identity();
  expect(after?.refreshToken).not.toEqual(before?.refreshToken);
  expect(rotated.keyIdOf(after?.refreshToken ?? new Uint8Array())).toBe(rotated.currentKeyId);

  const next = await scenario.service.secondInstance({
    config: { ...deps.config, encryptionKeys: [newKey, testEncryptionKey] },
  });
  try {
    expect((await next.call('DELETE', '/me', { token: access_token })).status).toBe(204);
    await next.deps.queue.runNow();
    expect(revoked()).toEqual([token(1)]);
  } finally {
    await next.stop();
  }
});

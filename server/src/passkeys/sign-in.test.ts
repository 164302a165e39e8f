// Sign-in and reauthentication with passkeys, over HTTP, with emulated authenticators.
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { testOnServer, untilBlocked } from '../../test/blocked.js';
import { codeScenario } from '../../test/code-scenario.js';
import { claimsOf, testService } from '../../test/harness.js';
import { lateAnswer } from '../../test/held-transactions.js';
import {
  type Claims,
  flag,
  forged,
  newAuthenticator,
  origin,
  passkeyScenario,
  passkeys,
  sha256,
} from '../../test/passkey-scenario.js';
import { expectRefusal } from '../../test/refusal.js';
import { allRows } from '../../test/rows.js';
import { shared } from '../../test/shared.js';
import { usePasskey } from './store.js';

const minute = 60_000;
const refused = { status: 401, code: 'auth/invalid-credential' };

const logged: string[] = [];
const service = shared(async () => {
  const started = await testService({ onLogLine: (line) => logged.push(line) });
  await passkeyScenario(() => started).enable();
  return started;
});
const scenario = passkeyScenario(() => service);
// The audit log has at most three reasons of a network in a minute.
beforeEach(() => service.clock.advance(minute));
const sessionsOf = (uid: string) =>
  service.database.prisma.session.count({ where: { appId: service.app.app.id, uid } });
const usedChallenges = () => service.database.prisma.usedPasskeyChallenge.count();

/** The reason of the latest refusal, as the team of the app reads it. */
async function latestReason() {
  const entries = await service.auditEntries({ action: 'passkey.refused' });
  const { details, target } = entries.at(-1) ?? {};
  return { reason: (details as { reason?: string }).reason, target };
}

describe('a sign-in with a passkey', () => {
  test.each(['ES256', 'EdDSA', 'RS256'] as const)('by %s starts a session', async (algorithm) => {
    const { user, device, passkey } = await scenario.userWithPasskey({ algorithmIdentifiers: [algorithm] });
    service.clock.advance(minute);
    const { status, data, headers } = await scenario.signIn(await scenario.assertion(device));
    expect(status).toBe(200);
    expect(headers.get('x-device-token')).toMatch(/^dt_/);
    expect(claimsOf(data.access_token)).toMatchObject({ sub: user.uid, amr: ['swk', 'user', 'mfa'] });
    const sessions = await service.call<{ items: object[] }>('GET', '/me/sessions', {
      token: data.access_token,
    });
    expect(sessions.data.items[0]).toMatchObject({ method: 'passkey', current: true });
    const [listed] = await scenario.list(data.access_token);
    expect(listed).toMatchObject({ id: passkey.id, last_used_at: expect.any(String) });
  });

  test('is a use of this passkey alone, beside others of the user', async () => {
    const { user, device, passkey } = await scenario.userWithPasskey();
    const { passkey: other } = await scenario.register(user.tokens.access_token);
    await scenario.signIn(await scenario.assertion(device));
    const used = (await scenario.list(user.tokens.access_token)).map(({ id, last_used_at }) => [
      id,
      last_used_at !== null,
    ]);
    expect(new Map(used as [string, boolean][])).toEqual(
      new Map([
        [passkey.id, true],
        [other.id, false],
      ]),
    );
  });

  test('without user verification is no second factor', async () => {
    const { device } = await scenario.userWithPasskey();
    const assertion = forged(device, await scenario.assertion(device), { flags: flag.userPresent });
    const { data } = await scenario.signIn(assertion);
    expect(claimsOf(data.access_token).amr).toEqual(['swk', 'user']);
  });

  test('writes no row before a signature is accepted, however many challenges are asked for', async () => {
    const rows = () => allRows(service.database);
    await scenario.options();
    const before = await rows();
    const asked = await Promise.all(Array.from({ length: 50 }, () => scenario.options()));
    expect(new Set(asked.map(({ data }) => data.public_key.challenge)).size).toBe(50);
    expect(await rows()).toEqual(before);
  });

  test('starts one session for fifty calls with the same signature at once', async () => {
    const { user, device } = await scenario.userWithPasskey();
    const assertion = await scenario.assertion(device);
    const answers = await Promise.all(Array.from({ length: 50 }, () => scenario.signIn(assertion)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    // On a busy machine, the last ones wait for their transaction longer than a call may.
    expect(answers.filter(({ status }) => ![200, 401, 503].includes(status))).toEqual([]);
    expect(await sessionsOf(user.uid)).toBe(2);
    expect(await latestReason()).toEqual({ reason: 'used-challenge', target: `user:${user.uid}` });
  });
});

type Refusal = [name: string, reason: string, claims: Claims];
const synced = flag.userPresent | flag.userVerified | flag.backupEligible | flag.backedUp;

test.each<Refusal>([
  ['another origin', 'wrong-origin', { clientData: { origin: 'https://evil.example' } }],
  [
    'a page below the domain that is not listed',
    'wrong-origin',
    { clientData: { origin: 'https://x.example.com' } },
  ],
  ['the same host without https', 'wrong-origin', { clientData: { origin: 'http://app.example.com' } }],
  ['another port', 'wrong-origin', { clientData: { origin: 'https://app.example.com:444' } }],
  ['an origin of another spelling', 'wrong-origin', { clientData: { origin: 'https://APP.example.com' } }],
  ['no origin', 'wrong-origin', { clientData: { origin: null } }],
  ['a list of origins', 'wrong-origin', { clientData: { origin: [origin] } }],
  ['a page embedded in another', 'cross-origin', { clientData: { crossOrigin: true } }],
  ['another relying party', 'wrong-rp-id', { rpId: 'evil.example' }],
  ['the domain above', 'wrong-rp-id', { rpId: 'com' }],
  ['the type of a registration', 'wrong-type', { clientData: { type: 'webauthn.create' } }],
  ['no type', 'wrong-type', { clientData: { type: null } }],
  ['no user presence', 'no-user-presence', { flags: synced & ~flag.userPresent }],
  ['an empty challenge', 'wrong-challenge', { clientData: { challenge: '' } }],
  ['a challenge that nobody made', 'wrong-challenge', { clientData: { challenge: 'AAAA' } }],
  ['a challenge that is no text', 'malformed', { clientData: { challenge: 7 } }],
])('refuses a signature over %s', async (_name, reason, claims) => {
  const { user, device } = await scenario.userWithPasskey();
  const used = await usedChallenges();
  const assertion = forged(device, await scenario.assertion(device), claims);
  logged.length = 0;
  const answer = await scenario.signIn(assertion);
  expect(answer).toMatchObject(refused);
  expect(answer.json.error.fields).toEqual({});
  const lines = logged.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'a passkey was refused');
  expect(lines).toMatchObject([{ app_id: service.app.app.id, reason }]);
  expect(await sessionsOf(user.uid)).toBe(1);
  expect(await usedChallenges()).toBe(used);
  expect((await latestReason()).reason).toBe(reason);
});

describe('what is not signed does not count:', () => {
  test.each([
    [
      'a changed client data',
      'clientDataJSON',
      (text: string) => edited(text, (json) => ({ ...json, more: 1 })),
    ],
    ['changed authenticator data', 'authenticatorData', (text: string) => flipped(text, 36)],
    ['a changed signature', 'signature', (text: string) => flipped(text, 12)],
    ['a signature of nothing', 'signature', () => 'AAAA'],
  ] as const)('%s is refused', async (_name, part, change) => {
    const { device } = await scenario.userWithPasskey();
    const assertion = await scenario.assertion(device);
    const response = { ...assertion.response, [part]: change(assertion.response[part]) };
    expect(await scenario.signIn({ ...assertion, response })).toMatchObject(refused);
    expect((await latestReason()).reason).toBe('wrong-signature');
    // Nothing was used up.
    expect((await scenario.signIn(assertion)).status).toBe(200);
  });

  test('the signature of another passkey is refused', async () => {
    const [mine, other] = [await scenario.userWithPasskey(), await scenario.userWithPasskey()];
    const assertion = await scenario.assertion(mine.device);
    const { id, rawId } = await scenario.assertion(other.device);
    expect(await scenario.signIn({ ...assertion, id, rawId })).toMatchObject(refused);
    expect((await latestReason()).reason).toBe('wrong-signature');
  });

  const handleOfAnother = async (): Promise<string | null | undefined> => {
    const { device } = await scenario.userWithPasskey();
    return (await scenario.assertion(device)).response.userHandle;
  };

  test.each<[name: string, handleOf: () => Promise<string | null | undefined>]>([
    ["another user's handle", handleOfAnother],
    ['no handle', async () => undefined],
    ['an empty handle', async () => ''],
  ])('%s is refused', async (_name, handleOf) => {
    const { user, device } = await scenario.userWithPasskey();
    const assertion = await scenario.assertion(device);
    const userHandle = await handleOf();
    const changed = { ...assertion, response: { ...assertion.response, userHandle } };
    expect(await scenario.signIn(changed)).toMatchObject(refused);
    expect(await latestReason()).toEqual({ reason: 'wrong-user-handle', target: `user:${user.uid}` });
  });
});

describe('a challenge', () => {
  test('is accepted for five minutes, and not a second longer', async () => {
    const { device } = await scenario.userWithPasskey();
    const [timely, late] = [await scenario.assertion(device), await scenario.assertion(device)];
    service.clock.advance(5 * minute);
    expect((await scenario.signIn(timely)).status).toBe(200);
    service.clock.advance(1_000);
    expect(await scenario.signIn(late)).toMatchObject(refused);
    expect((await latestReason()).reason).toBe('expired-challenge');
  });

  test('of a registration does not sign in', async () => {
    const { user, device } = await scenario.userWithPasskey();
    const { data } = await scenario.creationOptions((await service.signIn(user)).data.access_token);
    const { challenge } = data.public_key;
    const assertion = forged(device, await scenario.assertion(device), { clientData: { challenge } });
    expect(await scenario.signIn(assertion)).toMatchObject(refused);
    expect((await latestReason()).reason).toBe('wrong-challenge');
  });

  test('with any bit changed is refused', async () => {
    const { device } = await scenario.userWithPasskey();
    const { data } = await scenario.options();
    const assertion = await scenario.assertion(device);
    const length = Buffer.from(data.public_key.challenge, 'base64url').length;
    for (const place of [0, 1, 2, 3, 10, 23, length - 1]) {
      const challenge = flipped(data.public_key.challenge, place);
      const answer = await scenario.signIn(forged(device, assertion, { clientData: { challenge } }));
      expect(answer, `byte ${place}`).toMatchObject(refused);
    }
  });

  test('of another app is refused, and another app does not know the passkey', async () => {
    const other = await service.newApp('Other');
    const { appKey } = other.app;
    const ofOther = { ...passkeys, rp_id: 'app.example.com', origins: [origin] };
    await scenario.enable(ofOther, other);
    const { device } = await scenario.userWithPasskey();
    const { data } = await scenario.options({ appKey });
    expect(data.public_key.rpId).toBe('app.example.com');
    const assertion = await scenario.assertion(device);
    const { challenge } = data.public_key;
    expect(await scenario.signIn(forged(device, assertion, { clientData: { challenge } }))).toMatchObject(
      refused,
    );
    const there = forged(device, assertion, { clientData: { challenge }, rpId: 'app.example.com' });
    const answer = await scenario.signIn(there, { appKey });
    expect(answer).toMatchObject(refused);
    expect(answer.json.error.fields).toEqual({ 'credential.id': ['is not a passkey of this app'] });
    // The app's own passkey works in it.
    const user = await service.signUp({ appKey });
    const own = newAuthenticator();
    const created = await scenario.creationOptions(user.tokens.access_token, { appKey });
    const body = { credential: own.create(created.data) };
    const token = user.tokens.access_token;
    expect((await service.call('POST', '/me/passkeys', { token, appKey, body })).status).toBe(201);
    expect((await scenario.signIn(await scenario.assertion(own, { appKey }), { appKey })).status).toBe(200);
  });
});

describe('the counter', () => {
  const single = flag.userPresent | flag.userVerified;

  test.each([
    ['rises', 5, 6, 200],
    ['stays', 5, 5, 401],
    ['falls', 5, 4, 401],
    ['falls to zero', 5, 0, 401],
    ['is always zero', 0, 0, 200],
  ])('of a passkey on one device that %s', async (_name, first, second, status) => {
    const { user, device } = await scenario.userWithPasskey({}, { flags: single });
    const at = async (counter: number) =>
      scenario.signIn(forged(device, await scenario.assertion(device), { flags: single, counter }));
    expect((await at(first)).status).toBe(200);
    expect((await at(second)).status).toBe(status);
    if (status === 200) return;
    expect(await latestReason()).toEqual({ reason: 'counter-fell-back', target: `user:${user.uid}` });
    // A copy cannot call itself synchronized.
    const answer = await scenario.signIn(
      forged(device, await scenario.assertion(device), { flags: synced, counter: second }),
    );
    expect(answer).toMatchObject(refused);
  });

  test('of a synchronized passkey means nothing', async () => {
    const { device } = await scenario.userWithPasskey();
    for (const counter of [7, 3]) {
      const assertion = forged(device, await scenario.assertion(device), { counter });
      expect((await scenario.signIn(assertion)).status).toBe(200);
    }
  });
});

describe('the account', () => {
  test('of a removed passkey is not opened, and the browser is told', async () => {
    const { user, device, passkey } = await scenario.userWithPasskey();
    const assertion = await scenario.assertion(device);
    expect((await scenario.remove(user.tokens.access_token, passkey.id)).status).toBe(200);
    const answer = await scenario.signIn(assertion);
    expect(answer).toMatchObject(refused);
    expect(answer.json.error.fields).toEqual({ 'credential.id': ['is not a passkey of this app'] });
    expect((await latestReason()).reason).toBe('unknown-passkey');
  });

  test('that is disabled is refused, once the signature has held', async () => {
    const { user, device } = await scenario.userWithPasskey();
    await codeScenario(() => service).disable(user.uid);
    const assertion = await scenario.assertion(device);
    const unsigned = { ...assertion, response: { ...assertion.response, signature: 'AAAA' } };
    expect(await scenario.signIn(unsigned)).toMatchObject(refused);
    expect(await scenario.signIn(assertion)).toMatchObject({ status: 403, code: 'auth/user-disabled' });
  });

  test('that is deleted leaves no passkey', async () => {
    const { user, device } = await scenario.userWithPasskey();
    await service.call('DELETE', '/me', { token: user.tokens.access_token });
    expect(await service.database.prisma.passkey.count({ where: { uid: user.uid } })).toBe(0);
    expect(await scenario.signIn(await scenario.assertion(device))).toMatchObject(refused);
  });

  test('has no passkey sign-in while the app has switched passkeys off', async () => {
    const { device } = await scenario.userWithPasskey();
    const assertion = await scenario.assertion(device);
    await scenario.enable(null);
    try {
      const off = { status: 403, code: 'auth/operation-not-allowed' };
      expect(await scenario.options()).toMatchObject(off);
      expect(await scenario.signIn(assertion)).toMatchObject(off);
    } finally {
      await scenario.enable();
    }
    expect((await scenario.signIn(assertion)).status).toBe(200);
  });
});

describe('reauthentication with a passkey', () => {
  test('renews the sign-in time, once, and offers the passkeys of the user alone', async () => {
    const { user, device, passkey } = await scenario.userWithPasskey();
    const token = user.tokens.access_token;
    service.clock.advance(30 * minute);
    expect((await scenario.remove(token, passkey.id)).code).toBe('auth/requires-recent-login');
    const { data } = await scenario.options({ token });
    expect(data.public_key.allowCredentials).toHaveLength(1);
    const assertion = device.get(data);
    const answer = await scenario.reauthenticate(token, assertion);
    expect(answer.status).toBe(200);
    expect(claimsOf(answer.data.access_token).amr).toEqual(['swk', 'user', 'mfa']);
    expect(await scenario.reauthenticate(token, assertion)).toMatchObject(refused);
    expect((await scenario.remove(token, passkey.id)).status).toBe(200);
  });

  test("is refused with another user's passkey", async () => {
    const [mine, other] = [await scenario.userWithPasskey(), await scenario.userWithPasskey()];
    const token = mine.user.tokens.access_token;
    expect(await scenario.reauthenticate(token, await scenario.assertion(other.device))).toMatchObject(
      refused,
    );
    expect((await latestReason()).reason).toBe('other-user');
  });

  test('is refused once another instance has removed the passkey', async () => {
    const { user, device, passkey } = await scenario.userWithPasskey();
    const token = user.tokens.access_token;
    const assertion = await scenario.assertion(device);
    const answer = await lateAnswer(
      service,
      (late) => passkeyScenario(() => late).reauthenticate(token, assertion),
      async () => expect((await scenario.remove(token, passkey.id)).status).toBe(200),
    );
    expectRefusal(answer, 'request/unavailable', null);
  });
});

/** The base64url text with one bit of the byte at the place changed. */
function flipped(text: string, place: number): string {
  const bytes = Buffer.from(text, 'base64url');
  bytes[place] = (bytes[place] as number) ^ 1;
  return bytes.toString('base64url');
}

function edited(text: string, change: (json: object) => object): string {
  return Buffer.from(JSON.stringify(change(JSON.parse(Buffer.from(text, 'base64url').toString())))).toString(
    'base64url',
  );
}

test('a signature that a parallel one with its counter, or a higher one, has overtaken is not accepted', async () => {
  const { user, passkey } = await scenario.userWithPasskey();
  const other = await service.signUp();
  const where = { appId: service.app.app.id, id: passkey.id };
  await service.database.prisma.passkey.updateMany({ where, data: { counter: 5, backedUp: false } });
  const used = (counter: number, uid = user.uid) =>
    service.database.prisma.$transaction((tx) => {
      const challengeHash = sha256(`${uid} ${counter}`);
      return usePasskey(tx, {
        ...where,
        uid,
        counter,
        backedUp: false,
        rpId: 'orchard.test',
        challengeHash,
        now: service.clock.now(),
      });
    });
  expect([await used(4), await used(5), await used(6, other.uid)]).toEqual([false, false, false]);
  expect([await used(6), await used(6)]).toEqual([true, false]);
});

testOnServer('of many sign-ins of one user at once, two at most hold a connection', async () => {
  const { user, device } = await scenario.userWithPasskey();
  const other = await service.signUp();
  const assertions = await Promise.all(Array.from({ length: 20 }, () => scenario.assertion(device)));
  const answers = await service.database.prisma.$transaction(
    async (tx) => {
      await tx.$executeRaw`SELECT FROM users
        WHERE app_id = ${service.app.app.id} AND id = ${user.uid} FOR UPDATE`;
      const begun = assertions.map((assertion) => scenario.signIn(assertion));
      await vi.waitUntil(() => service.deps.turns.waiting === 18, { timeout: 60_000 });
      await untilBlocked(service.database, 2);
      expect((await service.call('GET', '/me', { token: other.tokens.access_token })).status).toBe(200);
      return begun;
    },
    { timeout: 60_000 },
  );
  // The counters of some have fallen back by their turn.
  const statuses = new Set((await Promise.all(answers)).map(({ status }) => status));
  expect([...statuses].filter((status) => ![200, 401].includes(status))).toEqual([]);
  expect(statuses).toContain(200);
});

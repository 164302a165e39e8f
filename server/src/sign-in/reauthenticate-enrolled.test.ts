// Renewal of the sign-in time of a user with a second factor: each first proof, with each second one and without.
import { describe, expect, test } from 'vitest';
import { codeScenario, newEmail } from '../../test/code-scenario.js';
import { claimsOf } from '../../test/harness.js';
import { flag, forged, passkeyScenario } from '../../test/passkey-scenario.js';
import { providerScenario } from '../../test/provider-scenario.js';
import { expectRefusal } from '../../test/refusal.js';
import { secondFactorScenario } from '../../test/second-factor-scenario.js';
import { shared } from '../../test/shared.js';

const providers = shared(async () => {
  const scenario = await providerScenario();
  await scenario.set({ second_factor: 'optional' });
  await passkeyScenario(() => scenario.service).enable();
  return scenario;
});
const service = () => providers.service;
const codes = codeScenario(service);
const factors = secondFactorScenario(service);
const passkeys = passkeyScenario(service);

type Person = Awaited<ReturnType<typeof newPerson>>;
/** The methods of a session that it is renewed by, and the proof, made anew for each call. */
type FirstProof = { amr: string[]; of(person: Person): Promise<object> };

async function newPerson() {
  const email = newEmail();
  const user = await service().signUp({ email });
  const { access_token: token } = user.tokens;
  const { device } = await passkeys.register(token);
  const identity = (jti: string) => providers.bodyOfA({ claims: { sub: email, email, jti } });
  const linked = await service().call('POST', '/me/identities/provider-a', {
    token,
    body: await identity('link'),
  });
  expect(linked.status).toBe(201);
  return { ...user, ...(await factors.enroll({ token })), token, device, identity };
}

const unverified = async ({ token, device }: Person) =>
  forged(device, await passkeys.assertion(device, { token }), { flags: flag.userPresent });

const proofs: Record<string, FirstProof> = {
  'a password': { amr: ['pwd'], of: async ({ password }) => ({ password }) },
  'an emailed code': {
    amr: ['otp'],
    of: async ({ email }) => ({ code: await codes.signInCode(email) }),
  },
  'a provider': {
    amr: ['fed'],
    of: async ({ identity }) => ({ provider_a: await identity(newEmail()) }),
  },
  'a passkey that did not verify the user': {
    amr: ['swk', 'user'],
    of: async (person) => ({ passkey: await unverified(person) }),
  },
};

describe.each(Object.entries(proofs))('a reauthentication by %s', (_, { amr, of }) => {
  test('alone is refused without a ticket, and uses nothing up', async () => {
    const person = await newPerson();
    const proof = await of(person);
    const refused = await codes.reauthenticate(person.token, proof);
    expectRefusal(refused, 'auth/second-factor-required');
    expect(refused.json.error.fields).toEqual({});
    const answer = await codes.reauthenticate(person.token, {
      ...proof,
      totp: factors.codeOf(person.secret),
    });
    expect([answer.status, answer.code]).toEqual([200, undefined]);
  });

  test.each(['totp', 'recovery_code'] as const)('renews the sign-in time with %s', async (factor) => {
    const person = await newPerson();
    const { token, secret, recoveryCodes } = person;
    service().clock.advance(1_800_000);
    expectRefusal(await factors.begin(token), 'auth/requires-recent-login');
    const second = factor === 'totp' ? factors.codeOf(secret) : recoveryCodes[0];
    const answer = await codes.reauthenticate(token, { ...(await of(person)), [factor]: second });
    expect([answer.status, answer.code]).toEqual([200, undefined]);
    const added = factor === 'totp' ? ['otp', 'mfa'] : ['mfa'];
    expect(new Set(claimsOf(answer.data.access_token).amr as string[])).toEqual(new Set([...amr, ...added]));
    expect((await factors.begin(token)).status).toBe(200);
    const again = await codes.reauthenticate(token, { ...(await of(person)), [factor]: second });
    expectRefusal(again, 'auth/invalid-code');
  });

  test('with the second factor of another user is refused', async () => {
    const [person, other] = [await newPerson(), await newPerson()];
    for (const proof of [{ totp: factors.codeOf(other.secret) }, { recovery_code: other.recoveryCodes[0] }]) {
      const answer = await codes.reauthenticate(person.token, { ...(await of(person)), ...proof });
      expectRefusal(answer, 'auth/invalid-code');
    }
  });
});

test('a passkey that verified the user renews the sign-in time alone', async () => {
  const person = await newPerson();
  const passkey = await passkeys.assertion(person.device, { token: person.token });
  const answer = await codes.reauthenticate(person.token, { passkey });
  expect([answer.status, answer.code]).toEqual([200, undefined]);
  expect(claimsOf(answer.data.access_token).amr).toEqual(['swk', 'user', 'mfa']);
});

test('a wrong first proof spends no guess of the second factor', async () => {
  const [other, person] = [await newPerson(), await newPerson()];
  const totp = factors.codeOf(person.secret);
  const wrong = [
    { password: 'not the password' },
    { provider_a: await providers.bodyOfA({ claims: { sub: newEmail() } }) },
    { passkey: await unverified(other) },
  ];
  for (const proof of wrong) {
    const answer = await codes.reauthenticate(person.token, { ...proof, totp });
    expect(answer.status, answer.text).toBe(401);
  }
  const row = await service().database.prisma.secondFactor.findFirst({ where: { uid: person.uid } });
  expect(row?.guessTimes).toEqual([]);
  expect((await codes.reauthenticate(person.token, { password: person.password, totp })).status).toBe(200);
});

test('guesses of the second factor beyond the limit are recorded once, with its method', async () => {
  const person = await newPerson();
  const totp = factors.codeOf(person.secret, 5);
  for (let guess = 0; guess < 10; guess += 1) {
    const answer = await codes.reauthenticate(person.token, { password: person.password, totp });
    expectRefusal(answer, 'auth/invalid-code');
  }
  const passkey = await unverified(person);
  expectRefusal(await codes.reauthenticate(person.token, { passkey, totp }), 'request/rate-limited');
  const entries = await service().auditEntries({ uid: person.uid, action: 'user.guesses_limited' });
  expect(entries.map(({ details }) => details)).toEqual([{ limit: 'second-factor-guesses', method: 'totp' }]);
});

// What the limits of failures do not count, that parallel guesses do not exceed them, and the audit entries of refused guesses.
import type { limits } from '@foyer/contract';
import { beforeEach, describe, expect, test } from 'vitest';
import { codeScenario, newEmail } from './code-scenario.js';
import { type Answer, busyPasswordHasher, type TestService, type TestUser } from './harness.js';
import { expectLimited, from, limitedService, newAddress, times } from './limited-service.js';
import { expectRefusal } from './refusal.js';
import { shared } from './shared.js';

const service = shared(limitedService);
// Every window of the previous test has ended.
beforeEach(() => service.clock.advance(24 * 3_600_000));

const scenario = codeScenario(() => service);
const password = 'right password';

type Door = {
  name: string;
  policy: keyof typeof limits.rateLimits;
  guess(user: TestUser, given: string, from: TestService): Promise<Answer>;
};
const doors: Door[] = [
  {
    ...{ name: 'a sign-in', policy: 'auth-failures-email-ip' },
    guess: ({ email }, given, on) => on.call('POST', '/auth/sign-in', { body: { email, password: given } }),
  },
  {
    ...{ name: 'a reauthentication', policy: 'auth-failures-user' },
    guess: ({ tokens }, given, on) =>
      on.call('POST', '/auth/reauthenticate', { token: tokens.access_token, body: { password: given } }),
  },
  {
    ...{ name: 'a change of the password', policy: 'auth-failures-user' },
    guess: ({ tokens }, given, on) =>
      on.call('PUT', '/me/password', {
        token: tokens.access_token,
        body: { password, current_password: given },
      }),
  },
];

describe.each(doors)('the limit of wrong passwords at $name', ({ policy, guess }) => {
  test('does not count right passwords', async () => {
    const user = await service.newUser();
    await times(9, () => guess(user, 'wrong', service));
    for (const { status } of await times(15, () => guess(user, password, service))) {
      expect([200, 204]).toContain(status);
    }
    expectRefusal(await guess(user, 'wrong', service), 'auth/invalid-credential');
    expectLimited(await guess(user, 'wrong', service), policy, 900);
  });

  test('does not count passwords that could not be verified', async () => {
    const user = await service.newUser();
    const overrides = { passwordHasher: await busyPasswordHasher() };
    const busy = await service.secondInstance({ rateLimits: true, overrides });
    const answers = await times(15, () => guess(user, password, busy));
    await busy.stop();
    for (const answer of answers) expectRefusal(answer, 'request/unavailable');
  });

  test('is not exceeded by parallel guesses', async () => {
    const user = await service.newUser();
    const hashed = service.deps.passwordHasher.done;
    const answers = await Promise.all(Array.from({ length: 40 }, () => guess(user, 'wrong', service)));
    expect(answers.filter(({ code }) => code === 'auth/invalid-credential')).toHaveLength(10);
    expect(answers.filter(({ code }) => code === 'request/rate-limited')).toHaveLength(30);
    expect(service.deps.passwordHasher.done).toBe(hashed + 10);
  });
});

describe('the limits of failures', () => {
  test('do not count right codes, or codes sent with too weak a password', async () => {
    const email = newEmail();
    const own = from(newAddress());
    for (let signIns = 0; signIns < 15; signIns += 1) {
      service.clock.advance(30_000);
      await scenario.send(email, from(newAddress()));
      const answer = await scenario.verify(email, await scenario.codeOf(email, 'sign_in'), own);
      expect(answer.status).toBe(200);
    }
    await times(15, () => scenario.reset(email, '000000', 'short', own));
    expectRefusal(await scenario.verify(email, '000000', own), 'auth/invalid-code');
  });

  test('do not count a reauthentication with a provider that is not enabled', async () => {
    const { tokens } = await service.newUser();
    const off = { provider_a: { id_token: 'x', nonce: 'y' } };
    const reauthenticate = (proof: object) => scenario.reauthenticate(tokens.access_token, proof);
    for (const answer of await times(15, () => reauthenticate(off))) {
      expectRefusal(answer, 'auth/operation-not-allowed');
    }
    expect((await reauthenticate({ password })).status).toBe(200);
  });
});

describe('guesses over a limit add one audit entry a minute', () => {
  const limited = (where: object) => service.auditEntries({ action: 'user.guesses_limited', ...where });

  test('for the account', async () => {
    const { uid, email } = await service.newUser();
    const address = newAddress();
    await times(10, () => service.signInFrom(address, email, 'wrong'));
    expect(await limited({ uid })).toEqual([]);
    for (const minutes of [1, 2]) {
      await times(5, async () =>
        expectRefusal(await service.signInFrom(address, email, 'wrong'), 'request/rate-limited', null),
      );
      const entries = await limited({ uid });
      expect(entries).toHaveLength(minutes);
      expect(entries[0]).toMatchObject({
        actor: 'anonymous',
        ip: address,
        details: { method: 'password' },
      });
      service.clock.advance(60_000);
    }
  });

  test('for the IP address, if its limit is exceeded', async () => {
    const address = newAddress();
    await times(70, () => service.signInFrom(address, newEmail(), 'wrong'));
    const entries = await limited({ ip: address });
    expect(entries).toHaveLength(1);
    expect(entries[0]).toMatchObject({ target: `app:${service.app.app.id}`, details: { method: 'any' } });
  });
});

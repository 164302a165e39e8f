// The second step of a sign-in: its proofs, its ticket, and the budgets of guesses.
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { codeScenario, flowOf, invalidCode, newEmail, wrongCode } from '../../test/code-scenario.js';
import { type Answer, claimsOf, testService } from '../../test/harness.js';
import {
  type CompletedAnswer,
  secondFactorScenario,
  stepMilliseconds,
  ticketIn,
} from '../../test/second-factor-scenario.js';
import { shared } from '../../test/shared.js';

const service = shared(async () => {
  const started = await testService();
  await started.changeSettings({ second_factor: 'optional' });
  return started;
});
const factors = secondFactorScenario(() => service);
const scenario = codeScenario(() => service);
const { codeOf, complete, enrolledUser, ticketOf } = factors;
const invalidTicket = { status: 401, code: 'auth/invalid-token' };
const limited = { status: 429, code: 'request/rate-limited' };

const sessionsOf = (uid: string) => service.database.prisma.session.findMany({ where: { uid } });
const countOf = async (uid: string) => (await sessionsOf(uid)).length;
const succeeded = (answers: Answer<CompletedAnswer>[]) => answers.filter(({ status }) => status === 200);

test('the code of the authenticator app completes the sign-in, which starts no session before', async () => {
  const user = await enrolledUser();
  const { lastSignInAt } = await scenario.userRow(user.uid);
  const ticket = await ticketOf(user);
  expect(await sessionsOf(user.uid)).toHaveLength(1);
  expect((await scenario.userRow(user.uid)).lastSignInAt).toEqual(lastSignInAt);
  const answer = await complete({ ticket, totp: codeOf(user.secret) });
  expect([answer.status, answer.code]).toEqual([200, undefined]);
  expect(Object.keys(answer.data).sort()).toEqual(Object.keys(user.tokens).sort());
  const { access_token: token, refresh_token } = answer.data;
  expect(claimsOf(token)).toMatchObject({ sub: user.uid, amr: ['pwd', 'otp', 'mfa'] });
  expect(answer.headers.get('x-device-token')).toMatch(/^dt_/);
  expect((await service.call('GET', '/me', { token })).status).toBe(200);
  const refreshed = await service.refresh(refresh_token);
  expect(claimsOf(refreshed.data.access_token).amr).toEqual(['pwd', 'otp', 'mfa']);
  const [entry] = await service.auditEntries({ uid: user.uid, action: 'user.signed_in' });
  expect(entry?.details).toMatchObject({ method: 'password', second_factor: 'totp' });
});

test('after an emailed code, the session knows the flow of the code, by which the client is known later', async () => {
  const email = newEmail();
  const { access_token: token, user } = await scenario.signInByCode(email);
  const { secret } = await factors.enroll({ token });
  const flow = flowOf(await scenario.send(email));
  const first = await scenario.verify(email, await scenario.codeOf(email, 'sign_in'), flow);
  const answer = await complete({ ticket: ticketIn(first), totp: codeOf(secret) });
  expect(claimsOf(answer.data.access_token)).toMatchObject({ sub: user.uid, amr: ['otp', 'mfa'] });
  const hashes = (await sessionsOf(user.uid)).map(({ flowHash }) => flowHash);
  const own = createHash('sha256')
    .update(flow.headers['x-code-flow'] ?? '')
    .digest();
  expect(hashes).toContainEqual(new Uint8Array(own));
});

describe('a code of the authenticator app', () => {
  test.each([
    [-2, 422],
    [-1, 200],
    [0, 200],
    [1, 200],
    [2, 422],
  ])('of the step %i from now is answered %i', async (steps, status) => {
    const user = await enrolledUser();
    // Two steps back lies the code that confirmed the enrollment.
    service.clock.advance(stepMilliseconds);
    const answer = await complete({ ticket: await ticketOf(user), totp: codeOf(user.secret, steps) });
    expect(answer.status).toBe(status);
    expect(await countOf(user.uid)).toBe(status === 200 ? 2 : 1);
  });

  test('works once, and no earlier one after it', async () => {
    const user = await enrolledUser();
    const totp = codeOf(user.secret);
    expect((await complete({ ticket: await ticketOf(user), totp })).status).toBe(200);
    for (const steps of [0, -1]) {
      const answer = await complete({ ticket: await ticketOf(user), totp: codeOf(user.secret, steps) });
      expect(answer).toMatchObject(invalidCode);
    }
    expect((await complete({ ticket: await ticketOf(user), totp: codeOf(user.secret, 1) })).status).toBe(200);
  });

  test('is not the one that confirmed the enrollment', async () => {
    const user = await service.signUp();
    const token = user.tokens.access_token;
    const { secret } = (await factors.begin(token)).data;
    expect((await factors.confirm(token, codeOf(secret))).status).toBe(200);
    const answer = await complete({ ticket: await ticketOf(user), totp: codeOf(secret) });
    expect(answer).toMatchObject(invalidCode);
  });

  test('of another user is wrong', async () => {
    const [user, other] = [await enrolledUser(), await enrolledUser()];
    const answer = await complete({ ticket: await ticketOf(user), totp: codeOf(other.secret) });
    expect(answer).toMatchObject(invalidCode);
  });
});

describe('a recovery code', () => {
  test('works once, however it is typed, and the user is told', async () => {
    const user = await enrolledUser();
    const [first = '', second = ''] = user.recoveryCodes;
    const typed = first.toUpperCase().replace('-', ' ');
    const answer = await complete({ ticket: await ticketOf(user), recovery_code: typed });
    expect([answer.status, answer.code]).toEqual([200, undefined]);
    expect(claimsOf(answer.data.access_token).amr).toEqual(['pwd', 'mfa']);
    const again = await complete({ ticket: await ticketOf(user), recovery_code: first });
    expect(again).toMatchObject(invalidCode);
    expect((await complete({ ticket: await ticketOf(user), recovery_code: second })).status).toBe(200);
    expect((await factors.read(answer.data.access_token)).data.recovery_codes_left).toBe(8);
    expect(await scenario.mailed(user.email, 'recovery_code_used')).toHaveLength(2);
    const entries = await service.auditEntries({ uid: user.uid, action: 'user.recovery_code_used' });
    expect(entries.map(({ details }) => details)).toEqual([
      { left: 9, of: 10 },
      { left: 8, of: 10 },
    ]);
  });

  test('stops working when the codes are replaced', async () => {
    const user = await enrolledUser();
    const { access_token: token } = (
      await complete({ ticket: await ticketOf(user), totp: codeOf(user.secret) })
    ).data;
    const replaced = await service.call<{ recovery_codes: string[] }>('POST', '/me/factors/recovery-codes', {
      token,
    });
    expect(replaced.data.recovery_codes).toHaveLength(10);
    const [old, current] = [user.recoveryCodes[0], replaced.data.recovery_codes[0]];
    const ticket = await ticketOf(user);
    expect(await complete({ ticket, recovery_code: old })).toMatchObject(invalidCode);
    expect((await complete({ ticket, recovery_code: current })).status).toBe(200);
  });

  test('is stored as a hash, and the secret encrypted', async () => {
    const user = await enrolledUser();
    const row = await service.database.prisma.secondFactor.findFirstOrThrow({ where: { uid: user.uid } });
    expect(row.recoveryHashes).toHaveLength(10);
    const stored = JSON.stringify(row);
    for (const code of user.recoveryCodes) {
      expect(stored).not.toContain(code);
      expect(stored).not.toContain(code.replace('-', ''));
    }
    expect(Buffer.from(row.secret ?? []).length).toBe(2 + 12 + 20 + 16);
  });
});

describe('a ticket', () => {
  test('works once', async () => {
    const user = await enrolledUser();
    const ticket = await ticketOf(user);
    expect((await complete({ ticket, totp: codeOf(user.secret) })).status).toBe(200);
    expect(await complete({ ticket, totp: codeOf(user.secret, 1) })).toMatchObject(invalidTicket);
    expect(await countOf(user.uid)).toBe(2);
  });

  test('works for ten minutes, and not a millisecond longer', async () => {
    const user = await enrolledUser();
    const ticket = await ticketOf(user);
    service.clock.advance(600_000 - 1);
    expect(await complete({ ticket, totp: wrongCode(codeOf(user.secret)) })).toMatchObject(invalidCode);
    service.clock.advance(1);
    expect(await complete({ ticket, totp: codeOf(user.secret) })).toMatchObject(invalidTicket);
  });

  test('works in its own app only, and not if anything in it is changed', async () => {
    const user = await enrolledUser();
    const ticket = await ticketOf(user);
    const totp = codeOf(user.secret);
    const other = await service.newApp();
    await service.changeSettings({ second_factor: 'optional' }, other);
    expect(await complete({ ticket, totp }, { appKey: other.app.appKey })).toMatchObject(invalidTicket);
    const middle = Math.floor(ticket.length / 2);
    const swapped = ticket[middle] === 'A' ? 'B' : 'A';
    const forged = [
      'x',
      'sf_',
      `${ticket}=`,
      ticket.slice(3),
      ticket.slice(0, -4),
      `sf_${Buffer.alloc(200, 1).toString('base64url')}`,
      ticket.slice(0, middle) + swapped + ticket.slice(middle + 1),
    ];
    for (const each of forged) expect(await complete({ ticket: each, totp })).toMatchObject(invalidTicket);
    expect((await complete({ ticket, totp })).status).toBe(200);
  });

  test.each([
    [
      'a new password',
      401,
      (user: { email: string; uid: string; token: string }) =>
        scenario.changePassword(user.token, { password: 'another long password' }),
    ],
    [
      'a sign-out everywhere',
      401,
      ({ token }: { token: string }) => service.call('POST', '/auth/sign-out-all', { token }),
    ],
    ['the removal of the factor', 401, ({ token }: { token: string }) => factors.remove(token)],
    ['the deletion of the account', 401, ({ token }: { token: string }) => scenario.deleteAccount(token)],
    ['the disabling of the account', 403, ({ uid }: { uid: string }) => scenario.disable(uid)],
  ])('is refused after %s', async (_, status, end) => {
    const user = await enrolledUser();
    const { access_token: token } = (
      await complete({ ticket: await ticketOf(user), totp: codeOf(user.secret) })
    ).data;
    const ticket = await ticketOf(user);
    await end({ ...user, token });
    const answer = await complete({ ticket, totp: codeOf(user.secret, 1) });
    expect([answer.status, answer.code]).toEqual([
      status,
      status === 403 ? 'auth/user-disabled' : 'auth/invalid-token',
    ]);
  });

  test('works at another instance, as after a restart between the steps', async () => {
    const user = await enrolledUser();
    const ticket = await ticketOf(user);
    const other = await service.secondInstance();
    const answer = await other.call('POST', '/auth/second-factor', {
      body: { ticket, totp: codeOf(user.secret) },
    });
    expect(answer.status).toBe(200);
    await other.stop();
  });

  test('takes exactly one proof', async () => {
    const user = await enrolledUser();
    const ticket = await ticketOf(user);
    const totp = codeOf(user.secret);
    for (const proof of [
      {},
      { totp, recovery_code: user.recoveryCodes[0] },
      { totp: '12345' },
      { totp: null },
    ])
      expect(await complete({ ticket, ...proof })).toMatchObject({
        status: 422,
        code: 'request/validation-failed',
      });
    expect((await complete({ ticket, totp })).status).toBe(200);
  });
});

describe('guesses', () => {
  const wrongOf = (secret: string) => wrongCode(codeOf(secret), codeOf(secret, 1), codeOf(secret, -1));

  test('are five for a ticket; then it is used up, and the right code with it', async () => {
    const user = await enrolledUser();
    const ticket = await ticketOf(user);
    const totp = wrongOf(user.secret);
    for (let guess = 0; guess < 5; guess += 1)
      expect(await complete({ ticket, totp })).toMatchObject(invalidCode);
    expect(await complete({ ticket, totp: codeOf(user.secret) })).toMatchObject(invalidTicket);
    expect((await complete({ ticket: await ticketOf(user), totp: codeOf(user.secret) })).status).toBe(200);
  });

  test('are ten for a user within 15 minutes, over all tickets and kinds of proof', async () => {
    const user = await enrolledUser();
    const totp = wrongOf(user.secret);
    for (const proof of [{ totp }, { recovery_code: 'aaaaa-aaaaa' }]) {
      const ticket = await ticketOf(user);
      for (let guess = 0; guess < 5; guess += 1)
        expect(await complete({ ticket, ...proof })).toMatchObject(invalidCode);
    }
    const answer = await complete({ ticket: await ticketOf(user), totp: codeOf(user.secret) });
    expect(answer).toMatchObject(limited);
    expect(answer.headers.get('retry-after')).toBe('900');
    service.clock.advance(900_000 - 1);
    expect(await complete({ ticket: await ticketOf(user), totp: codeOf(user.secret) })).toMatchObject(
      limited,
    );
    service.clock.advance(1);
    expect((await complete({ ticket: await ticketOf(user), totp: codeOf(user.secret) })).status).toBe(200);
  });

  test('in parallel cannot outrun the count: of 20 with one ticket, five are judged', async () => {
    const user = await enrolledUser();
    const ticket = await ticketOf(user);
    const totp = wrongOf(user.secret);
    const answers = await Promise.all(Array.from({ length: 20 }, () => complete({ ticket, totp })));
    expect(answers.filter(({ code }) => code === 'auth/invalid-code')).toHaveLength(5);
    expect(answers.filter(({ code }) => code === 'auth/invalid-token')).toHaveLength(15);
  });

  test('that are right take nothing from the budget of the user', async () => {
    const user = await enrolledUser();
    for (const recovery_code of user.recoveryCodes)
      expect((await complete({ ticket: await ticketOf(user), recovery_code })).status).toBe(200);
    // No recovery code is left to offer.
    const ticket = ticketIn(await service.signIn(user), ['totp']);
    expect((await complete({ ticket, totp: codeOf(user.secret) })).status).toBe(200);
  });

  test('50 parallel right codes start one session, with one ticket or many', async () => {
    for (const count of [1, 50]) {
      const user = await enrolledUser();
      const tickets = await Promise.all(Array.from({ length: count }, () => ticketOf(user)));
      const calls = Array.from({ length: 50 }, (_, at) =>
        complete({ ticket: tickets[at % count] as string, totp: codeOf(user.secret) }),
      );
      const answers = await Promise.all(calls);
      expect(succeeded(answers)).toHaveLength(1);
      expect(await countOf(user.uid)).toBe(2);
      // On a busy machine, the last ones wait for their transaction longer than a call may.
      expect(answers.filter(({ status }) => status >= 500 && status !== 503)).toEqual([]);
    }
  });

  test('of a stranger without the first factor spend nothing and write nothing', async () => {
    const user = await enrolledUser();
    const { prisma } = service.database;
    const before = await prisma.secondFactor.findFirstOrThrow({ where: { uid: user.uid } });
    const other = await enrolledUser();
    const theirs = await ticketOf(other);
    for (let guess = 0; guess < 10; guess += 1) {
      expect(await complete({ ticket: 'sf_forged', totp: '000000' })).toMatchObject(invalidTicket);
      expect((await service.signIn({ ...user, password: 'wrong' })).status).toBe(401);
    }
    await complete({ ticket: theirs, totp: codeOf(user.secret) });
    expect(await prisma.secondFactor.findFirstOrThrow({ where: { uid: user.uid } })).toEqual(before);
  });

  test('are recorded as failures, and counted in the statistics', async () => {
    const user = await enrolledUser();
    await complete({ ticket: await ticketOf(user), totp: wrongOf(user.secret) });
    const [entry] = await service.auditEntries({ uid: user.uid, action: 'user.second_factor_failed' });
    expect(entry?.details).toEqual({ method: 'totp', reason: 'auth/invalid-code' });
    const stats = await service.call('GET', '/admin/stats', { token: service.app.secretKey });
    const today = stats.json.data.days.at(-1);
    expect(today.second_factor_sign_ins).toBeGreaterThan(0);
    expect(today.failed_second_factors).toBeGreaterThan(0);
  });
});

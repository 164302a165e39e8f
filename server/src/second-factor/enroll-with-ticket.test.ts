// What a ticket offers, and that one to enroll a first factor ends with the state of the account that it was issued for.
import { expect, test } from 'vitest';
import { newEmail } from '../../test/code-scenario.js';
import { testService } from '../../test/harness.js';
import { lateAnswer } from '../../test/held-transactions.js';
import { passkeyScenario } from '../../test/passkey-scenario.js';
import { expectRefusal } from '../../test/refusal.js';
import { secondFactorScenario, ticketIn } from '../../test/second-factor-scenario.js';
import { shared } from '../../test/shared.js';

const service = shared(async () => {
  const started = await testService();
  await passkeyScenario(() => started).enable();
  return started;
});
const factors = secondFactorScenario(() => service);
const passkeys = passkeyScenario(() => service);
const rule = (second_factor: 'optional' | 'required') => service.changeSettings({ second_factor });

/** A user with a session, whose password gets a ticket to enroll. */
async function enrollingUser() {
  await rule('optional');
  const user = await service.signUp();
  await rule('required');
  return { user, ticket: ticketIn(await service.signIn(user), ['enroll']) };
}

test('enrolls nothing once another session of the user has added a passkey', async () => {
  const { user, ticket } = await enrollingUser();
  const { secret } = (await factors.beginWithTicket(ticket)).data;
  await passkeys.register(user.tokens.access_token);
  expectRefusal(await factors.beginWithTicket(ticket), 'auth/invalid-token');
  expectRefusal(await factors.confirmWithTicket(ticket, factors.codeOf(secret)), 'auth/invalid-token');
  ticketIn(await service.signIn(user), ['passkey']);
});

test('of two concurrent sign-ups with one email, one gets a ticket, and the other is refused', async () => {
  await rule('required');
  const body = { email: newEmail(), password: 'a password of mine' };
  const signUp = () => service.call('POST', '/auth/sign-up', { body });
  const codes = (await Promise.all([signUp(), signUp()])).map(({ code }) => code);
  expect(codes.toSorted()).toEqual(['auth/email-already-in-use', 'auth/second-factor-required']);
});

type Enrolling = Awaited<ReturnType<typeof enrollingUser>>['user'];
const enrolledMeanwhile: Record<string, (user: Enrolling) => Promise<unknown>> = {
  'an authenticator app': ({ tokens }) => factors.enroll({ token: tokens.access_token }),
  'a passkey': ({ tokens }) => passkeys.register(tokens.access_token),
};

test.each(Object.entries(enrolledMeanwhile))(
  'enrolls nothing beside %s that another instance adds meanwhile, and starts no session',
  async (_, add) => {
    const { user, ticket } = await enrollingUser();
    const { secret } = (await factors.beginWithTicket(ticket)).data;
    const code = factors.codeOf(secret);
    const answer = await lateAnswer(
      service,
      (late) => secondFactorScenario(() => late).confirmWithTicket(ticket, code),
      () => add(user),
    );
    expectRefusal(answer, 'auth/invalid-token');
    expect(await service.database.prisma.session.count({ where: { uid: user.uid } })).toBe(1);
  },
);

test('enrolls nothing once another instance has ended all sessions of the user', async () => {
  const { user, ticket } = await enrollingUser();
  const { secret } = (await factors.beginWithTicket(ticket)).data;
  const answer = await lateAnswer(
    service,
    (late) => secondFactorScenario(() => late).confirmWithTicket(ticket, factors.codeOf(secret)),
    () => service.call('POST', '/auth/sign-out-all', { token: user.tokens.access_token }),
  );
  expectRefusal(answer, 'auth/invalid-token');
  expect(await service.database.prisma.secondFactor.count({ where: { uid: user.uid } })).toBe(0);
});

test('enrolls nothing with a wrong code, and the ticket is accepted with the right one', async () => {
  const { user, ticket } = await enrollingUser();
  const { secret } = (await factors.beginWithTicket(ticket)).data;
  const sessions = () => service.database.prisma.session.count({ where: { uid: user.uid } });
  expectRefusal(await factors.confirmWithTicket(ticket, factors.codeOf(secret, 5)), 'auth/invalid-code');
  expect(await service.database.prisma.secondFactor.count({ where: { uid: user.uid } })).toBe(0);
  expect(await sessions()).toBe(1);
  const [entry] = await service.auditEntries({ uid: user.uid, action: 'user.second_factor_failed' });
  expect(entry?.details).toEqual({ method: 'totp', reason: 'auth/invalid-code' });
  expect((await factors.confirmWithTicket(ticket, factors.codeOf(secret))).status).toBe(200);
  expect(await sessions()).toBe(2);
});

test('enrolls once, even after the user has removed the factor', async () => {
  const { ticket } = await enrollingUser();
  const { secret } = (await factors.beginWithTicket(ticket)).data;
  const confirmed = await factors.confirmWithTicket(ticket, factors.codeOf(secret));
  expect([confirmed.status, confirmed.code]).toEqual([200, undefined]);
  expect((await factors.remove(confirmed.data.access_token)).status).toBe(204);
  service.clock.advance(60_000);
  expectRefusal(await factors.confirmWithTicket(ticket, factors.codeOf(secret)), 'auth/invalid-token');
});

test('a ticket offers recovery codes until the last one is used', async () => {
  await rule('optional');
  const { recoveryCodes, ...user } = await factors.enrolledUser();
  for (const recovery_code of recoveryCodes) {
    const ticket = ticketIn(await service.signIn(user), ['totp', 'recovery_code']);
    expect((await factors.complete({ ticket, recovery_code })).status).toBe(200);
  }
  ticketIn(await service.signIn(user), ['totp']);
});

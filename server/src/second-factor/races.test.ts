// Sign-ins while a second factor is removed or enrolled: whichever comes first, no session starts without a factor that the
// account has at that moment.
import { describe, expect, test } from 'vitest';
import { type Answer, claimsOf, testService } from '../../test/harness.js';
import { lateAnswer } from '../../test/held-transactions.js';
import { expectRefusal } from '../../test/refusal.js';
import { type CompletedAnswer, secondFactorScenario } from '../../test/second-factor-scenario.js';
import { shared } from '../../test/shared.js';
import { inFull } from '../../test/thorough.js';

const service = shared(async () => {
  const started = await testService();
  await started.changeSettings({ second_factor: 'optional' });
  return started;
});
const { begin, codeOf, complete, confirm, enrolledUser, remove, ticketOf } = secondFactorScenario(
  () => service,
);
const rounds = Array.from({ length: inFull(40, 6) }, (_, round) => round);
const amrOf = ({ data }: Answer<CompletedAnswer>) => claimsOf(data.access_token).amr as string[];

/** A later start each round, so that the call falls at every point of the other. */
async function headStart(round: number): Promise<void> {
  for (let turns = 0; turns < round % 20; turns += 1) await new Promise(setImmediate);
}

describe('the removal of the factor', () => {
  test('beside a second step leaves a session of two steps, or none', async () => {
    for (const round of rounds) {
      const user = await enrolledUser();
      const ticket = await ticketOf(user);
      const [step, removed] = await Promise.all([
        complete({ ticket, totp: codeOf(user.secret) }),
        headStart(round).then(() => remove(user.tokens.access_token)),
      ]);
      expect(removed.status).toBe(204);
      if (step.status === 200) expect(amrOf(step)).toContain('mfa');
      else expect(['auth/invalid-code', 'auth/invalid-token']).toContain(step.code);
      const count = await service.database.prisma.session.count({ where: { uid: user.uid } });
      expect(count).toBe(step.status === 200 ? 2 : 1);
    }
  });

  test('beside a first step gives a session, or a ticket that is of no use any more', async () => {
    for (const round of rounds) {
      const user = await enrolledUser();
      const [first, removed] = await Promise.all([
        service.signIn(user),
        headStart(round).then(() => remove(user.tokens.access_token)),
      ]);
      expect(removed.status).toBe(204);
      expect([200, 403]).toContain(first.status);
      if (first.status === 200) continue;
      const ticket = first.json.error.fields.ticket[0];
      expect((await complete({ ticket, totp: codeOf(user.secret) })).code).toBe('auth/invalid-token');
    }
  });
});

test('an enrollment beside sign-ins: those that start a session did so before it', async () => {
  for (const round of rounds) {
    const user = await service.signUp();
    const token = user.tokens.access_token;
    const { secret } = (await begin(token)).data;
    const sessions = () => service.database.prisma.session.count({ where: { uid: user.uid } });
    const atOnce = [0, 1, 2].map(() => service.signIn(user));
    const [confirmed, ...answers] = await Promise.all([
      headStart(round)
        .then(() => confirm(token, codeOf(secret)))
        .then(async (answer) => ({ ...answer, sessions: await sessions() })),
      ...atOnce,
    ]);
    expect(confirmed.status).toBe(200);
    const started = answers.filter(({ status }) => status === 200);
    expect(answers.filter(({ code }) => code === 'auth/second-factor-required')).toHaveLength(
      answers.length - started.length,
    );
    // None was added once the enrollment was answered.
    expect(confirmed.sessions).toBe(1 + started.length);
    expect(await sessions()).toBe(1 + started.length);
  }
});

type User = Awaited<ReturnType<typeof enrolledUser>>;
const usedUp: Record<string, (user: User, ticket: string) => Promise<object>> = {
  'the same code with another ticket': async (user) => ({
    ticket: await ticketOf(user),
    totp: codeOf(user.secret),
  }),
  'the same ticket with another proof': async ({ recoveryCodes: [recovery_code] }, ticket) => ({
    ticket,
    recovery_code,
  }),
};

test.each(Object.entries(usedUp))(
  'a right code is refused once another instance has accepted %s',
  async (_, otherOf) => {
    const user = await enrolledUser();
    const ticket = await ticketOf(user);
    const body = { ticket, totp: codeOf(user.secret) };
    const other = await otherOf(user, ticket);
    const answer = await lateAnswer(
      service,
      (late) => secondFactorScenario(() => late).complete(body),
      async () => expect((await complete(other)).status).toBe(200),
      // The first one counts the guess.
      { after: 1 },
    );
    expectRefusal(answer, 'auth/invalid-code');
    expect(await service.database.prisma.session.count({ where: { uid: user.uid } })).toBe(2);
  },
);

test('a confirmation enrolls nothing once another instance has begun another enrollment', async () => {
  const { uid, tokens } = await service.signUp();
  const token = tokens.access_token;
  const { secret } = (await begin(token)).data;
  let next = '';
  const answer = await lateAnswer(
    service,
    (late) => secondFactorScenario(() => late).confirm(token, codeOf(secret)),
    async () => {
      next = (await begin(token)).data.secret;
    },
  );
  expectRefusal(answer, 'auth/invalid-code');
  expect(await service.database.prisma.secondFactor.findFirst({ where: { uid } })).toMatchObject({
    enrolledAt: null,
  });
  expect((await confirm(token, codeOf(next))).status).toBe(200);
});

const otherApp = {
  replaced: async (token: string) => {
    const next = (await begin(token)).data.secret;
    return confirm(token, codeOf(next));
  },
  removed: (token: string) => remove(token),
};

test.each(Object.entries(otherApp))(
  'a code is refused once another instance has %s the authenticator app that made it',
  async (_, change) => {
    const { password, secret, tokens } = await enrolledUser();
    const token = tokens.access_token;
    const body = { password, totp: codeOf(secret, 1) };
    const answer = await lateAnswer(
      service,
      (late) => late.call('POST', '/auth/reauthenticate', { token, body }),
      async () => expect((await change(token)).status).toBeLessThan(300),
      // The first one counts the guess.
      { after: 1 },
    );
    expectRefusal(answer, 'auth/invalid-code');
  },
);

test('a reauthentication is refused once another instance has ended its session', async () => {
  const { password, secret, tokens } = await enrolledUser();
  const token = tokens.access_token;
  const body = { password, totp: codeOf(secret, 1) };
  const answer = await lateAnswer(
    service,
    (late) => late.call('POST', '/auth/reauthenticate', { token, body }),
    async () => expect((await service.call('POST', '/auth/sign-out', { token })).status).toBe(204),
    // The first one counts the guess.
    { after: 1 },
  );
  expectRefusal(answer, 'auth/invalid-token');
});

test('a code that completed no sign-in, since the credentials had changed, is not used up', async () => {
  const user = await enrolledUser();
  const [ticket, totp] = [await ticketOf(user), codeOf(user.secret)];
  const answer = await lateAnswer(
    service,
    (late) => secondFactorScenario(() => late).complete({ ticket, totp }),
    () => service.call('POST', '/auth/sign-out-all', { token: user.tokens.access_token }),
    { after: 1 },
  );
  expectRefusal(answer, 'auth/invalid-token');
  expect((await complete({ ticket: await ticketOf(user), totp })).status).toBe(200);
});

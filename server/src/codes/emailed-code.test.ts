// The table "Emailed code" of the specification, row by row and at its boundaries, for each use of a code.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { codeScenario, expiredCode, invalidCode, wrongCode } from '../../test/code-scenario.js';
import { type Answer, cheapPasswordHasher, type TestService, testService } from '../../test/harness.js';
import type { CodePurpose } from './store.js';

let service: TestService;
beforeAll(async () => {
  service = await testService({ overrides: { passwordHasher: await cheapPasswordHasher() } });
});
afterAll(() => service.stop());

const scenario = codeScenario(() => service);
const tenMinutes = 600_000;
/** The sessions of an email. */
async function sessionsOf(email: string): Promise<number> {
  const { prisma } = service.database;
  const user = await prisma.user.findFirst({ where: { email } });
  return user ? prisma.session.count({ where: { appId: user.appId, uid: user.id } }) : 0;
}

const newEmail = () => `${randomUUID()}@example.com`;

/** A purpose, ready to be tested. */
type Ready = {
  purpose: CodePurpose;
  subject: string;
  send(): Promise<string>;
  use(code: string): Promise<Answer>;
  /** How often the code was accepted, by the database. */
  opened(): Promise<number>;
};

const doors: [string, () => Promise<Ready>][] = [
  [
    'sign-in with an email that has no account',
    async () => {
      const email = newEmail();
      return {
        purpose: 'sign_in',
        subject: email,
        send: () => scenario.signInCode(email),
        use: (code) => scenario.verify(email, code),
        opened: () => sessionsOf(email),
      };
    },
  ],
  [
    'sign-in to an account',
    async () => {
      const { email } = (await scenario.signInByCode(newEmail())).user;
      return {
        purpose: 'sign_in',
        subject: email,
        send: () => scenario.signInCode(email),
        use: (code) => scenario.verify(email, code),
        opened: async () => (await sessionsOf(email)) - 1,
      };
    },
  ],
  [
    'password reset',
    async () => {
      const { uid, email } = await service.signUp();
      return {
        purpose: 'reset',
        subject: email,
        send: () => scenario.resetCode(email),
        use: (code) => scenario.reset(email, code),
        opened: async () => (await events(uid, 'user.password_changed')).length,
      };
    },
  ],
  [
    'verification of the email',
    async () => {
      const { uid, email, tokens } = await service.signUp();
      const token = tokens.access_token;
      return {
        purpose: 'verification',
        subject: uid,
        send: () => scenario.verificationCode({ email, token }),
        use: (code) => scenario.confirm(token, code),
        opened: async () => (await events(uid, 'user.email_verified')).length,
      };
    },
  ],
  [
    'change of the email',
    async () => {
      const { uid, tokens } = await service.signUp();
      const token = tokens.access_token;
      const email = newEmail();
      return {
        purpose: 'email_change',
        subject: uid,
        send: async () => {
          // The clock advances here, and this send requires a recent sign-in.
          await scenario.reauthenticate(token, { password: 'correct horse battery staple' });
          return scenario.changeCode(token, email);
        },
        use: (code) => scenario.confirm(token, code),
        opened: async () => (await events(uid, 'user.updated')).length,
      };
    },
  ],
  [
    'reauthentication',
    async () => {
      const { email, tokens } = await service.signUp();
      const token = tokens.access_token;
      let opened = 0;
      return {
        purpose: 'sign_in',
        subject: email,
        send: () => scenario.signInCode(email),
        async use(code) {
          const answer = await scenario.reauthenticate(token, { code });
          if (answer.status === 200) opened += 1;
          return answer;
        },
        opened: async () => opened,
      };
    },
  ],
];

const events = (uid: string, type: string) =>
  service.database.prisma.event.findMany({ where: { uid, type } });

const works = (answer: Answer) => [200, 204].includes(answer.status);
const times = (count: number, code: string) => Array.from({ length: count }, () => code);

describe.each(doors)('a code for %s', (_name, ready) => {
  test('works once, and is invalid afterwards', async () => {
    const door = await ready();
    const code = await door.send();
    expect(code).toMatch(/^\d{6}$/);
    expect(await door.use(code)).toSatisfy(works);
    expect(await door.use(code)).toMatchObject(invalidCode);
    expect(await door.opened()).toBe(1);
  });

  test('that was never sent is invalid', async () => {
    const door = await ready();
    expect(await door.use('123456')).toMatchObject(invalidCode);
  });

  test.each([
    ['a millisecond before ten minutes have passed', tenMinutes - 1, works],
    ['when ten minutes have passed', tenMinutes, works],
  ])('works %s', async (_when, age, expected) => {
    const door = await ready();
    const code = await door.send();
    service.clock.advance(age);
    expect(await door.use(code)).toSatisfy(expected);
  });

  test('has expired a millisecond later, right or wrong, and remains expired', async () => {
    const door = await ready();
    const code = await door.send();
    service.clock.advance(tenMinutes + 1);
    expect(await door.use(code)).toMatchObject(expiredCode);
    expect(await door.use(wrongCode(code))).toMatchObject(expiredCode);
    service.clock.advance(tenMinutes);
    expect(await door.use(code)).toMatchObject(expiredCode);
    expect(await door.opened()).toBe(0);
  });

  test('survives four wrong guesses, and is accepted as the fifth', async () => {
    const door = await ready();
    const code = await door.send();
    for (const guess of times(4, wrongCode(code))) expect(await door.use(guess)).toMatchObject(invalidCode);
    expect(await door.use(code)).toSatisfy(works);
  });

  test('is invalid after the fifth wrong guess, even if guessed right', async () => {
    const door = await ready();
    const code = await door.send();
    for (const guess of times(5, wrongCode(code))) expect(await door.use(guess)).toMatchObject(invalidCode);
    expect(await door.use(code)).toMatchObject(invalidCode);
    service.clock.advance(tenMinutes + 1);
    expect(await door.use(code)).toMatchObject(invalidCode);
    expect(await door.opened()).toBe(0);
  });

  test('replaces the previous one, with its own guesses and ten minutes', async () => {
    const door = await ready();
    const old = await door.send();
    for (const guess of times(5, wrongCode(old))) await door.use(guess);
    service.clock.advance(tenMinutes);
    let code = await door.send();
    while (code === old) code = await door.send();
    expect(await door.use(old)).toMatchObject(invalidCode);
    for (const guess of times(3, wrongCode(old, code))) await door.use(guess);
    service.clock.advance(tenMinutes);
    expect(await door.use(code)).toSatisfy(works);
    expect(await door.opened()).toBe(1);
  });

  test('that was used can be followed by a new one', async () => {
    const door = await ready();
    expect(await door.use(await door.send())).toSatisfy(works);
    // A change cannot be repeated: the account has the new email from then on.
    if (door.purpose !== 'email_change') expect(await door.use(await door.send())).toSatisfy(works);
  });

  test('loses no guess to input that is not six digits', async () => {
    const door = await ready();
    const code = await door.send();
    const malformed = [
      '',
      '12345',
      '1234567',
      'abcdef',
      ` ${code}`,
      `${code}\n`,
      '１２３４５６',
      '-12345',
      '1e5',
    ];
    for (const guess of [...malformed, Number(code), null, [code]]) {
      const answer = await door.use(guess as string);
      expect(answer).toMatchObject({ status: 422, code: 'request/validation-failed' });
    }
    expect((await scenario.codeRow(door.purpose, door.subject))?.guesses).toBe(0);
    expect(await door.use(code)).toSatisfy(works);
  });

  test('allows at most five of twenty concurrent guesses, and is invalid afterwards', async () => {
    const door = await ready();
    const code = await door.send();
    const answers = await Promise.all(times(20, wrongCode(code)).map(door.use));
    for (const answer of answers) expect(answer).toMatchObject(invalidCode);
    expect((await scenario.codeRow(door.purpose, door.subject))?.guesses).toBe(5);
    expect(await door.use(code)).toMatchObject(invalidCode);
    expect(await door.opened()).toBe(0);
  });

  test('is accepted exactly once by fifty concurrent uses', async () => {
    const door = await ready();
    const code = await door.send();
    const answers = await Promise.all(times(50, code).map(door.use));
    expect(answers.filter(works)).toHaveLength(1);
    for (const answer of answers.filter((each) => !works(each))) expect(answer).toMatchObject(invalidCode);
    expect(await door.opened()).toBe(1);
  });
});

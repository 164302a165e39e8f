// The table "Emailed code" of the specification, row by row and at its boundaries, at each door that a code opens.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { codeStory, expiredCode, invalidCode, newPassword, wrongCode } from '../../test/code-story.js';
import {
  type Answer,
  cheapPasswordHasher,
  claimsOf,
  type TestService,
  testService,
} from '../../test/harness.js';
import type { CodePurpose } from './store.js';

let service: TestService;
beforeAll(async () => {
  service = await testService({ given: { passwordHasher: await cheapPasswordHasher() } });
});
afterAll(() => service.stop());

const story = codeStory(() => service);
const tenMinutes = 600_000;
const newEmail = () => `${randomUUID()}@example.com`;

/** A door that is ready to be tried. */
type Ready = {
  purpose: CodePurpose;
  subject: string;
  send(): Promise<string>;
  use(code: string): Promise<Answer>;
  /** How often it was opened, by what is in the database. */
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
        send: () => story.signInCode(email),
        use: (code) => story.verify(email, code),
        opened: () => service.database.prisma.session.count({ where: { user: { email } } }),
      };
    },
  ],
  [
    'sign-in to an account',
    async () => {
      const { email } = (await story.signInByCode(newEmail())).user;
      return {
        purpose: 'sign_in',
        subject: email,
        send: () => story.signInCode(email),
        use: (code) => story.verify(email, code),
        opened: async () => (await service.database.prisma.session.count({ where: { user: { email } } })) - 1,
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
        send: () => story.resetCode(email),
        use: (code) => story.reset(email, code),
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
        send: () => story.verificationCode({ email, token }),
        use: (code) => story.confirm(token, code),
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
          // The clock goes on in these stories, and this send demands a recent sign-in.
          await story.reauthenticate(token, { password: 'correct horse battery staple' });
          return story.changeCode(token, email);
        },
        use: (code) => story.confirm(token, code),
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
        send: () => story.signInCode(email),
        async use(code) {
          const answer = await story.reauthenticate(token, { code });
          if (answer.status === 200) opened += 1;
          return answer;
        },
        opened: async () => opened,
      };
    },
  ],
];

const events = (userId: string, type: string) =>
  service.database.prisma.event.findMany({ where: { userId, type } });

const works = (answer: Answer) => [200, 204].includes(answer.status);
const times = (count: number, code: string) => Array.from({ length: count }, () => code);

describe.each(doors)('a code for %s', (_name, ready) => {
  test('works once, and is used then', async () => {
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

  test('has expired a millisecond later, right or wrong, and stays so', async () => {
    const door = await ready();
    const code = await door.send();
    service.clock.advance(tenMinutes + 1);
    expect(await door.use(code)).toMatchObject(expiredCode);
    expect(await door.use(wrongCode(code))).toMatchObject(expiredCode);
    service.clock.advance(tenMinutes);
    expect(await door.use(code)).toMatchObject(expiredCode);
    expect(await door.opened()).toBe(0);
  });

  test('survives four wrong guesses, and the fifth may be the right one', async () => {
    const door = await ready();
    const code = await door.send();
    for (const guess of times(4, wrongCode(code))) expect(await door.use(guess)).toMatchObject(invalidCode);
    expect(await door.use(code)).toSatisfy(works);
  });

  test('is dead after the fifth wrong guess, for the right one too', async () => {
    const door = await ready();
    const code = await door.send();
    for (const guess of times(5, wrongCode(code))) expect(await door.use(guess)).toMatchObject(invalidCode);
    expect(await door.use(code)).toMatchObject(invalidCode);
    service.clock.advance(tenMinutes + 1);
    expect(await door.use(code)).toMatchObject(invalidCode);
    expect(await door.opened()).toBe(0);
  });

  test('takes the place of the one before, with guesses and ten minutes of its own', async () => {
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

  test('that was used gives way to a new one', async () => {
    const door = await ready();
    expect(await door.use(await door.send())).toSatisfy(works);
    // The door of a change is shut by it: the address is the account's own from then on.
    if (door.purpose !== 'email_change') expect(await door.use(await door.send())).toSatisfy(works);
  });

  test('costs no guess when what is sent is not six digits', async () => {
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
    expect((await story.codeRow(door.purpose, door.subject))?.guesses).toBe(0);
    expect(await door.use(code)).toSatisfy(works);
  });

  test('is guessed at five times at most by twenty who guess at once, and is dead then', async () => {
    const door = await ready();
    const code = await door.send();
    const answers = await Promise.all(times(20, wrongCode(code)).map(door.use));
    for (const answer of answers) expect(answer).toMatchObject(invalidCode);
    expect((await story.codeRow(door.purpose, door.subject))?.guesses).toBe(5);
    expect(await door.use(code)).toMatchObject(invalidCode);
    expect(await door.opened()).toBe(0);
  });

  test('opens once to fifty who have it and come at once', async () => {
    const door = await ready();
    const code = await door.send();
    const answers = await Promise.all(times(50, code).map(door.use));
    expect(answers.filter(works)).toHaveLength(1);
    for (const answer of answers.filter((each) => !works(each))) expect(answer).toMatchObject(invalidCode);
    expect(await door.opened()).toBe(1);
  });
});

describe('codes of different kinds', () => {
  test('open nothing but their own door, whether or not a code of the other kind was sent', async () => {
    for (const othersSent of [false, true]) {
      const { uid, email, tokens } = await service.signUp();
      const token = tokens.access_token;
      const other = newEmail();
      const sends = {
        sign_in: () => story.signInCode(email),
        reset: () => story.resetCode(email),
        verification: () => story.verificationCode({ email, token }),
        email_change: () => story.changeCode(token, other),
      };
      const uses: [name: string, own: CodePurpose, use: (code: string) => Promise<Answer>][] = [
        ['verify', 'sign_in', (code) => story.verify(email, code)],
        ['reauthenticate', 'sign_in', (code) => story.reauthenticate(token, { code })],
        ['reset', 'reset', (code) => story.reset(email, code)],
        ['confirm', 'verification', (code) => story.confirm(token, code)],
        ['confirm of a change', 'email_change', (code) => story.confirm(token, code)],
        ['verify with the other address', 'email_change', (code) => story.verify(other, code)],
        ['reset with the other address', 'email_change', (code) => story.reset(other, code)],
      ];
      const kinds = Object.keys(sends) as CodePurpose[];
      for (const kind of kinds) {
        await service.database.prisma.code.deleteMany({ where: { appId: service.app.app.id } });
        const codes = new Map<CodePurpose, string>();
        for (const each of othersSent ? kinds : [kind]) {
          let code = await sends[each]();
          while ([...codes.values()].includes(code)) code = await sends[each]();
          codes.set(each, code);
        }
        for (const [name, own, use] of uses) {
          const confirms = name.startsWith('confirm') && (kind === 'verification' || kind === 'email_change');
          if (own === kind || confirms) continue;
          const answer = await use(codes.get(kind) as string);
          expect({ kind, name, answer }).toMatchObject({ answer: invalidCode });
        }
      }
      expect(await story.userRow(uid)).toMatchObject({ email, emailVerified: false, emailProven: false });
      expect((await service.signIn({ email, password: newPassword })).status).toBe(401);
    }
  });

  test('a code to change the email verifies no other address, and a verification changes none', async () => {
    const { uid, email, tokens } = await service.signUp();
    const token = tokens.access_token;
    const verification = await story.verificationCode({ email, token });
    let change = await story.changeCode(token, newEmail());
    while (change === verification) change = await story.changeCode(token, newEmail());
    // While the change is under way it alone is judged.
    expect(await story.confirm(token, verification)).toMatchObject(invalidCode);
    expect(await story.userRow(uid)).toMatchObject({ email, emailVerified: false });
    service.clock.advance(tenMinutes + 1);
    const fresh = await story.verificationCode({ email, token });
    if (fresh !== change) expect(await story.confirm(token, change)).toMatchObject(invalidCode);
    expect(await story.userRow(uid)).toMatchObject({ email, emailVerified: false });
  });
});

describe('a code of one email', () => {
  test('opens no other email and no other user, and in another app not even the same email', async () => {
    const other = await service.newApp();
    const appKey = other.app.appKey;
    const [ada, eve] = [await service.signUp(), await service.signUp()];
    const twin = await service.signUp({ email: ada.email, appKey });
    const signIn = await story.signInCode(ada.email);
    const reset = await story.resetCode(ada.email);
    const verification = await story.verificationCode({
      email: ada.email,
      token: ada.tokens.access_token,
    });
    const change = await story.changeCode(ada.tokens.access_token, newEmail());
    // Whoever attacks has codes of their own.
    while ((await story.signInCode(eve.email)) === signIn);
    while ((await story.resetCode(eve.email)) === reset);

    const eveToken = eve.tokens.access_token;
    const refused = [
      await story.verify(eve.email, signIn),
      await story.reset(eve.email, reset),
      await story.reauthenticate(eveToken, { code: signIn }),
      await story.confirm(eveToken, verification),
      await story.confirm(eveToken, change),
      await story.verify(ada.email, signIn, { appKey }),
      await story.reset(ada.email, reset, newPassword, { appKey }),
      await service.call('POST', '/auth/reauthenticate', {
        appKey,
        token: twin.tokens.access_token,
        body: { code: signIn },
      }),
      await service.call('POST', '/auth/email/verification/confirm', {
        appKey,
        token: twin.tokens.access_token,
        body: { code: verification },
      }),
    ];
    for (const answer of refused) expect(answer).toMatchObject(invalidCode);
    // None of that was a guess at what it was not asked for.
    for (const [purpose, subject] of [
      ['sign_in', ada.email],
      ['reset', ada.email],
      ['verification', ada.uid],
      ['email_change', ada.uid],
    ] as const) {
      expect((await story.codeRow(purpose, subject))?.guesses).toBe(0);
    }
    expect(await story.verify(ada.email, signIn)).toMatchObject({ status: 200 });
  });

  test('is the same email however it is written', async () => {
    const email = newEmail();
    const code = await story.signInCode(email);
    const written = `  ${email.toUpperCase()} `;
    expect((await story.verify(written, code)).data.user.email).toBe(email);
    expect((await story.send(written)).status).toBe(200);
    const next = await story.codeOf(email, 'sign_in');
    expect(await story.verify(email, next)).toSatisfy(works);
  });

  test('is stored as no more than a keyed hash', async () => {
    const email = newEmail();
    const code = await story.signInCode(email);
    const row = await story.codeRow('sign_in', email);
    expect(row?.codeHash).toHaveLength(32);
    expect(JSON.stringify(row)).not.toContain(code);
  });
});

test('reauthentication by code goes with the session of the call, and starts none', async () => {
  const { tokens, email } = await service.signUp();
  const code = await story.signInCode(email);
  const answer = await story.reauthenticate(tokens.access_token, { code });
  expect(claimsOf(answer.data.access_token).sid).toBe(claimsOf(tokens.access_token).sid);
});

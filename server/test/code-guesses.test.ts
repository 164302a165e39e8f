// The day's budget of wrong guesses at emailed codes, and that it never shuts out a client that is known to the account.
import { limits } from '@foyer/contract';
import { beforeEach, describe, expect, test } from 'vitest';
import { works } from './code-doors.js';
import { codeScenario, flowOf, invalidCode, newEmail, wrongCode } from './code-scenario.js';
import type { Answer, CallOptions } from './harness.js';
import { expectLimited, from, limitedService, newAddress, times } from './limited-service.js';
import { expectRefusal } from './refusal.js';
import { shared } from './shared.js';

const budget = { limit: 12, windowSeconds: 86_400 };
const service = shared(() => limitedService({ 'code-guesses-email-day': budget }));
// Every window of the previous test has ended.
beforeEach(() => service.clock.advance(24 * 60 * minute));

const minute = 60_000;
const scenario = codeScenario(() => service);
const policy = 'code-guesses-email-day';

type Kind = 'sign_in' | 'reset';
type Door = {
  send(email: string, options?: CallOptions): Promise<Answer>;
  use(email: string, code: string, options?: CallOptions): Promise<Answer>;
};
const doors: Record<Kind, Door> = {
  sign_in: { send: scenario.send, use: scenario.verify },
  reset: {
    send: scenario.forgot,
    use: (email, code, options) => scenario.reset(email, code, undefined, options),
  },
};

/** A client of its own network, with these headers. */
const client = (...given: CallOptions[]): CallOptions => ({
  headers: Object.assign({}, from(newAddress()).headers, ...given.map(({ headers }) => headers)),
});
const withDevice = (answer: Answer): CallOptions => ({
  headers: { 'x-device-token': answer.headers.get('x-device-token') as string },
});

/** Strangers guess wrong as often as the budget allows, with the flow of each code and without. */
async function exhaust(email: string, kind: Kind): Promise<void> {
  const { send, use } = doors[kind];
  for (let guesses = 0; guesses < budget.limit; ) {
    const sent = await send(email, client());
    // An email without an account gets no code for a reset.
    const [mail] = await scenario.mailed(email, kind);
    const wrong = wrongCode(mail?.code ?? '');
    for (const flow of [{}, {}, flowOf(sent), flowOf(sent)]) {
      expect(await use(email, wrong, client(flow))).toMatchObject(invalidCode);
      guesses += 1;
    }
  }
}

async function knownUser() {
  const email = newEmail();
  const sent = await scenario.send(email, client());
  const signedIn = await scenario.verify(
    email,
    await scenario.codeOf(email, 'sign_in'),
    client(flowOf(sent)),
  );
  return { email, sent, signedIn, token: signedIn.data.access_token };
}

test('a guess that the database failed to judge is not counted', async () => {
  const { prisma } = service.database;
  const email = newEmail();
  await scenario.send(email, client());
  const code = await scenario.codeOf(email, 'sign_in');
  await prisma.$executeRaw`CREATE FUNCTION lose_connection() RETURNS trigger LANGUAGE plpgsql AS
    'BEGIN RAISE EXCEPTION ''lost'' USING ERRCODE = ''57P01''; END'`;
  await prisma.$executeRaw`CREATE TRIGGER lose_connection BEFORE UPDATE ON codes
    FOR EACH ROW EXECUTE FUNCTION lose_connection()`;
  try {
    for (let guesses = 0; guesses <= budget.limit; guesses += 1)
      expectRefusal(await scenario.verify(email, code, client()), 'request/unavailable', null);
  } finally {
    await prisma.$executeRaw`DROP TRIGGER lose_connection ON codes`;
    await prisma.$executeRaw`DROP FUNCTION lose_connection`;
  }
  expect((await scenario.verify(email, code, client())).status).toBe(200);
});

describe.each<Kind>(['sign_in', 'reset'])(
  'after the wrong guesses of a day, a code of the kind %s',
  (kind) => {
    const { send, use } = doors[kind];

    test('is not judged for strangers, with its flow or without, known email or not', async () => {
      for (const email of [(await knownUser()).email, newEmail()]) {
        await exhaust(email, kind);
        const sent = await send(email, client());
        const code = (await scenario.mailed(email, kind))[0]?.code ?? '000000';
        for (const flow of [flowOf(sent), {}]) {
          expectLimited(await use(email, code, client(flow)), policy, budget.windowSeconds, budget);
        }
        const row = await scenario.codeRow(kind, email);
        expect(row).toMatchObject({ guesses: 0, flowGuesses: 0 });
      }
    });

    test('opens from a known device, without a flow', async () => {
      const { email, signedIn } = await knownUser();
      await exhaust(email, kind);
      await send(email, client());
      const code = await scenario.codeOf(email, kind);
      expect(await use(email, code, client(withDevice(signedIn)))).toSatisfy(works);
    });

    test.each<[string, (user: Awaited<ReturnType<typeof knownUser>>) => CallOptions]>([
      ['the flow of an earlier sign-in', ({ sent }) => client(flowOf(sent))],
      ['a device token', ({ signedIn }) => client(withDevice(signedIn))],
      ['an access token', ({ token }) => ({ ...client(), token })],
    ])('opens with its flow alone if it was requested with %s', async (_name, proof) => {
      const user = await knownUser();
      await exhaust(user.email, kind);
      const sent = await send(user.email, proof(user));
      const code = await scenario.codeOf(user.email, kind);
      expect(await use(user.email, code, client(flowOf(sent)))).toSatisfy(works);
    });
  },
);

test('the flow of another user, or of a session that others ended, proves nothing', async () => {
  const user = await knownUser();
  const other = await knownUser();
  await service.call('POST', '/auth/sign-out-all', { token: user.token });
  await exhaust(user.email, 'sign_in');
  for (const { sent } of [user, other]) {
    const flow = flowOf(await scenario.send(user.email, client(flowOf(sent))));
    const code = await scenario.codeOf(user.email, 'sign_in');
    expectRefusal(await scenario.verify(user.email, code, client(flow)), 'request/rate-limited');
  }
});

test('guesses of signed-in users are limited by the day, each kind for itself', async () => {
  const { email, tokens } = await service.newUser();
  const token = tokens.access_token;
  const judged = async (guess: (code: string) => Promise<Answer>, kind: Kind | 'verification') => {
    const wrong = wrongCode(await scenario.codeOf(email, kind));
    const answers = await times(5, () => guess(wrong));
    return answers.filter(({ code }) => code === 'auth/invalid-code').length;
  };
  let reauthentications = 0;
  for (let round = 0; round < 3; round += 1) {
    // The failures of a user are limited in fifteen minutes, too.
    if (round > 0) service.clock.advance(15 * minute);
    await scenario.send(email, client());
    reauthentications += await judged(
      (code) => scenario.reauthenticate(token, { code }, client()),
      'sign_in',
    );
  }
  expect(reauthentications).toBe(budget.limit);
  service.clock.advance(15 * minute);
  await service.call('POST', '/auth/email/verification/send', { token, ...client() });
  expect(await judged((code) => scenario.confirm(token, code, client()), 'verification')).toBe(5);
});

test('the devices of an account with an unverified email have one budget together', async () => {
  const { email, password } = await service.newUser();
  let judged = 0;
  for (let device = 0; device < 4; device += 1) {
    const known = withDevice(await service.signInFrom(newAddress(), email, password));
    await scenario.send(email, client());
    const wrong = wrongCode(await scenario.codeOf(email, 'sign_in'));
    const answers = await times(5, () => scenario.verify(email, wrong, client(known)));
    judged += answers.filter(({ code }) => code === 'auth/invalid-code').length;
  }
  expect(judged).toBe(budget.limit);
});

test('guesses at codes for a change to one email are limited for all users together', async () => {
  const target = newEmail();
  const guess = async () => {
    const { tokens } = await service.newUser();
    const token = tokens.access_token;
    await service.call('POST', '/me/email', { token, body: { email: target }, ...client() });
    const wrong = wrongCode(await scenario.codeOf(target, 'email_change'));
    return times(4, () => scenario.confirm(token, wrong, client()));
  };
  const answers = (await times(4, guess)).flat();
  expect(answers.filter(({ code }) => code === 'auth/invalid-code')).toHaveLength(budget.limit);
});

test('a guess that finds no code, or an expired one, costs none of the budget', async () => {
  const email = newEmail();
  await times(2 * budget.limit, () => scenario.verify(email, '000000', client()));
  await scenario.send(email, client());
  service.clock.advance(10 * minute + 1);
  await times(2 * budget.limit, () => scenario.verify(email, '000000', client()));
  const sent = await scenario.send(email, client());
  const code = await scenario.codeOf(email, 'sign_in');
  expect(await scenario.verify(email, code, client(flowOf(sent)))).toSatisfy(works);
});

test('a hundred a day is the default', () => {
  expect(limits.rateLimits[policy]).toEqual({ limit: 100, windowSeconds: 86_400 });
});

// Every way in, with every state of the account and of the app: none is without the second factor, and none treats it
// differently. A new method of sessions, or a new endpoint that answers tokens, fails here until it has a row.
import { contract, errorsOf, sessionMethods } from '@foyer/contract';
import type { AppRoute } from '@ts-rest/core';
import { describe, expect, test } from 'vitest';
import { codeScenario, newEmail, newPassword } from './code-scenario.js';
import { type Answer, claimsOf } from './harness.js';
import { passkeyScenario } from './passkey-scenario.js';
import { contoso, providerScenario } from './provider-scenario.js';
import { redirectScenario } from './redirect-scenario.js';
import { type CompletedAnswer, secondFactorScenario, ticketIn } from './second-factor-scenario.js';
import { shared } from './shared.js';
import { v1Scenario } from './v1-scenario.js';

const providers = shared(providerScenario);
const service = () => providers.service;
const codes = codeScenario(service);
const factors = secondFactorScenario(service);
const passkeys = passkeyScenario(service);
const v1 = v1Scenario(service);
const redirects = redirectScenario(() => providers);

type Person = { uid: string; email: string; password: string; token: string };
type SignIn = () => Promise<Answer<CompletedAnswer>>;
type Method = (typeof sessionMethods)[number];
type Way = {
  route: string;
  /** The method of the session, where it is not the name. */
  method?: Method;
  amr: string[];
  /** Lets the account sign in this way, and returns the call that does. */
  prepare(person: Person): Promise<SignIn>;
  /** The method is both steps: it signs in without a ticket. */
  isBothSteps?: boolean;
  /** Whether the call proves who owns the email. */
  provesEmail?: boolean;
};

/** Links a provider to the account, and signs in with it. */
async function byProvider(provider: 'A' | 'B' | 'C', { uid, email, token }: Person): Promise<SignIn> {
  const bodyOf = (jti: string) => providers[`bodyOf${provider}`]({ claims: { sub: uid, email, jti } });
  const path = `/me/identities/${provider === 'C' ? contoso : `provider-${provider.toLowerCase()}`}`;
  const linked = await service().call('POST', path, { token, body: await bodyOf('link') });
  expect(linked.status).toBe(201);
  return async () => providers[`signIn${provider}`](await bodyOf('sign-in'));
}

const ways: Record<Method | 'provider by redirect', Way> = {
  password: {
    route: 'signIn.withPassword',
    amr: ['pwd'],
    prepare: async (person) => () => service().signIn(person),
  },
  email_code: {
    route: 'signIn.withEmailCode',
    amr: ['otp'],
    provesEmail: true,
    prepare:
      async ({ email }) =>
      async () =>
        codes.verify(email, await codes.signInCode(email)),
  },
  provider_a: {
    route: 'signIn.withProviderA',
    amr: ['fed'],
    prepare: (person) => byProvider('A', person),
  },
  provider_b: {
    route: 'signIn.withProviderB',
    amr: ['fed'],
    prepare: (person) => byProvider('B', person),
  },
  provider: {
    route: 'signIn.withProvider',
    amr: ['fed'],
    prepare: (person) => byProvider('C', person),
  },
  'provider by redirect': {
    route: 'signIn.finishRedirect',
    method: 'provider',
    amr: ['fed'],
    async prepare({ uid, email, token }) {
      await redirects.enable();
      const body = await redirects.proof({ sub: uid, email });
      const linked = await service().call('POST', `/me/identities/${contoso}`, { token, body });
      expect(linked.status).toBe(201);
      return () => redirects.signIn({ sub: uid, email });
    },
  },
  passkey: {
    route: 'signIn.withPasskey',
    amr: ['swk', 'user', 'mfa'],
    isBothSteps: true,
    prepare: async ({ token }) => {
      await passkeys.enable();
      const { device } = await passkeys.register(token);
      return async () => passkeys.signIn(await passkeys.assertion(device));
    },
  },
  v1_exchange: {
    route: 'v1Exchange.exchange',
    amr: ['pwd'],
    // Enrollment ends the tokens of v1, so this one is from a time when the app asked for no second factor.
    prepare: async (person) => async () => {
      const { second_factor } = (await settings()).data;
      await codes.set({ second_factor: 'off' });
      const token = await v1.logIn(person);
      await codes.set({ second_factor });
      return v1.exchange(token) as Promise<Answer<CompletedAnswer>>;
    },
  },
};
const names = Object.keys(ways) as (keyof typeof ways)[];

const settings = () =>
  service().call<{ second_factor: 'off' | 'optional' | 'required' }>('GET', '/admin/settings', {
    token: service().app.secretKey,
  });

async function newPerson({ isProven = true } = {}): Promise<Person> {
  const user = await service().signUp();
  const { uid, tokens } = user;
  if (isProven)
    await service().database.prisma.user.updateMany({
      where: { id: uid },
      data: { emailVerified: true, emailProven: true },
    });
  return { ...user, token: tokens.access_token };
}

const sessionsOf = (uid: string) =>
  service().database.prisma.session.count({ where: { uid, endedAt: null } });

describe.each(names)('%s', (name) => {
  const { amr, prepare, provesEmail = false, isBothSteps = false } = ways[name];

  /** The ticket of the answer; null for a method that is both steps, which has signed in. */
  function ticketOf(answer: Answer<CompletedAnswer>, factors?: string[]): string | null {
    if (!isBothSteps) return ticketIn(answer, factors);
    expect([answer.status, answer.code]).toEqual([200, undefined]);
    expect(claimsOf(answer.data.access_token).amr).toEqual(amr);
    return null;
  }

  test('without a factor: a session', async () => {
    await codes.set({ second_factor: 'optional' });
    const signIn = await prepare(await newPerson());
    const answer = await signIn();
    expect([answer.status, answer.code]).toEqual([200, undefined]);
    expect(claimsOf(answer.data.access_token).amr).toEqual(amr);
  });

  test('enrolled: a ticket and no session, until the second step', async () => {
    await codes.set({ second_factor: 'optional' });
    const person = await newPerson();
    const signIn = await prepare(person);
    const { secret } = await factors.enroll(person);
    const before = await sessionsOf(person.uid);
    const ticket = ticketOf(await signIn());
    if (ticket === null) return;
    expect(await sessionsOf(person.uid)).toBe(before);
    const answer = await factors.complete({ ticket, totp: factors.codeOf(secret) });
    expect([answer.status, answer.code]).toEqual([200, undefined]);
    expect(claimsOf(answer.data.access_token).amr).toEqual([...new Set([...amr, 'otp', 'mfa'])]);
    expect('is_new_user' in answer.data).toBe(name.startsWith('provider'));
    const session = await service().database.prisma.session.findFirst({
      where: { uid: person.uid },
      orderBy: { id: 'desc' },
    });
    expect(session?.method).toBe(ways[name].method ?? name);
  });

  test('required and not enrolled: a ticket that enrolls, and nothing else', async () => {
    await codes.set({ second_factor: 'optional' });
    const person = await newPerson();
    const signIn = await prepare(person);
    await codes.set({ second_factor: 'required' });
    const before = await sessionsOf(person.uid);
    const ticket = ticketOf(await signIn(), ['enroll']);
    if (ticket === null) return;
    expect(await sessionsOf(person.uid)).toBe(before);
    expect((await factors.complete({ ticket, totp: '000000' })).code).toBe('auth/invalid-token');
    const { secret } = (await factors.beginWithTicket(ticket)).data;
    const answer = await factors.confirmWithTicket(ticket, factors.codeOf(secret));
    expect([answer.status, answer.code]).toEqual([200, undefined]);
    expect(answer.data.recovery_codes).toHaveLength(10);
    expect(claimsOf(answer.data.access_token).amr).toContain('mfa');
    expect((await factors.confirmWithTicket(ticket, factors.codeOf(secret, 1))).code).toBe(
      'auth/invalid-token',
    );
  });

  test('disabled: refused as without a factor', async () => {
    await codes.set({ second_factor: 'optional' });
    const person = await newPerson();
    const signIn = await prepare(person);
    await factors.enroll(person);
    if (name === 'v1_exchange') return;
    await codes.disable(person.uid);
    const answer = await signIn();
    expect([answer.status, answer.code]).toEqual([403, 'auth/user-disabled']);
  });

  test(`an unproven email: ${provesEmail ? 'the factor of whoever signed up is removed' : 'the factor is asked for'}`, async () => {
    await codes.set({ second_factor: 'optional' });
    const person = await newPerson({ isProven: false });
    const signIn = await prepare(person);
    await factors.enroll(person);
    const answer = await signIn();
    if (!provesEmail) return void ticketOf(answer);
    expect([answer.status, answer.code]).toEqual([200, undefined]);
    expect((await factors.read(answer.data.access_token)).data).toMatchObject({
      totp: null,
      recovery_codes_left: 0,
    });
  });

  test('sign-up closed: as with open', async () => {
    await codes.set({ second_factor: 'optional' });
    const person = await newPerson();
    const signIn = await prepare(person);
    await factors.enroll(person);
    await codes.set({ sign_up: 'closed' });
    try {
      ticketOf(await signIn());
    } finally {
      await codes.set({ sign_up: 'open' });
    }
  });

  test('off: the factor is stored, and not asked for', async () => {
    await codes.set({ second_factor: 'optional' });
    const person = await newPerson();
    const signIn = await prepare(person);
    await factors.enroll(person);
    await codes.set({ second_factor: 'off' });
    expect((await signIn()).status).toBe(200);
    await codes.set({ second_factor: 'optional' });
    expect((await codes.userRow(person.uid)).secondFactor).toBe(true);
  });
});

describe('where the app requires a factor', () => {
  const email = () => newEmail();
  const creating: [string, () => Promise<Answer<CompletedAnswer>>][] = [
    [
      'sign-up',
      () => service().call('POST', '/auth/sign-up', { body: { email: email(), password: newPassword } }),
    ],
    [
      'an emailed code',
      async () => {
        const to = email();
        return codes.verify(to, await codes.signInCode(to));
      },
    ],
    [
      'provider A',
      async () => providers.signInA(await providers.bodyOfA({ claims: { sub: email(), email: email() } })),
    ],
    [
      'provider C',
      async () => providers.signInC(await providers.bodyOfC({ claims: { sub: email(), email: email() } })),
    ],
    [
      'provider C by redirect',
      async () => {
        await redirects.enable();
        return redirects.signIn({ sub: email(), email: email() });
      },
    ],
    [
      'provider B',
      async () => providers.signInB(await providers.bodyOfB({ claims: { sub: email(), email: email() } })),
    ],
  ];

  test.each(creating)(
    'a new account by %s has no session before it has enrolled one',
    async (way, create) => {
      await codes.set({ second_factor: 'required' });
      const ticket = ticketIn(await create(), ['enroll']);
      const { secret, uri } = (await factors.beginWithTicket(ticket)).data;
      expect(uri).toMatch(/^otpauth:\/\/totp\/Test:/);
      const answer = await factors.confirmWithTicket(ticket, factors.codeOf(secret));
      expect([answer.status, answer.code]).toEqual([200, undefined]);
      if (way.startsWith('provider')) expect(answer.data.is_new_user).toBe(true);
      expect(await sessionsOf(answer.data.user.uid)).toBe(1);
    },
  );

  test('a closed sign-up gives no ticket to an email without an account', async () => {
    await codes.set({ second_factor: 'required', sign_up: 'closed' });
    for (const [, create] of creating.filter(([way]) => way !== 'an emailed code'))
      expect((await create()).code).toBe('auth/operation-not-allowed');
    await codes.set({ second_factor: 'optional', sign_up: 'open' });
  });
});

describe('v1', () => {
  const refusal =
    'This account needs a second factor, which this version of the app cannot ask for; please update the app.';

  test('is refused in words from enrollment on, and its tokens end', async () => {
    await codes.set({ second_factor: 'optional' });
    const person = await newPerson();
    const token = await v1.logIn(person);
    expect((await v1.me(token)).status).toBe(200);
    await factors.enroll(person);
    expect((await v1.me(token)).status).toBe(401);
    const { lastSignInAt } = await codes.userRow(person.uid);
    const answer = await v1.call('POST', '/login', {
      body: { email: person.email, password: person.password },
    });
    expect([answer.status, answer.json]).toEqual([403, { message: refusal }]);
    expect(await v1.tokensOf(person.uid)).toEqual([]);
    expect((await codes.userRow(person.uid)).lastSignInAt).toEqual(lastSignInAt);
    expect((await v1.exchange(token)).code).toBe('auth/invalid-token');
  });

  test('is refused where the app requires a factor', async () => {
    await codes.set({ second_factor: 'required' });
    const person = await v1.register();
    const answer = await v1.call('POST', '/login', {
      body: { email: person.email, password: person.password },
    });
    expect([answer.status, answer.json]).toEqual([403, { message: refusal }]);
    await codes.set({ second_factor: 'optional' });
  });
});

test('a reset of the password starts no session, and leaves the factor of a proven email', async () => {
  await codes.set({ second_factor: 'optional' });
  const person = await newPerson();
  const { secret } = await factors.enroll(person);
  expect((await codes.reset(person.email, await codes.resetCode(person.email))).status).toBe(204);
  const ticket = ticketIn(await service().signIn({ ...person, password: newPassword }));
  expect((await factors.complete({ ticket, totp: factors.codeOf(secret) })).status).toBe(200);
});

test('every endpoint that answers a refresh token declares the second factor, or needs none', () => {
  const needsNone = ['sessions.refresh', 'secondFactor.complete', 'secondFactor.confirmEnrollment'];
  const walked = [...Object.values(ways).map(({ route }) => route), 'signIn.signUp', 'invitations.accept'];
  const answering = Object.entries(contract as unknown as Record<string, Record<string, AppRoute>>).flatMap(
    ([group, routes]) =>
      Object.entries(routes).flatMap(([name, route]) => {
        const answers = Object.values(route.responses).some((schema) =>
          keysOf(schema).includes('refresh_token'),
        );
        return answers ? [{ id: `${group}.${name}`, route }] : [];
      }),
  );
  expect(answering.map(({ id }) => id).sort()).toEqual([...needsNone, ...walked].sort());
  for (const { id, route } of answering)
    if (!needsNone.includes(id))
      expect([id, errorsOf(route)]).toEqual([id, expect.arrayContaining(['auth/second-factor-required'])]);
  const methods = names.map((name) => ways[name].method ?? name);
  expect([...sessionMethods].sort()).toEqual([...new Set(methods)].sort());
});

/** The keys of `data` in a response. */
function keysOf(schema: unknown): string[] {
  const { shape } = schema as { shape?: { data?: { shape?: object } } };
  return Object.keys(shape?.data?.shape ?? {});
}

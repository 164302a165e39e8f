// The second step of a sign-in, and the enrolment; in a browser and on the real service: ways-in-browser.test.ts.
import { expect, test } from 'vitest';
import {
  type Client,
  createClient,
  isFoyerError,
  memoryStorage,
  passkeys,
  secondFactor,
  secondFactorOf,
  v1Migration,
  withSecondFactor,
} from '../src/index.js';
import { fakeService } from '../src/testing/index.js';
import { codeOf } from './harness.js';

const ada = { email: 'ada@example.com', password: 'correct horse' };

function setUp(secondFactorRule: 'optional' | 'required' = 'optional') {
  const service = fakeService({ secondFactor: secondFactorRule });
  service.addUser({ ...ada, email_verified: true });
  const newClient = () => createClient({ ...service.options, storage: memoryStorage() });
  /** Each code works once. */
  const totp = () => {
    service.advance(30_000);
    return service.totp(ada.email);
  };
  return { service, newClient, totp };
}

async function enrolled() {
  const world = setUp();
  const client = world.newClient();
  await client.auth.signIn(ada);
  await secondFactor(client).beginTotp();
  const { recovery_codes } = await secondFactor(client).confirmTotp(world.totp());
  return { ...world, client, recoveryCodes: recovery_codes };
}

const requestOf = async (signIn: Promise<unknown>) =>
  secondFactorOf(
    await signIn.then(
      () => null,
      (error) => error,
    ),
  );

test('an enrolled user signs in in two steps, with a code or a recovery code, and with a passkey in one', async () => {
  const { service, client, newClient, totp, recoveryCodes } = await enrolled();
  const device = service.passkeyDevice();
  await passkeys(client, device).register();
  const next = newClient();
  const steps = [
    async () => ({ totp: totp() }),
    async () => ({ recovery_code: recoveryCodes[0]!.toUpperCase() }),
  ];
  for (const step of steps) {
    const request = await requestOf(next.auth.signIn(ada));
    expect(request).toEqual({
      ticket: expect.stringMatching(/^sf_/),
      factors: ['totp', 'recovery_code', 'passkey'],
    });
    expect(next.auth.state.status).toBe('signedOut');
    const { user } = await secondFactor(next).complete({ ticket: request!.ticket!, ...(await step()) });
    expect(next.auth.state).toMatchObject({ status: 'signedIn', uid: user.uid });
    await next.auth.signOut();
  }
  expect((await passkeys(next, device).signIn()).user.email).toBe(ada.email);
  expect((await secondFactor(client).get()).recovery_codes_left).toBe(9);
});

test('withSecondFactor asks again after a wrong code, and not when the user declines', async () => {
  const { newClient, totp } = await enrolled();
  const client = newClient();
  const asked: unknown[] = [];
  const codes = ['000000', totp()];
  const { user } = await withSecondFactor(
    client,
    () => client.auth.signIn(ada),
    async (request, wrong) => {
      asked.push([request.factors, wrong?.code]);
      return { totp: codes.shift()! };
    },
  );
  expect(user.email).toBe(ada.email);
  const factors = ['totp', 'recovery_code'];
  expect(asked).toEqual([
    [factors, undefined],
    [factors, 'auth/invalid-code'],
  ]);
  const declined = withSecondFactor(
    client,
    () => client.auth.signIn(ada),
    () => null,
  );
  expect(await codeOf(declined)).toBe('auth/second-factor-required');
});

test('withSecondFactor passes on what is no second step', async () => {
  const { newClient } = await enrolled();
  const client = newClient();
  const wrong = withSecondFactor(
    client,
    () => client.auth.signIn({ ...ada, password: 'wrong' }),
    () => expect.fail('asked'),
  );
  expect(await codeOf(wrong)).toBe('auth/invalid-credential');
  let guesses = 0;
  const guessing = withSecondFactor(
    client,
    () => client.auth.signIn(ada),
    () => ({ recovery_code: `00000-0000${guesses++}` }),
  );
  // The ticket is used up.
  expect(await codeOf(guessing)).toBe('auth/invalid-token');
  expect(guesses).toBe(6);
});

test('a reauthentication is repeated with the second factor', async () => {
  const { service, client, totp } = await enrolled();
  service.advance(360_000);
  const { password } = ada;
  expect(await requestOf(client.auth.reauthenticate({ password }))).toEqual({ ticket: null, factors: [] });
  await withSecondFactor(
    client,
    (step) => client.auth.reauthenticate({ password, ...step }),
    () => ({ totp: totp() }),
  );
  service.advance(360_000);
  await client.auth.withRecentSignIn(
    () => secondFactor(client).removeTotp(),
    () => ({ password, totp: totp() }),
  );
  expect(await secondFactor(client).get()).toEqual({ rule: 'optional', totp: null, recovery_codes_left: 0 });
});

test('a session from before the enrolment removes the factor only after it has proved it', async () => {
  const { newClient, totp } = setUp();
  const [older, enrolling] = [newClient(), newClient()];
  await older.auth.signIn(ada);
  await enrolling.auth.signIn(ada);
  await secondFactor(enrolling).beginTotp();
  await secondFactor(enrolling).confirmTotp(totp());
  expect(await codeOf(secondFactor(older).removeTotp())).toBe('auth/requires-recent-login');
  await older.auth.reauthenticate({ password: ada.password, totp: totp() });
  await secondFactor(older).removeTotp();
  expect((await secondFactor(older).get()).totp).toBeNull();
});

/** As the effects of StrictMode: twice at once. */
const twice = <T>(work: () => Promise<T>) => Promise.all([work(), work()]);

test('a link that is opened twice gives one ticket, and a code that is sent twice one session', async () => {
  const { service, newClient, totp } = await enrolled();
  const client = newClient();
  await client.auth.emailCode.send(ada.email);
  const link = client.auth.emailCode.parseLink(
    `https://app.example.com/?mode=sign_in&email=${ada.email}&code=${service.code(ada.email)}`,
  )!;
  const [first, second] = await twice(() => requestOf(client.auth.emailCode.verify(link)));
  expect(first?.ticket).toBeTruthy();
  expect(second).toEqual(first);
  const proof = { ticket: first!.ticket!, totp: totp() };
  await twice(() => secondFactor(client).complete(proof));
  expect(service.requestsTo('POST /auth/second-factor').length).toBe(1);
  expect(client.auth.state.status).toBe('signedIn');
});

test('where the app requires a second factor, the first sign-in enrolls one', async () => {
  const { service, newClient, totp } = setUp('required');
  const client = newClient();
  const request = await requestOf(client.auth.signUp({ email: 'bob@example.com', password: ada.password }));
  expect(request?.factors).toEqual(['enroll']);
  expect((await requestOf(client.auth.signIn(ada)))?.factors).toEqual(['enroll']);
  const ticket = (await requestOf(client.auth.signIn(ada)))!.ticket!;
  const { secret, uri } = await secondFactor(client).enroll(ticket);
  expect(uri).toContain(`secret=${secret}`);
  expect((await secondFactor(client).enroll(ticket)).secret).toBe(secret);
  const session = await secondFactor(client).confirmEnrollment({ ticket, code: totp() });
  expect(session.recovery_codes).toHaveLength(10);
  expect(client.auth.state).toMatchObject({ status: 'signedIn', uid: session.user.uid });
  expect(Object.keys(session).sort()).toEqual(['recovery_codes', 'user']);
  service.advance(30_000);
});

test('a second step says whether the first one created the account', async () => {
  const { service, newClient } = setUp('required');
  const client = newClient();
  const email = 'cleo@example.com';
  const proof = { id_token: service.idToken('provider-a', { email, nonce: 'n' }), nonce: 'n' };
  const ticketOf = async () => (await requestOf(client.auth.signInWithProviderA(proof)))!.ticket!;
  const enrolling = await ticketOf();
  await secondFactor(client).enroll(enrolling);
  const confirmation = { ticket: enrolling, code: service.totp(email) };
  const enrolment = await secondFactor(client).confirmEnrollment(confirmation);
  expect(enrolment).toMatchObject({ is_new_user: true, user: { email } });
  service.advance(30_000);
  const completion = { ticket: await ticketOf(), totp: service.totp(email) };
  expect(await secondFactor(client).complete(completion)).toMatchObject({ is_new_user: false });
});

test('where the app requires a second factor, a ticket to enroll one ends with the first passkey, which then is the only one', async () => {
  const { service, newClient } = setUp('required');
  const [client, attacker] = [newClient(), newClient()];
  const ticketOf = async () => (await requestOf(client.auth.signIn(ada)))!.ticket!;
  const [stolen, own] = [await ticketOf(), await ticketOf()];
  const guess = { ticket: stolen, totp: '000000' };
  expect(await codeOf(secondFactor(attacker).complete(guess))).toBe('auth/invalid-token');
  await secondFactor(client).enroll(own);
  await secondFactor(client).confirmEnrollment({ ticket: own, code: service.totp(ada.email) });
  const device = service.passkeyDevice();
  await passkeys(client, device).register();
  await secondFactor(client).removeTotp();
  expect(await codeOf(secondFactor(attacker).enroll(stolen))).toBe('auth/invalid-token');
  expect((await requestOf(attacker.auth.signIn(ada)))?.factors).toEqual(['passkey']);
  const { password } = ada;
  const refused = { ticket: null, factors: ['passkey'] };
  expect(await requestOf(client.auth.reauthenticate({ password }))).toEqual(refused);
  service.advance(360_000);
  await client.auth.reauthenticate({ passkey: await passkeys(client, device).proof() });
  expect((await secondFactor(client).get()).totp).toBeNull();
});

test('a wrong second factor takes no guess from the emailed code', async () => {
  const { service, client, totp } = await enrolled();
  await client.auth.emailCode.send(ada.email);
  const code = service.code(ada.email);
  for (let guess = 0; guess < 6; guess += 1)
    expect(await codeOf(client.auth.reauthenticate({ code, totp: '000000' }))).toBe('auth/invalid-code');
  await client.auth.reauthenticate({ code, totp: totp() });
  expect(client.auth.state.status).toBe('signedIn');
});

test('a ticket survives a reload, and ends after ten minutes', async () => {
  const { service, newClient, totp } = await enrolled();
  const first = (await requestOf(newClient().auth.signIn(ada)))!.ticket!;
  const afterReload: Client = newClient();
  await secondFactor(afterReload).complete({ ticket: first, totp: totp() });
  expect(afterReload.auth.state.status).toBe('signedIn');
  const late = (await requestOf(afterReload.auth.signIn(ada)))!.ticket!;
  // A refused step leaves the present session alone.
  expect(afterReload.auth.state.status).toBe('signedIn');
  service.advance(601_000);
  const proof = { ticket: late, totp: totp() };
  expect(await codeOf(secondFactor(afterReload).complete(proof))).toBe('auth/invalid-token');
  expect(afterReload.auth.state.status).toBe('signedIn');
});

test('the enrolment ends the token of v1, and its user signs in again', async () => {
  const { service } = await enrolled();
  service.addV1Token('v1', ada.email);
  let token: string | null = 'v1';
  const migrateV1 = v1Migration({
    read: () => token,
    clear: () => {
      token = null;
    },
  });
  const client = createClient({ ...service.options, storage: memoryStorage(), migrateV1 });
  expect(await client.auth.ready()).toEqual({ status: 'signedOut', reason: 'migration-rejected' });
  expect(token).toBeNull();
});

test('only the error of a second factor is one', () => {
  expect(secondFactorOf(new Error('…'))).toBeNull();
  expect(secondFactorOf(undefined)).toBeNull();
  expect(isFoyerError(undefined, 'auth/second-factor-required')).toBe(false);
});

// Account lockout by someone who knows the email, against the owner's client, at the real service with its limits.
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { codeScenario } from '../../server/test/code-scenario.js';
import { from, limitedService, newAddress, times } from '../../server/test/limited-service.js';
import { shared } from '../../server/test/shared.js';
import type { ClientOptions } from '../src/api.js';
import { memoryStorage } from '../src/session/storage.js';
import { newClient as newClientAt, password } from './service-client.js';

const service = shared(limitedService);
const scenario = codeScenario(() => service);

/** Each client has its own IP address. */
const newClient = (options: Partial<ClientOptions> = {}) =>
  newClientAt(service, { headers: from(newAddress()).headers, ...options });

const newEmail = () => `${randomUUID()}@example.com`;
const stranger = () => from(newAddress());

test('a sign-in code works after another client requested one and used up its attempts', async () => {
  const { auth } = newClient();
  const email = newEmail();
  await auth.emailCode.send(` ${email.toUpperCase()}`);
  const code = await scenario.codeOf(email, 'sign_in');
  await scenario.send(email, stranger());
  await times(5, () => scenario.verify(email, '000000', stranger()));
  expect((await auth.emailCode.verify({ email, code })).user.email).toBe(email);
});

test('a password reset code works as well, and one for another email is sent without the flow', async () => {
  const { auth } = newClient();
  const [ada, eve] = [await service.newUser(), await service.newUser()];
  await auth.password.forgot(ada.email);
  const code = await scenario.codeOf(ada.email, 'reset');
  await scenario.forgot(ada.email, stranger());
  await scenario.forgot(eve.email, stranger());
  const other = await scenario.codeOf(eve.email, 'reset');
  await auth.password.reset({ email: eve.email, code: other, password });
  await auth.password.reset({ email: ada.email, code, password });
  expect((await auth.signIn({ email: ada.email, password })).user.email).toBe(ada.email);
});

test('of a verification and a change of the email the code that was requested last is confirmed', async () => {
  const { auth, me } = newClient();
  const [email, changed] = [newEmail(), newEmail()];
  const { user } = await auth.signUp({ email, password });
  await me.changeEmail(changed);
  await auth.verification.send();
  await scenario.mailed(email); // Mails of one moment arrive in any order.
  service.clock.advance(60_000);
  await auth.verification.send();
  await auth.verification.confirm(await scenario.codeOf(email, 'verification'));
  await me.changeEmail(changed);
  expect(await auth.verification.confirm(await scenario.codeOf(changed, 'email_change'))).toEqual({
    ...user,
    email: changed,
    email_verified: true,
  });
});

test('a known device stays known through sign-out and restart, and signs in during password guessing', async () => {
  const storage = memoryStorage();
  const email = newEmail();
  const before = newClient({ storage });
  await before.auth.signUp({ email, password });
  const key = `foyer.${service.app.app.appKey}`;
  expect((await storage.get(key))?.length).toBeLessThan(512);
  await before.auth.signOut();
  expect(JSON.parse((await storage.get(key)) as string)).toEqual({ d: expect.stringMatching(/^dt_/) });

  await times(50, () => service.signInFrom(newAddress(), email, 'wrong'));
  const limited = expect.objectContaining({ code: 'request/rate-limited' });
  await expect(newClient().auth.signIn({ email, password })).rejects.toEqual(limited);
  const { auth } = newClient({ storage });
  expect(await auth.ready()).toEqual({ status: 'signedOut' });
  expect((await auth.signIn({ email, password })).user.email).toBe(email);
  await auth.reauthenticate({ password });
});

test('a device is known by its latest sign-in: the token of an earlier one may be invalid', async () => {
  const storage = memoryStorage();
  const email = newEmail();
  const before = newClient({ storage });
  await before.auth.signUp({ email, password });
  await before.auth.signOut({ everywhere: true });
  await before.auth.signIn({ email, password });
  await before.auth.signOut();
  await times(50, () => service.signInFrom(newAddress(), email, 'wrong'));
  const { auth } = newClient({ storage });
  await auth.ready();
  expect((await auth.signIn({ email, password })).user.email).toBe(email);
});

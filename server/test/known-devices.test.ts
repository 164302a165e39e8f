// `X-Device-Token`: however attackers exhaust the budgets of an email, its owner can sign in from a device known to the
// account.
import { beforeEach, expect, test } from 'vitest';
import { codeScenario, newEmail, newPassword, wrongCode } from './code-scenario.js';
import type { Answer, CallOptions } from './harness.js';
import { expectLimited, from, limitedService, newAddress, times } from './limited-service.js';
import { expectRefusal } from './refusal.js';
import { shared } from './shared.js';

/**
 * The rule of an email: fewer than the default, which password-limits.test.ts and proof-limits.test.ts reach, and more
 * than of one IP address.
 */
const ofEmail = { limit: 15, windowSeconds: 900 };
const service = shared(() =>
  limitedService({ 'auth-failures-email': ofEmail, 'code-failures-email': ofEmail }),
);
// Every window of the previous test has ended.
beforeEach(() => service.clock.advance(60 * minute));

const minute = 60_000;
const quarter = 15 * minute;
const password = 'right password';
const scenario = codeScenario(() => service);

/** A device of its own network. */
function device(token: string): CallOptions {
  return { headers: { 'x-device-token': token, ...from(newAddress()).headers } };
}
const tokenOf = (answer: Answer) => answer.headers.get('x-device-token') as string;
const signIn = (email: string, options: CallOptions, typed = password) =>
  service.call('POST', '/auth/sign-in', { ...options, body: { email, password: typed } });
const attack = (email: string) =>
  times(ofEmail.limit, () => service.signInFrom(newAddress(), email, 'wrong'));

async function knownUser() {
  const email = newEmail();
  const signedUp = await service.signUpFrom(newAddress(), email);
  return { email, token: tokenOf(signedUp), accessToken: signedUp.json.data.access_token as string };
}

test('the owner signs in with the right password from a known device during an attack on the account', async () => {
  const { email, token } = await knownUser();
  await attack(email);
  expectLimited(await signIn(email, from(newAddress())), 'auth-failures-email', 900, ofEmail);
  const answer = await signIn(email, device(token));
  expect(answer.status).toBe(200);
  // The sign-in renews the device token.
  expect((await signIn(email, device(tokenOf(answer)))).status).toBe(200);
});

test('whoever has set a new password signs in with it during the attack: each answer marks the device anew', async () => {
  const { email, token, accessToken } = await knownUser();
  await attack(email);
  const reset = await scenario.reset(email, await scenario.resetCode(email), newPassword, device(token));
  expect(reset.status).toBe(204);
  expectLimited(await signIn(email, device(token), newPassword), 'auth-failures-email', 900, ofEmail);
  const again = await signIn(email, device(tokenOf(reset)), newPassword);
  expect(again.status).toBe(200);
  expectRefusal(
    await service.call('PUT', '/me/password', { token: accessToken, body: { password } }),
    'auth/invalid-token',
  );

  const { access_token: newer } = again.json.data;
  const options = { token: newer, body: { password }, ...from(newAddress()) };
  const changed = await service.call('PUT', '/me/password', options);
  expect(changed.status).toBe(204);
  expectLimited(await signIn(email, device(tokenOf(again))), 'auth-failures-email', 900, ofEmail);
  expect((await signIn(email, device(tokenOf(changed)))).status).toBe(200);
});

test('v1 knows no devices', async () => {
  const { email, token } = await knownUser();
  await attack(email);
  const body = { email, password };
  const answer = await service.call('POST', '/login', { ...device(token), version: 'v1', body });
  expectLimited(answer, 'auth-failures-email', 900, ofEmail);
});

test('verify, reset and reauthenticate also use the budget of the device', async () => {
  const { email, token, accessToken } = await knownUser();
  const wrong = wrongCode();
  await times(ofEmail.limit, () => scenario.verify(email, wrong, from(newAddress())));
  expectLimited(await scenario.verify(email, wrong, from(newAddress())), 'code-failures-email', 900, ofEmail);
  await times(10, () => scenario.reauthenticate(accessToken, { password: 'wrong' }, from(newAddress())));
  expectLimited(
    await scenario.reauthenticate(accessToken, { password }, from(newAddress())),
    'auth-failures-user',
    900,
  );

  expect((await scenario.reauthenticate(accessToken, { password }, device(token))).status).toBe(200);
  const code = await scenario.signInCode(email);
  const verified = await scenario.verify(email, code, { ...device(token), token: accessToken });
  expect(verified.status).toBe(200);
  service.clock.advance(minute / 2);
  const reset = await scenario.resetCode(email);
  expect((await scenario.reset(email, reset, newPassword, device(token))).status).toBe(204);
});

test('a device has a budget of ten failures in 15 minutes of its own', async () => {
  const { email, token } = await knownUser();
  const other = tokenOf(await signIn(email, from(newAddress())));
  for (const answer of await times(10, () => signIn(email, device(token), 'wrong'))) {
    expectRefusal(answer, 'auth/invalid-credential');
  }
  const hashed = service.deps.passwordHasher.done;
  expectLimited(await signIn(email, device(token)), 'auth-failures-device', 900);
  expect(service.deps.passwordHasher.done).toBe(hashed);
  expect((await signIn(email, device(other))).status).toBe(200);
  expect((await signIn(email, from(newAddress()))).status).toBe(200);
  service.clock.advance(quarter);
  expect((await times(12, () => signIn(email, device(token)))).map(({ status }) => status)).toEqual(
    Array(12).fill(200),
  );
});

test('an invalid device token is treated as none', async () => {
  const { email } = await knownUser();
  const stranger = await knownUser();
  await attack(email);
  for (const token of [stranger.token, 'nonsense', '', `dt_${'A'.repeat(48)}`]) {
    expectLimited(await signIn(email, device(token)), 'auth-failures-email', 900, ofEmail);
    expect((await signIn(stranger.email, device(token))).status).toBe(200);
  }
  const unknown = newEmail();
  await attack(unknown);
  expectLimited(await signIn(unknown, device(stranger.token)), 'auth-failures-email', 900, ofEmail);
});

test.each<[string, (user: { email: string; accessToken: string }) => Promise<Answer>, string]>([
  [
    'a password change',
    ({ accessToken }) =>
      scenario.changePassword(accessToken, { password: newPassword, current_password: password }),
    newPassword,
  ],
  [
    'a reset',
    async ({ email }) =>
      scenario.reset(email, await scenario.resetCode(email), newPassword, from(newAddress())),
    newPassword,
  ],
  [
    'signing out everywhere',
    ({ accessToken }) => service.call('POST', '/auth/sign-out-all', { token: accessToken }),
    password,
  ],
])('%s invalidates every device token', async (_name, change, typed) => {
  const user = await knownUser();
  expect((await change(user)).status).toBe(204);
  await attack(user.email);
  expectLimited(await signIn(user.email, device(user.token), typed), 'auth-failures-email', 900, ofEmail);
});

test('the device token stays valid after sign-out', async () => {
  const { email, token, accessToken } = await knownUser();
  await service.call('POST', '/auth/sign-out', { token: accessToken });
  await attack(email);
  expect((await signIn(email, device(token))).status).toBe(200);
});

test('a known device does not pass the limit of its IP address', async () => {
  const { email, token } = await knownUser();
  const options = device(token);
  await times(60, () => signIn(email, options));
  expectLimited(await signIn(email, options), 'auth-ip', 60);
});

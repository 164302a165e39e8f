// The setting new_device_notice: which sign-ins send the notice, and what it says.
import { describe, expect, test } from 'vitest';
import { codeScenario } from '../../test/code-scenario.js';
import { type CallOptions, type TestUser, testService } from '../../test/harness.js';
import { passkeyScenario } from '../../test/passkey-scenario.js';
import { expectRefusal } from '../../test/refusal.js';
import { secondFactorScenario, ticketIn } from '../../test/second-factor-scenario.js';
import { shared } from '../../test/shared.js';
import { v1Scenario } from '../../test/v1-scenario.js';

const firefox = {
  'user-agent': 'Mozilla/5.0 (Android 15; Mobile; rv:131.0) Gecko/131.0 Firefox/131.0',
  'x-client-device': 'Visit evil.example/win now',
};
const dayMilliseconds = 86_400_000;

const service = shared(async () => {
  const started = await testService();
  await started.changeSettings({ new_device_notice: true, second_factor: 'optional' });
  return started;
});
const codes = codeScenario(() => service);
const subject = 'A new device signed in to your Test account';

const noticesOf = async ({ email }: { email: string }) =>
  (await service.mailbox(email)).filter((mail) => mail.subject === subject);
const signIn = (user: TestUser, options: CallOptions = {}) => service.signIn(user, options);
const deviceTokenOf = (headers: Headers) => ({
  headers: { 'x-device-token': headers.get('x-device-token') as string },
});

test('a sign-in on a device that is not known sends one notice with the device, without links', async () => {
  const user = await service.signUp();
  expect((await signIn(user, { headers: firefox })).status).toBe(200);
  const notices = await noticesOf(user);
  expect(notices).toHaveLength(1);
  expect(notices[0]?.text).toContain('Visit evil example/win now, Firefox 131, Android 15, 127.0.0.1');
});

test('neither a sign-up nor the first sign-in of an account sends it', async () => {
  const user = await service.signUp();
  expect(await noticesOf(user)).toEqual([]);
  const body = { email: 'created@example.com', password: user.password };
  const { data } = await service.call<{ uid: string }>('POST', '/admin/users', {
    token: service.app.secretKey,
    body,
  });
  const created = { ...user, ...body, uid: data.uid };
  await signIn(created);
  expect(await noticesOf(created)).toEqual([]);
  await signIn(created);
  expect(await noticesOf(created)).toHaveLength(1);
});

test('a device that exchanges its token of v1 is known', async () => {
  const user = await service.signUp();
  const v1 = v1Scenario(() => service);
  expect((await v1.exchange(await v1.logIn(user))).status).toBe(200);
  expect(await noticesOf(user)).toEqual([]);
});

test('a device that sends its device token is known', async () => {
  const user = await service.signUp();
  const first = await signIn(user);
  expect(await noticesOf(user)).toHaveLength(1);
  const again = await signIn(user, deviceTokenOf(first.headers));
  await signIn(user, deviceTokenOf(again.headers));
  expect(await noticesOf(user)).toHaveLength(1);
});

test('a sign-in with a passkey sends it, and the signature works once', async () => {
  const passkeys = passkeyScenario(() => service);
  await passkeys.enable();
  const { user, device } = await passkeys.userWithPasskey();
  const assertion = await passkeys.assertion(device);
  expect((await passkeys.signIn(assertion)).status).toBe(200);
  expect(await noticesOf(user)).toHaveLength(1);
  expectRefusal(await passkeys.signIn(assertion), 'auth/invalid-credential');
  expect(await noticesOf(user)).toHaveLength(1);
});

test('the device token of another account makes no device known', async () => {
  const user = await service.signUp();
  const other = await service.signUp();
  await signIn(user, deviceTokenOf((await signIn(other)).headers));
  expect(await noticesOf(user)).toHaveLength(1);
});

test('an account whose earlier sessions were deleted gets the notice', async () => {
  const user = await service.signUp();
  await service.call('POST', '/auth/sign-out', { token: user.tokens.access_token });
  await service.advance(31 * dayMilliseconds);
  expect(await service.database.prisma.session.count({ where: { uid: user.uid } })).toBe(0);
  await signIn(user);
  expect(await noticesOf(user)).toHaveLength(1);
});

describe('it is sent', () => {
  test('for an emailed code', async () => {
    const user = await service.signUp();
    const code = await codes.signInCode(user.email);
    await service.call('POST', '/auth/email-code/verify', { body: { email: user.email, code } });
    expect(await noticesOf(user)).toHaveLength(1);
  });

  test('once the second step is done, and not before', async () => {
    const factors = secondFactorScenario(() => service);
    const user = await factors.enrolledUser();
    const ticket = ticketIn(await signIn(user));
    expect(await noticesOf(user)).toEqual([]);
    expect((await factors.complete({ ticket, totp: factors.codeOf(user.secret) })).status).toBe(200);
    expect(await noticesOf(user)).toHaveLength(1);
  });
});

test('a wrong password sends none', async () => {
  const user = await service.signUp();
  await signIn({ ...user, password: 'a wrong password' });
  expect(await noticesOf(user)).toEqual([]);
});

test('without the setting nobody gets it', async () => {
  await service.changeSettings({ new_device_notice: false });
  const user = await service.signUp();
  await signIn(user);
  expect(await noticesOf(user)).toEqual([]);
  await service.changeSettings({ new_device_notice: true });
});

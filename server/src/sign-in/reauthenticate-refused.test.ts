// A reauthentication whose second factor is wrong or missing: what it uses up, and what the audit log records.
import { expect, test } from 'vitest';
import { codeScenario, wrongCode } from '../../test/code-scenario.js';
import { claimsOf, testService } from '../../test/harness.js';
import { flag, forged, passkeyScenario } from '../../test/passkey-scenario.js';
import { expectRefusal } from '../../test/refusal.js';
import { secondFactorScenario } from '../../test/second-factor-scenario.js';
import { shared } from '../../test/shared.js';

const service = shared(async () => {
  const started = await testService();
  await started.changeSettings({ second_factor: 'optional' });
  await passkeyScenario(() => started).enable();
  return started;
});
const codes = codeScenario(() => service);
const factors = secondFactorScenario(() => service);
const passkeys = passkeyScenario(() => service);

type Enrolled = Awaited<ReturnType<typeof factors.enrolledUser>>;
const failuresOf = async ({ uid }: Enrolled) =>
  (await service.auditEntries({ uid, action: { endsWith: '_failed' } })).map(({ action, details }) => ({
    action,
    details,
  }));
const wrongFactor = (method: string) => ({
  action: 'user.second_factor_failed',
  details: { method, reason: 'auth/invalid-code' },
});

test('a wrong second factor takes no guess from the emailed code, which renews the sign-in time later', async () => {
  const user = await factors.enrolledUser();
  const token = user.tokens.access_token;
  const code = await codes.signInCode(user.email);
  const totp = wrongCode(factors.codeOf(user.secret));
  for (let guess = 0; guess < 5; guess += 1)
    expectRefusal(await codes.reauthenticate(token, { code, totp }), 'auth/invalid-code');
  expect((await codes.codeRow('sign_in', user.email))?.guesses).toBe(0);
  const answer = await codes.reauthenticate(token, { code, totp: factors.codeOf(user.secret) });
  expect([answer.status, answer.code]).toEqual([200, undefined]);
});

const firstProofs: Record<string, (user: Enrolled) => Promise<object>> = {
  'a password': async ({ password }) => ({ password }),
  'an emailed code': async ({ email }) => ({ code: await codes.signInCode(email) }),
  'a passkey that did not verify the user': async ({ tokens: { access_token: token } }) => {
    const { device } = await passkeys.register(token);
    const assertion = await passkeys.assertion(device, { token });
    return { passkey: forged(device, assertion, { flags: flag.userPresent }) };
  },
};

test.each(Object.entries(firstProofs))(
  'a wrong second factor after %s is recorded once, as such',
  async (_, of) => {
    const user = await factors.enrolledUser();
    const first = await of(user);
    const wrong = { totp: wrongCode(factors.codeOf(user.secret)) };
    expectRefusal(
      await codes.reauthenticate(user.tokens.access_token, { ...first, ...wrong }),
      'auth/invalid-code',
    );
    expect(await failuresOf(user)).toEqual([wrongFactor('totp')]);
  },
);

test('a factor that a parallel call uses up is recorded as such', async () => {
  const user = await factors.enrolledUser();
  const token = user.tokens.access_token;
  const code = await codes.signInCode(user.email);
  const totp = factors.codeOf(user.secret);
  const proofs = [{ code }, { password: user.password }];
  const answers = await Promise.all(proofs.map((proof) => codes.reauthenticate(token, { ...proof, totp })));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 422]);
  expect(await failuresOf(user)).toEqual([wrongFactor('totp')]);
});

test('where a factor is required, only the passkey renews the sign-in time of a user who has no other factor', async () => {
  const { user, device } = await passkeys.userWithPasskey();
  const code = await codes.signInCode(user.email);
  await service.changeSettings({ second_factor: 'required' });
  try {
    const signedIn = await passkeys.signIn(await passkeys.assertion(device));
    const { access_token: token } = signedIn.data;
    service.clock.advance(301_000);
    for (const proof of [
      { password: user.password },
      { code },
      { password: user.password, totp: '000000' },
    ]) {
      const refused = await codes.reauthenticate(token, proof);
      expectRefusal(refused, 'auth/second-factor-required', { factors: ['passkey'] });
    }
    const passkey = await passkeys.assertion(device, { token });
    const answer = await codes.reauthenticate(token, { passkey });
    expect(claimsOf(answer.data.access_token).amr).toEqual(['swk', 'user', 'mfa']);
    const without = await service.call('POST', '/me/factors/totp', { token: user.tokens.access_token });
    expectRefusal(without, 'auth/requires-recent-login');
  } finally {
    await service.changeSettings({ second_factor: 'optional' });
  }
});

test('where a factor is required, a user without any renews the sign-in time to enroll one', async () => {
  const { password, tokens } = await service.signUp();
  await service.changeSettings({ second_factor: 'required' });
  try {
    expect((await codes.reauthenticate(tokens.access_token, { password })).status).toBe(200);
  } finally {
    await service.changeSettings({ second_factor: 'optional' });
  }
});

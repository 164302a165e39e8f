// A user's own second factor: replaced, removed, asked for beside a password, and what is stored of it.
import { expect, onTestFinished, test } from 'vitest';
import { keyRing } from '../../engines/keys/key-ring.js';
import { claimsOf, testEncryptionKey, testService } from '../../test/harness.js';
import { passkeyScenario } from '../../test/passkey-scenario.js';
import { expectRefusal } from '../../test/refusal.js';
import { allRows } from '../../test/rows.js';
import { secondFactorScenario, ticketIn } from '../../test/second-factor-scenario.js';
import { shared } from '../../test/shared.js';
import { systemRandom } from '../lib/crypto/random.js';
import { purge } from '../retention.js';
import { reencryptFactors } from './stored-secret.js';

const minute = 60_000;
const newKey = 'another-secret-key-for-tests-and-long-enough!!';
const keys = [newKey, testEncryptionKey];

/** The service knows the key that a rotation goes over to. */
const service = shared(async () => {
  const started = await testService({ config: { encryptionKeys: [testEncryptionKey, newKey] } });
  await started.changeSettings({ second_factor: 'optional' });
  return started;
});
const factors = secondFactorScenario(() => service);
const passkeys = passkeyScenario(() => service);
const { begin, codeOf, complete, confirm, enrolledUser, read, remove, ticketOf } = factors;
const rowOf = (uid: string) => service.database.prisma.secondFactor.findFirst({ where: { uid } });

test('a reauthentication needs the second factor beside the password, and counts its guesses', async () => {
  const { uid, password, secret, tokens } = await enrolledUser();
  const token = tokens.access_token;
  const again = (proof: object) =>
    service.call<{ access_token: string }>('POST', '/auth/reauthenticate', {
      token,
      body: { password, ...proof },
    });
  const refused = await again({});
  expectRefusal(refused, 'auth/second-factor-required');
  expect(refused.json.error.fields).toEqual({});
  expectRefusal(await again({ totp: codeOf(secret, 5) }), 'auth/invalid-code');
  expect((await rowOf(uid))?.guessTimes).toHaveLength(1);
  expectRefusal(
    await again({ password: 'a wrong password', totp: codeOf(secret) }),
    'auth/invalid-credential',
  );
  expect((await rowOf(uid))?.guessTimes).toHaveLength(1);
  const answer = await again({ totp: codeOf(secret) });
  expect(claimsOf(answer.data.access_token).amr).toEqual(expect.arrayContaining(['pwd', 'otp', 'mfa']));
  expectRefusal(await again({ totp: codeOf(secret) }), 'auth/invalid-code');
});

test('a session of before the enrollment is not recent, so it neither removes the factor nor adds a passkey', async () => {
  await passkeys.enable();
  const user = await service.signUp();
  const before = (await service.signIn(user)).data.access_token;
  const { secret } = await factors.enroll({ token: user.tokens.access_token });
  const changes = async (token: string) => [
    (await begin(token)).code,
    (await service.call('POST', '/me/factors/recovery-codes', { token })).code,
    (await passkeys.creationOptions(token)).code,
    (await service.call('PUT', '/me/password', { token, body: { password: 'another horse battery' } })).code,
  ];
  expect(new Set(await changes(before))).toEqual(new Set(['auth/requires-recent-login']));
  expect((await remove(before)).code).toBe('auth/requires-recent-login');
  const body = { password: user.password, totp: codeOf(secret) };
  expect((await service.call('POST', '/auth/reauthenticate', { token: before, body })).status).toBe(200);
  expect((await remove(before)).status).toBe(204);
});

test('a password alone is a recent sign-in of an enrolled user while the app has no second factors', async () => {
  await passkeys.enable();
  const { email, password } = await enrolledUser();
  await service.changeSettings({ second_factor: 'off' });
  const { access_token } = (await service.signIn({ email, password })).data;
  expect((await passkeys.creationOptions(access_token)).status).toBe(200);
  await service.changeSettings({ second_factor: 'optional' });
  expectRefusal(await passkeys.creationOptions(access_token), 'auth/requires-recent-login');
});

test('the current password alone changes no password of an enrolled user', async () => {
  const { password, secret, tokens } = await enrolledUser();
  const token = tokens.access_token;
  const change = () =>
    service.call('PUT', '/me/password', {
      token,
      body: { password: 'another long password', current_password: password },
    });
  service.clock.advance(6 * minute);
  expectRefusal(await change(), 'auth/requires-recent-login');
  const again = { token, body: { password, totp: codeOf(secret) } };
  expect((await service.call('POST', '/auth/reauthenticate', again)).status).toBe(200);
  expect((await change()).status).toBe(204);
});

test('an enrolled user needs no second factor while the app has none', async () => {
  const { password, secret, tokens } = await enrolledUser();
  const token = tokens.access_token;
  const password2 = 'another long password';
  await service.changeSettings({ second_factor: 'off' });
  onTestFinished(() => service.changeSettings({ second_factor: 'optional' }));
  service.clock.advance(6 * minute);
  const body = { password: password2, current_password: password };
  expect((await service.call('PUT', '/me/password', { token, body })).status).toBe(204);
  for (const proof of [{}, { totp: codeOf(secret, 5) }]) {
    const again = { token, body: { password: password2, ...proof } };
    const answer = await service.call<{ access_token: string }>('POST', '/auth/reauthenticate', again);
    expect([answer.status, answer.code]).toEqual([200, undefined]);
    expect(claimsOf(answer.data.access_token).amr).toEqual(['pwd']);
  }
});

test('another authenticator app replaces the first once it is confirmed, with new recovery codes', async () => {
  const user = await enrolledUser();
  const token = user.tokens.access_token;
  const { secret } = (await begin(token)).data;
  expect((await complete({ ticket: await ticketOf(user), totp: codeOf(user.secret) })).status).toBe(200);
  const { recovery_codes } = (await confirm(token, codeOf(secret))).data;
  service.clock.advance(minute);
  const ticket = await ticketOf(user);
  expectRefusal(await complete({ ticket, totp: codeOf(user.secret) }), 'auth/invalid-code');
  expectRefusal(await complete({ ticket, recovery_code: user.recoveryCodes[0] }), 'auth/invalid-code');
  expect((await complete({ ticket, recovery_code: recovery_codes[0] })).status).toBe(200);
  const [, replaced] = await service.auditEntries({ uid: user.uid, action: 'user.second_factor_enrolled' });
  expect(replaced?.details).toEqual({ replaced: true });
});

test('of two confirmations at once one enrolls', async () => {
  const { tokens } = await service.signUp();
  const { secret } = (await begin(tokens.access_token)).data;
  const answers = await Promise.all([1, 2].map(() => confirm(tokens.access_token, codeOf(secret))));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
});

test('a secret that is not confirmed in ten minutes is of no use, and is deleted', async () => {
  const { uid, tokens } = await service.signUp();
  const { secret } = (await begin(tokens.access_token)).data;
  expect((await rowOf(uid))?.pendingSecret).toBeInstanceOf(Uint8Array);
  service.clock.advance(10 * minute);
  expectRefusal(await confirm(tokens.access_token, codeOf(secret)), 'auth/code-expired');
  service.clock.advance(24 * 60 * minute);
  await purge(service.deps, 'pendingFactors');
  expect(await rowOf(uid)).toBeNull();
});

test('the daily job forgets a replacement that was not confirmed in time, and no factor or newer replacement', async () => {
  const user = await enrolledUser();
  await begin(user.tokens.access_token);
  service.clock.advance(24 * 60 * minute);
  const other = await enrolledUser();
  await begin(other.tokens.access_token);
  await purge(service.deps, 'pendingFactors');
  expect(await rowOf(user.uid)).toMatchObject({ enrolledAt: expect.any(Date), pendingSecret: null });
  expect((await rowOf(other.uid))?.pendingSecret).toBeInstanceOf(Uint8Array);
  const ticket = await ticketOf(user);
  expect((await complete({ ticket, totp: codeOf(user.secret) })).status).toBe(200);
});

test('nothing is left of a factor that the user removed, or whose account is deleted', async () => {
  for (const end of [remove, (token: string) => service.call('DELETE', '/me', { token })]) {
    const { uid, tokens } = await enrolledUser();
    expect((await end(tokens.access_token)).status).toBe(204);
    expect(await rowOf(uid)).toBeNull();
  }
});

test('no table has the secret, the codes or the passkey of an account that is deleted', async () => {
  await passkeys.enable();
  const user = await enrolledUser();
  const token = user.tokens.access_token;
  const { credential } = await passkeys.register(token);
  const ticket = ticketIn(await service.signIn(user), ['totp', 'recovery_code', 'passkey']);
  expect((await complete({ ticket, totp: codeOf(user.secret) })).status).toBe(200);
  const row = await rowOf(user.uid);
  const passkey = await service.database.prisma.passkey.findFirstOrThrow({ where: { uid: user.uid } });
  const hex = (bytes: Uint8Array | null | undefined) => Buffer.from(bytes ?? []).toString('hex');
  const traces = [hex(row?.secret), hex(passkey.credentialId), hex(passkey.publicKey)];
  const hashes = row?.recoveryHashes ?? [];
  const dump = async () => JSON.stringify(await allRows(service.database));
  const before = await dump();
  for (const trace of [...traces, ...hashes]) expect(before).toContain(trace);
  expect((await service.call('DELETE', '/me', { token })).status).toBe(204);
  const after = await dump();
  const never = [user.secret, credential.id, ...user.recoveryCodes];
  for (const trace of [...traces, ...hashes, ...never]) {
    expect(trace.length).toBeGreaterThan(8);
    expect(after).not.toContain(trace);
  }
});

test('the backend of an app reads when it was enrolled, and how many recovery codes are left', async () => {
  const [user, other] = [await enrolledUser(), await service.signUp()];
  const ticket = await ticketOf(user);
  expect((await complete({ ticket, recovery_code: user.recoveryCodes[0] })).status).toBe(200);
  const readOf = (uid: string) =>
    service.call('GET', `/admin/users/${uid}/factors`, { token: service.app.secretKey });
  const own = (await read(user.tokens.access_token)).data;
  expect((await readOf(user.uid)).data).toEqual(own);
  expect(own).toMatchObject({ totp: { enrolled_at: expect.any(String) }, recovery_codes_left: 9 });
  expect((await readOf(other.uid)).data).toMatchObject({ totp: null, recovery_codes_left: 0 });
  expectRefusal(await readOf('01JC4Q7M0RZ9X2V5T8W3Y6K1NB'), 'auth/user-not-found');
});

test('the team of an app removes the factor of a user who lost it, which ends all sessions', async () => {
  const user = await enrolledUser();
  const ticket = await ticketOf(user);
  const call = () =>
    service.call('DELETE', `/admin/users/${user.uid}/factors`, { token: service.app.secretKey });
  expect((await call()).status).toBe(204);
  expectRefusal(await call(), 'auth/second-factor-not-enrolled');
  expectRefusal(await read(user.tokens.access_token), 'auth/invalid-token');
  expectRefusal(await complete({ ticket, totp: codeOf(user.secret) }), 'auth/invalid-token');
  expect((await service.signIn(user)).status).toBe(200);
});

test('secrets are re-encrypted under a new key, and the app and the recovery codes still work', async () => {
  const user = await enrolledUser();
  const waiting = await service.signUp();
  await begin(waiting.tokens.access_token);
  const rotated = keyRing(keys, systemRandom());
  const { prisma } = service.deps;
  const rotate = () => reencryptFactors({ prisma, keyRing: rotated }, service.app.app.id);
  const kept = await prisma.secondFactor.count();
  expect([await rotate(), await rotate()]).toEqual([kept, 0]);
  for (const proof of [{ totp: codeOf(user.secret) }, { recovery_code: user.recoveryCodes[0] }])
    expect((await complete({ ticket: await ticketOf(user), ...proof })).status).toBe(200);
});

test('the secret of an authenticator app has 160 bits', async () => {
  const { tokens } = await service.signUp();
  expect((await begin(tokens.access_token)).data.secret).toMatch(/^[A-Z2-7]{32}$/);
});

// Imported v1 passwords: v1's rules apply until they are rehashed, and none is locked out.
import { hashSync } from 'bcryptjs';
import { expect, test } from 'vitest';
import { codeScenario } from '../../../test/code-scenario.js';
import { testService } from '../../../test/harness.js';
import { shared } from '../../../test/shared.js';
import { v1ImportScenario } from '../../../test/v1-import-scenario.js';
import { v1Scenario } from '../../../test/v1-scenario.js';

const service = shared(() => testService());

const v1 = v1Scenario(() => service);
const scenario = codeScenario(() => service);
const { importUsers, nextUser } = v1ImportScenario(() => service);

async function imported(password: string): Promise<{ email: string; password_hash: string }> {
  const user = nextUser({ password_hash: hashSync(password, 4) });
  expect(await importUsers([user])).toMatchObject({ made: 1 });
  return user;
}

/** The statuses of a sign-in to v2 and to v1. */
async function answersTo(email: string, password: string): Promise<number[]> {
  const body = { email, password };
  const { status } = await service.signIn(body);
  return [status, (await v1.call('POST', '/login', { body })).status];
}

test.each([72, 80])('a v1 password of %i bytes stays bcrypt, cut after 72 bytes', async (bytes) => {
  const password = 'p'.repeat(bytes);
  const { email, password_hash } = await imported(password);
  const [other, cut] = [`${password.slice(0, 72)}OTHER`, password.slice(0, 72)];
  for (const typed of [other, cut, password, other, password]) {
    expect(await answersTo(email, typed)).toEqual([200, 200]);
  }
  expect((await v1.rowOf(email)).passwordHash).toBe(password_hash);
  expect(await answersTo(email, password.slice(0, 71))).toEqual([401, 401]);
});

test('a v1 password of 71 bytes is rehashed whole with argon2id', async () => {
  const password = `${'é'.repeat(35)}p`;
  const { email } = await imported(password);
  expect(await answersTo(email, password)).toEqual([200, 200]);
  expect((await v1.rowOf(email)).passwordHash).toMatch(/^\$argon2id\$/);
  expect(await answersTo(email, `${password}p`)).toEqual([401, 401]);
});

test('a v1 password of more than 1,024 bytes is accepted by its first 1,024', async () => {
  const password = 'p'.repeat(1_025);
  const { email } = await imported(password);
  expect(await answersTo(email, password)).toEqual([422, 422]);
  expect(await answersTo(email, password.slice(1))).toEqual([200, 200]);
});

test('a password set by the backend is not one of v1: the first sign-in by code removes it from an unverified account', async () => {
  const user = nextUser({ password_hash: hashSync('correct horse', 4), email_verified: false });
  expect(await importUsers([user])).toMatchObject({ made: 1 });
  const { id } = await v1.rowOf(user.email);
  const body = { password: 'set by the backend' };
  const set = await service.call('PATCH', `/admin/users/${id}`, { token: service.app.secretKey, body });
  expect(set.status).toBe(200);
  expect(await answersTo(user.email, body.password)).toEqual([200, 200]);
  await scenario.signInByCode(user.email);
  expect(await answersTo(user.email, body.password)).toEqual([401, 401]);
});

test('a wrong v1 password costs the work for an unknown email, plus bcrypt', async () => {
  const { email } = await imported('correct horse');
  const workOf = async (address: string) => {
    const { passwordHasher } = service.deps;
    const before = passwordHasher.done;
    expect(await answersTo(address, 'wrong horse')).toEqual([401, 401]);
    return passwordHasher.done - before;
  };
  expect(await workOf('nobody@example.com')).toBe(2);
  expect(await workOf(email)).toBe(4);
});

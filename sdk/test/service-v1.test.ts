// The migration from v1 against the real service: a v1 release signs in, the update continues.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cheapPasswordHasher, type TestService, testService } from '../../server/test/harness.js';
import { createClient } from '../src/client.js';
import { v1Migration } from '../src/migrate-v1.js';
import { codeOf } from './harness.js';

const password = 'correct horse battery staple';
let service: TestService;
let hasher: Awaited<ReturnType<typeof cheapPasswordHasher>>;

beforeAll(async () => {
  hasher = await cheapPasswordHasher();
  service = await testService({ overrides: { passwordHasher: hasher } });
});

afterAll(async () => {
  await service.stop();
  await hasher.close();
});

async function v1(method: string, path: string, body?: object, token?: string): Promise<Response> {
  return fetch(`${service.url}/api/v1${path}`, {
    method,
    headers: {
      'X-App-Key': service.app.app.appKey,
      ...(body && { 'Content-Type': 'application/json' }),
      ...(token && { Authorization: `Bearer ${token}` }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
}

/** A user who registered and signed in with v1. */
async function v1User() {
  const email = `${randomUUID()}@example.com`;
  const names = { first_name: 'Ada', last_name: 'Lovelace' };
  await v1('POST', '/register', { ...names, email, password, password_confirmation: password });
  const answer = await v1('POST', '/login', { email, password });
  const { data } = (await answer.json()) as { data: { token: string; user: { member_id: string } } };
  return { email, token: data.token, memberId: data.user.member_id };
}

function update(token: string) {
  const kept = { token: token as string | null, result: '' };
  const client = createClient({
    baseUrl: `${service.url}/api/v2`,
    appKey: service.app.app.appKey,
    migrateV1: v1Migration({
      read: () => kept.token,
      clear: () => {
        kept.token = null;
      },
      onResult: (result) => {
        kept.result = result;
      },
    }),
  });
  return { client, kept };
}

test('a v1 token becomes a session with the same member id, and is invalid in v1 afterwards', async () => {
  const { email, token, memberId } = await v1User();
  const { client, kept } = update(token);
  expect(await client.auth.ready()).toMatchObject({ status: 'signedIn', user: { email } });
  expect(kept).toEqual({ token: null, result: 'migrated' });
  expect(await client.me.loyalty()).toMatchObject({ member_id: memberId, points: 0 });
  expect((await v1('GET', '/me', undefined, token)).status).toBe(401);
});

test('an hour after the v1 sign-in, deleting the account requires the password once', async () => {
  const { token } = await v1User();
  await service.advance(3_600_000);
  const { client } = update(token);
  await client.auth.ready();
  expect(await codeOf(client.me.delete())).toBe('auth/requires-recent-login');
  let asked = 0;
  await client.auth.withRecentSignIn(
    () => client.me.delete(),
    () => {
      asked += 1;
      return { password };
    },
  );
  expect(asked).toBe(1);
  expect(client.auth.state).toEqual({ status: 'signedOut', reason: 'deleted' });
});

test('a signed-out v1 token is rejected and cleared', async () => {
  const { token } = await v1User();
  await v1('POST', '/logout', undefined, token);
  const { client, kept } = update(token);
  expect(await client.auth.ready()).toEqual({ status: 'signedOut', reason: 'migration-rejected' });
  expect(kept).toEqual({ token: null, result: 'rejected' });
});

// How many statements each of the hot calls sends to the database. More would show under load first: as many round trips,
// and as many places to be interrupted between.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestService, testService } from '../../test/harness.js';

const sent: string[] = [];
let service: TestService;

beforeAll(async () => {
  service = await testService({ onStatement: (sql) => sent.push(sql) });
  // The app's settings are asked for once in a while, and not by each call.
  await service.signUp();
});
afterAll(() => service.stop());

/** The statements that a call sends, once it is known to be good. */
async function statementsOf(status: number, call: () => Promise<{ status: number }>): Promise<number> {
  sent.length = 0;
  expect((await call()).status).toBe(status);
  return sent.length;
}

test('a refresh is one statement, and so is its retry', async () => {
  const { tokens } = await service.signUp();
  const refresh = () => service.refresh(tokens.refresh_token);
  expect(await statementsOf(200, refresh)).toBe(1);
  expect(await statementsOf(200, refresh)).toBe(1);
});

test('a refresh that ends the session for late reuse is one statement, with its event and audit row', async () => {
  const { tokens } = await service.signUp();
  await service.refresh(tokens.refresh_token);
  service.clock.advance(30_001);
  // The clock has passed the seconds for which the app's settings are known.
  await service.call('GET', '/me');
  expect(await statementsOf(401, () => service.refresh(tokens.refresh_token))).toBe(1);
});

test('GET /me is one statement, the first time as later', async () => {
  const { tokens } = await service.signUp();
  const read = () => service.call('GET', '/me', { token: tokens.access_token });
  expect(await statementsOf(200, read)).toBe(1);
  expect(await statementsOf(200, read)).toBe(1);
});

test('a refused token costs no statement', async () => {
  const { tokens } = await service.signUp();
  const forged = `${tokens.access_token.slice(0, -4)}AAAA`;
  expect(await statementsOf(401, () => service.call('GET', '/me', { token: forged }))).toBe(0);
});

test('a sign-in is at most three statements', async () => {
  const { email, password } = await service.signUp();
  const body = { email, password };
  expect(await statementsOf(200, () => service.call('POST', '/auth/sign-in', { body }))).toBeLessThanOrEqual(
    3,
  );
});

test('a sign-up is at most three statements', async () => {
  const body = { email: 'new@example.com', password: 'correct horse battery staple' };
  expect(await statementsOf(201, () => service.call('POST', '/auth/sign-up', { body }))).toBeLessThanOrEqual(
    3,
  );
});

test('the key set is no statement', async () => {
  expect(await statementsOf(200, () => service.call('GET', '/.well-known/jwks.json'))).toBe(0);
});

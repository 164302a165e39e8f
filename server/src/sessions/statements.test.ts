// How many statements each hot call sends to the database. More would show under load first: as extra round trips, and
// extra points of interruption.
import { beforeAll, expect, test } from 'vitest';
import { testService } from '../../test/harness.js';
import { passkeyScenario } from '../../test/passkey-scenario.js';
import { shared } from '../../test/shared.js';

const sent: string[] = [];
const service = shared(() => testService({ onStatement: (sql) => sent.push(sql) }));
// The app's settings are queried periodically, not by each call.
beforeAll(() => service.signUp());

/** The statements of a call, once its status is verified. */
async function statementsOf(status: number, call: () => Promise<{ status: number }>): Promise<number> {
  sent.length = 0;
  expect((await call()).status).toBe(status);
  return sent.length;
}

test('a refresh is one statement that inserts nothing, and so is its retry', async () => {
  const { tokens } = await service.signUp();
  const refresh = () => service.refresh(tokens.refresh_token);
  expect(await statementsOf(200, refresh)).toBe(1);
  expect(sent.join()).not.toContain('INSERT');
  expect(await statementsOf(200, refresh)).toBe(1);
});

test('late reuse of a refresh token is two statements: the refresh, and the end with its event and audit row', async () => {
  const { tokens } = await service.signUp();
  await service.refresh(tokens.refresh_token);
  service.clock.advance(30_001);
  // The cached settings of the app have expired.
  await service.call('GET', '/me');
  const reuse = () => service.refresh(tokens.refresh_token);
  expect(await statementsOf(401, reuse)).toBe(2);
  expect(await statementsOf(401, reuse)).toBe(1);
});

test('GET /me is one statement, on the first call and later ones', async () => {
  const { tokens } = await service.signUp();
  const read = () => service.call('GET', '/me', { token: tokens.access_token });
  expect(await statementsOf(200, read)).toBe(1);
  expect(await statementsOf(200, read)).toBe(1);
});

test('a sign-up is two statements', async () => {
  const body = { email: 'new@example.com', password: 'correct horse battery staple' };
  expect(await statementsOf(201, () => service.call('POST', '/auth/sign-up', { body }))).toBe(2);
});

test('a sign-out is two statements: the session check and the end of the session', async () => {
  const { tokens } = await service.signUp();
  const signOut = () => service.call('POST', '/auth/sign-out', { token: tokens.access_token });
  expect(await statementsOf(204, signOut)).toBe(2);
});

test('the key set is one statement per second, however often it is requested', async () => {
  const read = () => service.call('GET', '/.well-known/jwks.json');
  service.clock.advance(1_000);
  expect(await statementsOf(200, read)).toBe(1);
  service.clock.advance(999);
  expect(await statementsOf(200, read)).toBe(0);
});

test('a sign-in with a passkey is two statements: the look-up, and the session with the use of the passkey', async () => {
  const scenario = passkeyScenario(() => service);
  await scenario.enable();
  const { device } = await scenario.userWithPasskey();
  const options = () => scenario.options();
  await options();
  expect(await statementsOf(200, options)).toBe(0);
  const assertion = await scenario.assertion(device);
  expect(await statementsOf(200, () => scenario.signIn(assertion))).toBe(2);
});

test('the rule that users may have a second factor costs no statement more', async () => {
  const { email, password, tokens } = await service.signUp();
  let { access_token: token, refresh_token } = tokens;
  const counted = async () => {
    // The settings are in the cache.
    await service.call('GET', '/me', { token });
    const signIn = await statementsOf(200, () => service.signIn({ email, password }));
    const refresh = await statementsOf(200, async () => {
      const answer = await service.refresh(refresh_token);
      ({ access_token: token, refresh_token } = answer.data);
      return answer;
    });
    return { signIn, refresh, me: await statementsOf(200, () => service.call('GET', '/me', { token })) };
  };
  const off = await counted();
  expect(off).toEqual({ signIn: 2, refresh: 1, me: 1 });
  for (const second_factor of ['optional', 'off'] as const) {
    await service.changeSettings({ second_factor });
    expect(await counted(), second_factor).toEqual(off);
  }
});

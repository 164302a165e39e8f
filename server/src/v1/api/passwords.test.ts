// Password reset in v1, with the codes of v2.
import { describe, expect, test } from 'vitest';
import { codeScenario, wrongCode } from '../../../test/code-scenario.js';
import { statementLog, testService } from '../../../test/harness.js';
import { shared } from '../../../test/shared.js';
import { expectV1Refusal, v1Scenario } from '../../../test/v1-scenario.js';

const statements = statementLog();
const service = shared(() => testService({ onStatement: statements.onStatement }));

const v1 = v1Scenario(() => service);
const scenario = codeScenario(() => service);

test('POST /password/forgot answers every email identically, with the same work, and mails only existing accounts', async () => {
  const user = await service.signUp();
  const came: { text: string; statements: number }[] = [];
  for (const email of [user.email, 'nobody-at-all@example.com']) {
    let text = '';
    const sent = await statements.during(async () => {
      ({ text } = await v1.call('POST', '/password/forgot', { body: { email } }));
    });
    came.push({ text, statements: sent.length });
  }
  expect(came[1]).toEqual(came[0]);
  expect(came[0]?.text).toBe(JSON.stringify({ success: true, app: service.app.app.slug, data: {} }));
  expect(await scenario.mailed(user.email, 'reset')).toHaveLength(1);
  expect(await scenario.mailed('nobody-at-all@example.com')).toEqual([]);
});

describe('POST /password/reset', () => {
  const reset = (email: string, code: string, given: object = {}) =>
    v1.call('POST', '/password/reset', {
      body: { email, code, password: 'a new password', password_confirmation: 'a new password', ...given },
    });

  test('refuses a wrong or expired code, a weak password and a wrong confirmation with 422', async () => {
    const { email } = await service.signUp();
    const code = await scenario.resetCode(email);
    const passwords = (password: string, password_confirmation = password) => ({
      password,
      password_confirmation,
    });
    const unequal = passwords('a new password', 'another password');
    for (const [wrong, given, message] of [
      [wrongCode(code), {}, 'The code is wrong, was already used, or has had five failed attempts.'],
      [code, passwords('short'), 'The password must have at least 8 characters.'],
      [code, unequal, 'The password confirmation must be the same as the password.'],
      ['12345', {}, 'The code must have six digits.'],
    ] as const) {
      expectV1Refusal(await reset(email, wrong, given), 422, message);
    }
    service.clock.advance(600_001);
    expectV1Refusal(await reset(email, code), 422, 'The code is older than 10 minutes; request a new one.');
  });

  test('shares its five guesses with v2', async () => {
    const { email } = await service.signUp();
    const code = await scenario.resetCode(email);
    for (let guess = 0; guess < 5; guess += 1) {
      const wrong = wrongCode(code);
      await (guess % 2 ? scenario.reset(email, wrong) : reset(email, wrong));
    }
    expectV1Refusal(await reset(email, code), 422);
    expect((await scenario.reset(email, code)).code).toBe('auth/invalid-code');
  });

  test('answers 403 for a disabled account once the code is right', async () => {
    const user = await service.signUp();
    const code = await scenario.resetCode(user.email);
    await scenario.disable(user.uid);
    expectV1Refusal(await reset(user.email, code), 403, 'This account has been disabled.');
  });
});

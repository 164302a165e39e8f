// The statements on codes name purpose and subject, so that the index finds their rows, however many codes there are.
import { expect, test } from 'vitest';
import { codeScenario, flowOf, newEmail, newPassword } from '../../test/code-scenario.js';
import { statementLog, testService } from '../../test/harness.js';
import { shared } from '../../test/shared.js';

const statements = statementLog();
const service = shared(() => testService({ onStatement: statements.onStatement }));
const scenario = codeScenario(() => service);

test('every call that uses or deletes codes names both, so that it reads none of other subjects', async () => {
  const user = await service.signUp();
  const { access_token: token } = user.tokens;
  const sent = await statements.during(async () => {
    const flow = flowOf(await scenario.sendVerification(token));
    await scenario.confirm(token, await scenario.codeOf(user.email, 'verification'), flow);
    await scenario.confirm(token, await scenario.changeCode(token, newEmail()));
    const { email } = (await service.call<{ email: string }>('GET', '/me', { token })).data;
    await scenario.reset(email, await scenario.resetCode(email));
    const { data } = await service.signIn({ email, password: newPassword });
    expect((await scenario.deleteAccount(data.access_token)).status).toBe(204);
  });
  const onCodes = sent.filter((sql) => /^(SELECT|DELETE|UPDATE).*\bcodes\b/s.test(sql));
  expect(new Set(onCodes).size).toBeGreaterThan(3);
  // The primary key is (app_id, purpose, subject, id).
  for (const sql of onCodes) {
    expect(sql).toMatch(/\bpurpose"? (=|IN) /);
    expect(sql).toMatch(/\bsubject"? (=|IN) /);
  }
});

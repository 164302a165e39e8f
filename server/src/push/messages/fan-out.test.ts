// The statements of a batch: what they read.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { genericPlan } from '../../../test/generic-plan.js';
import { statementLog } from '../../../test/harness.js';
import { hello, type PushScenario, pushScenario } from '../../../test/push-scenario.js';

const statements = statementLog();
let scenario: PushScenario;
beforeAll(async () => {
  scenario = await pushScenario({ onStatement: statements.onStatement });
});
afterAll(() => scenario.stop());

test('a batch of a topic reads no subscriptions of the batches before it', async () => {
  const sent = await statements.during(() => scenario.sent({ ...hello, topic: 'news' }));
  const sql = sent.find((text) => /FROM push_topics.* LIMIT/s.test(text)) as string;
  const plan = JSON.stringify(await genericPlan(scenario.service.database, sql));
  expect(plan).toMatch(/"Relation Name":"push_topics"[^{}]*"Index Cond":"[^"]*device_id > /);
});

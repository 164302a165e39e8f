// PATCH /admin/settings by a team member: credentials need a recent sign-in.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type TestService, testService } from '../../test/harness.js';
import { expectRefusal } from '../../test/refusal.js';
import { type TeamScenario, type TestMember, teamScenario } from '../../test/team-scenario.js';
import type { NewApp } from './create-app.js';

let service: TestService;
let team: TeamScenario;
let app: NewApp;
let admin: TestMember;
beforeAll(async () => {
  service = await testService();
  team = await teamScenario(() => service);
});
afterAll(() => service.stop());
beforeEach(async () => {
  app = await service.newApp();
  admin = await team.newMember(app.app.id, 'admin');
});

const change = (body: object, token: string) =>
  service.call('PATCH', '/admin/settings', { appKey: app.app.appKey, token, body });
const read = async () =>
  (await service.call('GET', '/admin/settings', { appKey: app.app.appKey, token: app.secretKey })).text;
const credentials = [
  { provider_a: { client_ids: { web: 'web.client' } } },
  { provider_b: { team_id: 'TEAM123456' } },
  { push: { web_push: { subject: 'mailto:push@example.com' } } },
  { deep_link: null, push: {} },
];

test('credentials are changed within five minutes of a sign-in only, other settings at any time', async () => {
  service.clock.advance(5 * 60_000);
  for (const body of credentials) expect((await change(body, admin.token)).status).toBe(200);
  service.clock.advance(1);
  const before = await read();
  for (const body of credentials)
    expectRefusal(await change(body, admin.token), 'auth/requires-recent-login');
  expect(await read()).toBe(before);
  expect((await change({ sign_up: 'closed' }, admin.token)).status).toBe(200);
  // A secret key has no sign-in.
  for (const body of credentials) expect((await change(body, app.secretKey)).status).toBe(200);
});

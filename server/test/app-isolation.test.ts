// An app's key never accesses another app's user, session or token, on any route of the contract.
import { credentialsOf, metadataOf } from '@foyer/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import { callRoute, contractRoutes, expectDeclared } from './contract-routes.js';
import type { TestService } from './harness.js';
import { backendAttempts } from './isolation-of-backends.js';
import { clientAttempts } from './isolation-of-clients.js';
import { memberAttempts } from './isolation-of-members.js';
import { type Attempt, type IsolationScenario, isolationScenario } from './isolation-scenario.js';
import { expectRefusal } from './refusal.js';
import { listTables, type Rows, rowsOfApp, tablesOfNoApp } from './rows.js';
import { shared } from './shared.js';
import { thorough } from './thorough.js';
import { expectV1Refusal, v1Invalid, v1Scenario } from './v1-scenario.js';

const scenario = shared(isolationScenario);
let service: TestService;
let ours: IsolationScenario['ours'];
let theirs: IsolationScenario['theirs'];
/** A new route fails the test until it has an entry with the attempts made with another app's key. */
let attempts: Record<string, Attempt[]>;
beforeAll(async () => {
  ({ service, ours, theirs } = scenario);
  attempts = { ...clientAttempts(scenario), ...backendAttempts(scenario), ...memberAttempts(scenario) };
});

/** Without the traces of refused calls: anyone with the public app key causes some. */
async function ourRows(): Promise<Rows> {
  await service.deps.dailyCounters.flush();
  const rows = await rowsOfApp(service.database, ours.app.app.id);
  const isError = (row: unknown) => (row as { name: string }).name.startsWith('errors.');
  const isRefusal = (row: unknown) => (row as { action: string }).action === 'member.refused';
  return {
    ...rows,
    daily_stats: (rows.daily_stats ?? []).filter((row) => !isError(row)),
    audit_log: (rows.audit_log ?? []).filter((row) => !isRefusal(row)),
  };
}

const ulid = /[0-7][0-9A-HJKMNP-TV-Z]{25}/g;
/** Every id in the rows; no answer to another app contains one of our ids. */
const idsIn = (found: unknown) => new Set(JSON.stringify(found).match(ulid));

test('every table has an app id or is listed as global, and our app has a row in each', async () => {
  const tables = await listTables(service.database);
  expect(tables.filter(({ ofApps }) => !ofApps).map(({ name }) => name)).toEqual(tablesOfNoApp);
  const rows: Rows = await ourRows();
  expect(Object.keys(rows).filter((name) => rows[name]?.length === 0)).toEqual([]);
});

test('every route of the contract is attempted, and no other', () => {
  expect(Object.keys(attempts).sort()).toEqual(contractRoutes.map(({ id }) => id).sort());
});

describe("another app's key reads and changes nothing of our app on", () => {
  let before: Rows;
  beforeAll(async () => {
    before = await ourRows();
  });

  test.each(contractRoutes.map((each) => [each.id, each] as const))('%s', async (id, each) => {
    const ids = idsIn(before);
    const tokens: (string | undefined)[] = [];
    for (const { sent: given, answered } of attempts[id] ?? []) {
      const sent = typeof given === 'function' ? await given() : given;
      tokens.push(sent.token);
      const answer = await callRoute(service, each.route, { appKey: theirs.app.app.appKey, ...sent });
      if (typeof answered === 'string') {
        expectRefusal(answer, answered);
        expectDeclared(each, answered);
      } else await answered(answer);
      // An answer may repeat the ids of its own path.
      const named = idsIn(sent.params ?? {});
      const told = [...idsIn(answer.text)].filter((found) => ids.has(found) && !named.has(found));
      expect(told).toEqual([]);
    }
    // Reading all rows takes longer than the attempts: a short run does it once, after all routes.
    if (thorough) expect(await ourRows()).toEqual(before);

    // An attempt that the guard refuses proves nothing about the route: one must pass the guard.
    const { user, secretKey, member, demanded } = credentialsOf(metadataOf(each.route).auth);
    if (secretKey) expect(tokens).toContain(theirs.app.secretKey);
    if (member && !secretKey) expect(tokens).toContain(theirs.owner.token);
    if (user && demanded) expect(tokens.filter((token) => token && theirs.signedIn(token))).not.toEqual([]);
  });

  test('all of them together', async () => {
    expect(await ourRows()).toEqual(before);
  });
});

test("a v1 token is refused with another app's key and still works with its own", async () => {
  const v1 = v1Scenario(() => service);
  const appKey = theirs.app.app.appKey;
  for (const [method, path] of [
    ['GET', '/me'],
    ['POST', '/logout'],
    ['DELETE', '/account/delete'],
  ] as const) {
    const answer = await v1.call(method, path, { appKey, token: ours.v1Token });
    expectV1Refusal(answer, 401, v1Invalid.json.message);
  }
  expect((await v1.me(ours.v1Token)).status).toBe(200);
  expectV1Refusal(await v1.me(ours.user.tokens.access_token), 401);
  expectRefusal(await service.call('GET', '/me', { token: ours.v1Token }), 'auth/invalid-token');
});

test('the same email in two apps is two accounts with separate passwords', async () => {
  const email = 'both@example.com';
  const first = await service.signUp({ email, password: 'the first password' });
  const appKey = theirs.app.app.appKey;
  const second = await service.signUp({ email, password: 'the second password', appKey });
  expect(first.uid).not.toBe(second.uid);
  expect((await service.signIn(first)).status).toBe(200);
  expect((await service.signIn(second, { appKey })).status).toBe(200);
  expectRefusal(await service.signIn(second), 'auth/invalid-credential');
  expectRefusal(await service.signIn(first, { appKey }), 'auth/invalid-credential');
  const uid = { in: [first.uid, second.uid] };
  const failures = await service.auditEntries({ action: 'user.sign_in_failed', uid });
  expect(failures.map((entry) => [entry.appId, entry.uid])).toEqual([
    [service.app.app.id, first.uid],
    [theirs.app.app.id, second.uid],
  ]);
});

test('the attacked user is still signed in afterwards', async () => {
  const { tokens } = ours.user;
  expect((await service.call('GET', '/me', { token: tokens.access_token })).status).toBe(200);
  expect((await service.refresh(tokens.refresh_token)).status).toBe(200);
});

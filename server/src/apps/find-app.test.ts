// Which app a key belongs to, and how long that is cached.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { cheapPasswordHasher, statementLog, type TestService, testService } from '../../test/harness.js';
import { createApp, listApps, type NewApp } from './create-app.js';

const cachedMilliseconds = 5_000;
const statements = statementLog();
let service: TestService;
let made: NewApp;
beforeAll(async () => {
  const passwordHasher = await cheapPasswordHasher();
  service = await testService({ onStatement: statements.onStatement, overrides: { passwordHasher } });
});
beforeEach(async () => {
  made = await createApp(service.deps, { name: 'Café Zürich' });
});
afterAll(() => service.stop());

/** Any call that needs an app key; answers 401 with the code of the app key or of the token. */
const codeWith = async (appKey: string | null) => (await service.call('GET', '/me', { appKey })).code;
const known = 'auth/invalid-token';
const unknown = 'request/invalid-app-key';

function switchApp(enabled: boolean) {
  return service.database.prisma.app.update({ where: { id: made.app.id }, data: { enabled } });
}

test('a new app works at once, even if its key was tried before', async () => {
  const appKey = `pk_${service.deps.random.bytes(18).toString('base64url')}`;
  expect(await codeWith(appKey)).toBe(unknown);
  await service.database.prisma.app.update({ where: { id: made.app.id }, data: { appKey } });
  expect(await codeWith(appKey)).toBe(known);
});

test('an app is queried at most once in five seconds', async () => {
  const asked = async () => (await statements.during(() => codeWith(made.app.appKey))).length;
  expect(await asked()).toBe(1);
  service.clock.advance(cachedMilliseconds - 1);
  expect(await asked()).toBe(0);
  service.clock.advance(1);
  expect(await asked()).toBe(1);
});

test('of more than a thousand apps the least recently used are read again', async () => {
  await service.database.prisma.$executeRaw`INSERT INTO apps (id, slug, name, app_key, created_at, updated_at)
    SELECT 'many-' || number, 'many-' || number, 'Many', 'pk_many-' || number, now(), now()
    FROM generate_series(1, 1001) AS number`;
  const { apps } = service.deps;
  const reads = async (number: number) =>
    (await statements.during(() => apps.byKey(`pk_many-${number}`))).length;
  for (let number = 1; number <= 1_000; number += 1) expect(await reads(number)).toBe(1);
  expect(await reads(1)).toBe(0);
  expect(await reads(1_001)).toBe(1);
  expect([await reads(1), await reads(1_000), await reads(2)]).toEqual([0, 0, 1]);
  apps.forget();
  await service.database.prisma.$executeRaw`DELETE FROM apps WHERE id LIKE 'many-%'`;
});

test.each([
  ['five seconds', cachedMilliseconds],
  ['a step back of the clock', -60 * 60 * 1_000],
])(
  'an app disabled on another instance is refused after %s, and works again after it is enabled',
  async (_after, wait) => {
    expect(await codeWith(made.app.appKey)).toBe(known);
    await switchApp(false);
    service.clock.advance(wait);
    expect(await codeWith(made.app.appKey)).toBe(unknown);
    await switchApp(true);
    service.clock.advance(cachedMilliseconds);
    expect(await codeWith(made.app.appKey)).toBe(known);
  },
);

test('a partial key, a key in another case and the secret key are not app keys', async () => {
  const { appKey } = made.app;
  for (const wrong of [
    null,
    '',
    appKey.slice(0, -1),
    `${appKey}x`,
    appKey.toUpperCase(),
    made.secretKey,
    made.app.id,
  ]) {
    expect(await codeWith(wrong)).toBe(unknown);
  }
});

test('a new app derives its slug from its name, and the database does not contain the secret key', async () => {
  expect(made.app.slug).toMatch(/^cafe-zurich-[0-9a-z]{6}$/);
  expect(made.app.appKey).toMatch(/^pk_[\w-]{24}$/);
  expect(made.secretKey).toMatch(/^sk_[\w-]{43}$/);
  const [row, ...more] = await service.database.prisma.secretKey.findMany({ where: { appId: made.app.id } });
  expect(more).toEqual([]);
  expect(row?.lastFour).toBe(made.secretKey.slice(-4));
  const stored = JSON.stringify(row, (_key, value) => (value instanceof Uint8Array ? [...value] : value));
  expect(stored).not.toContain(made.secretKey.slice(3, -4));
  expect(row?.keyHash).toHaveLength(32);
});

test('two apps with the same name, without a letter allowed in a slug, are different apps', async () => {
  const one = await createApp(service.deps, { name: '東京' });
  const two = await createApp(service.deps, { name: '東京' });
  expect(new Set([one.app.slug, two.app.slug, one.app.appKey, two.app.appKey]).size).toBe(4);
  const ids = (await listApps(service.deps)).map((app) => app.id);
  expect(ids.slice(-2)).toEqual([one.app.id, two.app.id]);
});

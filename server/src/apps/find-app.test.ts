// The app of a key, how long it is cached, and the reserved app `console`.
import { beforeEach, expect, test } from 'vitest';
import { statementLog, testService } from '../../test/harness.js';
import { shared } from '../../test/shared.js';
import { consoleSlug } from '../model/app.js';
import { ensureConsoleApp } from './console-app.js';
import { createApp, listApps, type NewApp } from './create-app.js';
import { appDirectory } from './find-app.js';

const cachedMilliseconds = 5_000;
const statements = statementLog();
const service = shared(() => testService({ onStatement: statements.onStatement }));
let made: NewApp;
beforeEach(async () => {
  made = await createApp(service.deps, { name: 'Café Zürich' });
});

/** Any call that needs an app key; answers 401 with the code of the app key or of the token. */
const codeWith = async (appKey: string) => (await service.call('GET', '/me', { appKey })).code;
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

test('an app that is disabled on this instance while it is read is refused by the next call', async () => {
  const { appKey } = made.app;
  let reads = 0;
  const apps = appDirectory(service.database.prisma, service.clock, async () => {
    reads += 1;
    if (reads > 1) return;
    await switchApp(false);
    apps.forget();
  });
  expect((await apps.byKey(appKey))?.enabled).toBe(true);
  expect((await apps.byKey(appKey))?.enabled).toBe(false);
});

test('a new app derives its slug from its name', () => {
  expect(made.app.slug).toMatch(/^cafe-zurich-[0-9a-z]{6}$/);
  expect(made.app.appKey).toMatch(/^pk_[\w-]{24}$/);
});

test('two apps with the same name, without a letter allowed in a slug, are different apps', async () => {
  const one = await createApp(service.deps, { name: '東京' });
  const two = await createApp(service.deps, { name: '東京' });
  expect(new Set([one.app.slug, two.app.slug, one.app.appKey, two.app.appKey]).size).toBe(4);
  const ids = (await listApps(service.deps)).map((app) => app.id);
  expect(ids.slice(-2)).toEqual([one.app.id, two.app.id]);
});

test('of several instances that start at once, one creates the app `console`, and all find it', async () => {
  const { prisma } = service.database;
  await prisma.app.delete({ where: { slug: consoleSlug } });
  const found = await Promise.all(Array.from({ length: 5 }, () => ensureConsoleApp(service.deps)));
  expect(new Set(found.map(({ id }) => id)).size).toBe(1);
  expect(await ensureConsoleApp(service.deps)).toEqual(found[0]);
  expect(await prisma.app.count({ where: { slug: consoleSlug } })).toBe(1);
});

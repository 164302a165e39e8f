// The reserved app `console`: created once, whatever starts at the same time, and closed.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cheapPasswordHasher, type TestService, testService } from '../../test/harness.js';
import { consoleSlug } from '../model/app.js';
import { ensureConsoleApp } from './console-app.js';
import { listApps } from './create-app.js';

let service: TestService;
beforeAll(async () => {
  service = await testService({ overrides: { passwordHasher: await cheapPasswordHasher() } });
});
afterAll(() => service.stop());

test('of several instances that start at once, one creates the app, and all find it', async () => {
  const { prisma } = service.database;
  await prisma.app.delete({ where: { slug: consoleSlug } });
  const found = await Promise.all(Array.from({ length: 5 }, () => ensureConsoleApp(service.deps)));
  expect(new Set(found.map(({ id }) => id)).size).toBe(1);
  const again = await ensureConsoleApp(service.deps);
  expect(again).toEqual(found[0]);
  expect(await prisma.app.count({ where: { slug: consoleSlug } })).toBe(1);
});

test('it accepts no sign-up, refuses common passwords, and is not listed among the apps', async () => {
  const app = await ensureConsoleApp(service.deps);
  expect(app.settings).toMatchObject({ sign_up: 'closed', refuse_common_passwords: true });
  expect((await listApps(service.deps)).map(({ slug }) => slug)).not.toContain(consoleSlug);
  const answer = await service.call('GET', '/config', { appKey: app.appKey });
  expect(answer.status).toBe(200);
});

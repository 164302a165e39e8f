// The demo app of an embedded database, and the file with its keys that examples and developers read.
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { testService } from '../../test/harness.js';
import { byCommandLine } from '../model/actor.js';
import { changeApp } from './change-app.js';
import { listApps } from './create-app.js';
import { deleteApp } from './delete-app.js';
import { demoApp } from './demo-app.js';

test('the demo app is created once, and its file follows the URL and the mailbox of each start', async () => {
  const { start, file, service } = await emptyService();
  const first = await start('http://localhost:3000', 'http://localhost:3000/dev/mailbox?secret=a');
  const demo = JSON.parse(readFileSync(file, 'utf8'));
  expect(first).toEqual([
    'Created a demo app:',
    `  app id      ${demo.app_id}`,
    `  app key     ${demo.app_key}`,
    `  secret key  ${demo.secret_key}   (for a backend, never for a browser)`,
    `  saved in    ${file}`,
  ]);
  expect(demo.mailbox_url).toBe('http://localhost:3000/dev/mailbox?secret=a');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const keys = { appKey: demo.app_key, token: demo.secret_key };
  expect((await service.call('GET', '/admin/settings', keys)).status).toBe(200);

  const { mailbox_url, ...rest } = demo;
  const again = await start('http://localhost:4000', null);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
    ...rest,
    base_url: 'http://localhost:4000/api/v2',
  });
  expect(again).toEqual([`The demo app has the app key ${demo.app_key}; its secret key is in ${file}`]);
  await start('http://localhost:4000', 'http://localhost:4000/dev/mailbox?secret=b');
  expect(JSON.parse(readFileSync(file, 'utf8')).mailbox_url).toContain('secret=b');
  expect((await listApps(service.deps)).map(({ slug }) => slug)).toEqual(['demo']);
});

test('a database with apps gets no demo app', async () => {
  const { start, file, service } = await emptyService();
  await service.newApp('Own');
  expect(await start('http://localhost:3000', null)).toEqual([]);
  expect([existsSync(file), (await listApps(service.deps)).length]).toEqual([false, 1]);
});

test.each([
  ['has no bytes', () => ''],
  ['begins with a byte order mark', (text: string) => `\u{feff}${text}`],
  ['holds null', () => 'null'],
])('a file that %s is named by the start, which goes on and leaves it as it is', async (_what, damage) => {
  const { start, file } = await emptyService();
  await start('http://localhost:3000', null);
  const damaged = damage(readFileSync(file, 'utf8'));
  writeFileSync(file, damaged);
  expect(await start('http://localhost:4000', null)).toEqual([
    `${file} cannot be read: delete it; \`foyer keys create demo\` creates another secret key`,
  ]);
  expect(readFileSync(file, 'utf8')).toBe(damaged);
});

test('a start that cannot write the file leaves the former one, and one that can leaves nothing beside it', async () => {
  const { start, file, folder } = await emptyService();
  await start('http://localhost:3000', null);
  const former = readFileSync(file, 'utf8');
  expect(readdirSync(folder)).toEqual(['demo.json']);
  mkdirSync(`${file}.partial`);
  await expect(start('http://localhost:4000', null)).rejects.toThrow('EISDIR');
  expect(readFileSync(file, 'utf8')).toBe(former);
});

async function emptyService() {
  const dataDir = await mkdtemp(join(tmpdir(), 'foyer-test-'));
  const service = await testService();
  onTestFinished(async () => {
    await service.stop();
    await rm(dataDir, { recursive: true });
  });
  const { id } = service.app.app;
  await changeApp(service.deps, byCommandLine(id), { enabled: false });
  await deleteApp({ ...service.deps, removeFiles: async () => {} }, byCommandLine(id));
  const deps = { ...service.deps, config: { ...service.deps.config, dataDir } };
  return {
    service,
    folder: dataDir,
    file: join(dataDir, 'demo.json'),
    async start(url: string, mailboxUrl: string | null): Promise<string[]> {
      const lines: string[] = [];
      await demoApp(deps, { url, mailboxUrl }, (line) => lines.push(line));
      return lines;
    },
  };
}

// foyer import of users whose accounts were deleted: from an earlier export, for example.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Event, limits } from '@foyer/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CommandLine, openCommandLine } from '../../../test/command-line.js';
import { insertRecords, newCollection } from '../../../test/data-scenario.js';
import { type TestService, type TestUser, testService } from '../../../test/harness.js';
import { dayMilliseconds } from '../../lib/timestamp.js';

let commandLine: CommandLine;
let service: TestService;
let folder: string;
beforeAll(async () => {
  commandLine = await openCommandLine();
  service = await testService({ database: commandLine.database });
  folder = await mkdtemp(join(tmpdir(), 'foyer-import-'));
});
afterAll(async () => {
  await service.stop();
  await rm(folder, { recursive: true });
});

/** Writes an export of all users; returns a function that imports it. */
async function exportUsers() {
  const app = ['--app', service.app.app.slug];
  const { code, stdout } = await commandLine.run('export', 'users', ...app, '--with-hashes');
  expect(code).toBe(0);
  const path = join(await mkdtemp(join(folder, 'export-')), 'users.jsonl');
  await writeFile(path, stdout);
  return async (...more: string[]) => {
    const { code } = await commandLine.run('import', 'foyer', path, ...app, ...more);
    const report = await readFile(`${path}.report.jsonl`, 'utf8');
    await rm(`${path}.report.jsonl`);
    const lines = report.trimEnd().split('\n');
    return { code, reports: lines.map((line) => JSON.parse(line)) };
  };
}

async function deleteAccount(user: TestUser): Promise<void> {
  const { access_token: token } = (await service.signIn(user)).data;
  expect((await service.call('DELETE', '/me', { token })).status).toBe(204);
}
const emails = async ({ uid }: TestUser) => {
  const answer = await service.call<{ items: Event[] }>('GET', `/admin/events?uid=${uid}`, {
    token: service.app.secretKey,
  });
  return answer.data.items.map(({ type, data }) => [type, data.user.email]);
};

test('an account that is imported again keeps its later events, and can be deleted again', async () => {
  const user = await service.signUp();
  const { email } = user;
  const importAgain = await exportUsers();
  await deleteAccount(user);
  expect(await emails(user)).toContainEqual(['user.deleted', email]);
  const { reports } = await importAgain();
  expect(reports).toContainEqual(expect.objectContaining({ uid: user.uid, outcome: 'imported' }));
  // The events of the deletion had until then to be delivered.
  expect(await emails(user)).toContainEqual(['user.deleted', null]);

  await service.advance(1_000);
  expect((await service.signIn(user)).status).toBe(200);
  // When the events of the deletion would have been purged.
  await service.advance(limits.deletedEventDays * dayMilliseconds);
  expect((await emails(user))[0]).toEqual(['session.created', email]);

  await deleteAccount(user);
  expect((await emails(user)).filter(([, of]) => of !== null)).toContainEqual(['user.deleted', email]);
  await service.advance(limits.deletedEventDays * dayMilliseconds);
  expect((await emails(user)).filter(([, of]) => of !== null)).toEqual([]);
});

test('an account is not imported again before the data of the deleted one is purged', async () => {
  const user = await service.signUp();
  const importAgain = await exportUsers();
  await insertRecords(service, await newCollection(service), 1_002, { ownerUid: user.uid });
  await deleteAccount(user);
  const refused = expect.objectContaining({
    id: user.uid,
    outcome: 'not imported',
    reason: 'the account with this uid was deleted, and its data is still being purged',
  });
  for (const more of [['--dry-run'], []]) {
    const { code, reports } = await importAgain(...more);
    expect(code).toBe(3);
    expect(reports).toContainEqual(refused);
  }
  await service.advance(10_000);
  expect((await importAgain()).reports).toContainEqual(
    expect.objectContaining({ uid: user.uid, outcome: 'imported' }),
  );
});

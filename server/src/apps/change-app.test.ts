// What an operator changes on an app itself: its name, disabling it and deleting it.
import { limits } from '@foyer/contract';
import { expect, test } from 'vitest';
import { testService } from '../../test/harness.js';
import { shared } from '../../test/shared.js';
import { removeFilesOfApp } from '../files/remove-bytes.js';
import { byCommandLine } from '../model/actor.js';
import { purge } from '../retention.js';
import { type AppChange, changeApp } from './change-app.js';
import { createApp, findAppNamed } from './create-app.js';
import { deleteApp } from './delete-app.js';
import { appTables } from './store.js';

const service = shared(() => testService());

const deletion = () => ({
  ...service.deps,
  removeFiles: (appId: string) => removeFilesOfApp(service.deps, appId),
});

async function actionsOf(appId: string): Promise<string[]> {
  const entries = await service.auditEntries({ appId });
  return entries.map(({ action }) => action);
}

/** The audit entries about the app itself remain. */
async function expectNoData(appId: string): Promise<void> {
  for (const table of appTables) {
    const [row] = await service.deps.query<{ count: number }>({
      text: `SELECT count(*)::int AS count FROM ${table} WHERE app_id = $1`,
      values: [appId],
    });
    expect([table, row?.count]).toEqual([table, table === 'audit_log' ? 3 : 0]);
  }
}

test('deleting an app clears every table with an app_id column', async () => {
  const rows = await service.deps.query<{ table_name: string }>({
    text: "SELECT table_name FROM information_schema.columns WHERE column_name = 'app_id' AND table_schema = 'public'",
    values: [],
  });
  expect(rows.map(({ table_name }) => table_name).sort()).toEqual([...appTables].sort());
});

test('an app that the database refuses is an error, and has no audit entry', async () => {
  const before = (await service.auditEntries({ action: 'app.created' })).length;
  await expect(createApp(service.deps, { name: 'No\0text', slug: 'refused' })).rejects.toThrow();
  expect(await findAppNamed(service.deps, 'refused')).toBeNull();
  expect(await service.auditEntries({ action: 'app.created' })).toHaveLength(before);
});

test('an app is disabled, enabled and renamed; a change to what it is already writes nothing', async () => {
  const { app } = await service.newApp('Switched');
  const change = (to: AppChange) => changeApp(service.deps, byCommandLine(app.id), to);
  expect(await change({ enabled: false })).toBe('changed');
  expect(await change({ enabled: false, name: app.name })).toBe('unchanged');
  expect(await change({ enabled: true, name: 'Renamed' })).toBe('changed');
  expect(await service.deps.apps.fresh(app.id)).toMatchObject({ name: 'Renamed', enabled: true });
  expect(await change({ name: 'Renamed again' })).toBe('changed');
  expect(await actionsOf(app.id)).toEqual([
    ...['app.created', 'app.disabled', 'app.renamed', 'app.enabled', 'app.renamed'],
  ]);
});

test('only a disabled app is deleted, with all its own data and no data of another app', async () => {
  const { app, secretKey } = await service.newApp('Deleted');
  const other = await service.signUp();
  const { tokens, uid } = await service.signUp({ appKey: app.appKey });
  const asBackend = { appKey: app.appKey, token: secretKey };
  const form = new FormData();
  form.append('file', new Blob(['bytes']), 'note.txt');
  const upload = await service.call<{ id: string }>('POST', '/files', {
    appKey: app.appKey,
    token: tokens.access_token,
    form,
  });
  expect(upload.status).toBe(201);
  const points = { points: 5, description: 'Welcome' };
  await service.call('POST', `/admin/users/${uid}/loyalty/entries`, { ...asBackend, body: points });
  await service.call('POST', '/admin/collections', { ...asBackend, body: { name: 'notes' } });
  await service.call('POST', '/data/notes', { ...asBackend, body: { fields: { title: 'one' } } });
  await service.call('POST', '/admin/webhooks', { ...asBackend, body: { url: 'https://example.com/hook' } });

  await expect(deleteApp(deletion(), byCommandLine(app.id))).rejects.toThrow('is enabled');
  expect((await service.call('GET', '/me', { ...asBackend, token: tokens.access_token })).status).toBe(200);

  await changeApp(service.deps, byCommandLine(app.id), { enabled: false });
  // A deletion that fails midway leaves an app that cannot be used, and resumes when it is run again.
  const stopping = { ...deletion(), removeFiles: () => Promise.reject(new Error('the store is away')) };
  await expect(deleteApp(stopping, byCommandLine(app.id))).rejects.toThrow('the store is away');
  expect(await changeApp(service.deps, byCommandLine(app.id), { enabled: true })).toBe('being deleted');
  expect(await deleteApp(deletion(), byCommandLine(app.id))).toBeGreaterThan(10);

  expect(await service.deps.apps.byId(app.id)).toBeNull();
  await expectNoData(app.id);
  expect(await actionsOf(app.id)).toEqual(['app.created', 'app.disabled', 'app.deleted']);
  const key = { appId: app.id, fileId: upload.data.id };
  const opened = await service.deps.fileStore.open(key, {
    ...{ range: null, contentType: 'text/plain', disposition: 'inline' },
  });
  expect(opened).toBeNull();
  expect((await service.signIn(other)).status).toBe(200);
});

test('clients that an instance still accepts during the deletion leave no data behind', async () => {
  const { app } = await service.newApp('Deleted at once');
  const { appKey } = app;
  await service.signUp({ appKey });
  // An instance that has cached the app learns of it within five seconds.
  await changeApp(service.deps, byCommandLine(app.id), { enabled: false });
  const statuses: number[] = [];
  const query: typeof service.deps.query = async (statement) => {
    if ('text' in statement && statement.text.includes('DELETE FROM users') && statuses.length === 0) {
      for (const [path, more] of [
        ['/auth/sign-up', { password: 'correct horse battery staple' }],
        ['/auth/email-code/send', {}],
      ] as const) {
        const body = { email: 'late@example.com', ...more };
        statuses.push((await service.call('POST', path, { appKey, body })).status);
      }
    }
    return service.deps.query(statement);
  };
  await deleteApp({ ...deletion(), query }, byCommandLine(app.id));
  await expectNoData(app.id);
  expect(statuses).toEqual([201, 200]);
});

test('what clients that an instance still accepts leave behind after the deletion is deleted when it is due', async () => {
  const { app } = await service.newApp('Deleted at once');
  const { appKey } = app;
  const send = () =>
    service.call('POST', '/auth/email-code/send', { appKey, body: { email: 'late@example.com' } });
  expect((await send()).status).toBe(200);
  await changeApp(service.deps, byCommandLine(app.id), { enabled: false });
  await deleteApp(deletion(), byCommandLine(app.id));
  expect((await send()).status).toBe(200);
  const receipt = { deviceId: 'x', provider: 'fcm', status: 'accepted', attempts: 1 };
  const messageId = service.deps.random.ulid(service.clock.now());
  const row = { ...receipt, appId: app.id, messageId, updatedAt: service.clock.now() };
  await service.database.prisma.pushReceipt.create({ data: row });
  service.clock.advance((limits.pushMessageDays + 1) * 86_400_000);
  await purge(service.deps, 'codes', 'receipts');
  await expectNoData(app.id);
});

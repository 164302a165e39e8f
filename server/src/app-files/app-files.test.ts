// The app as files over HTTP: one group at a time, as a whole or not at all, if nobody has changed it meanwhile.
import type { AppFiles, AppliedFiles, SecretKeyScope } from '@foyer/contract';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { testOnServer, untilBlocked } from '../../test/blocked.js';
import { testService } from '../../test/harness.js';
import { holdTransactions } from '../../test/held-transactions.js';
import { expectRefusal } from '../../test/refusal.js';
import { shared } from '../../test/shared.js';
import type { NewApp } from '../apps/create-app.js';
import { lockAppOf } from '../model/app.js';

const service = shared(() => testService());
let app: NewApp;
beforeEach(async () => {
  app = await service.newApp('Orchard');
});

const call = <Data = unknown>(method: string, path: string, body?: unknown) =>
  service.call<Data>(method, path, { appKey: app.app.appKey, token: app.secretKey, body });
const read = async () => (await call<AppFiles>('GET', '/admin/app-files')).data;
const textOf = async (path = 'app.yaml') => (await read()).files.find((file) => file.path === path)?.text;
const apply = async (group: keyof AppFiles['versions'], value: unknown, more: object = {}) => {
  const { versions } = await read();
  return call<AppliedFiles>('PUT', '/admin/app-files', { version: versions[group], [group]: value, ...more });
};
const notes = { name: 'notes', access_mode: 'owner', on_user_delete: 'delete', indexed_fields: ['created'] };
const tasks = { ...notes, name: 'tasks', indexed_fields: [] };

test('the files have every group, texts of mails as files of their own, and no secret', async () => {
  await service.changeSettings(
    {
      mail: {
        texts: { sign_in: { de: { subject: 'Dein Code', text: 'Hallo\n\nTschüss', button: 'Anmelden' } } },
      },
    },
    app,
  );
  const { app: slug, files } = await read();
  expect(slug).toBe(app.app.slug);
  expect(files.map(({ path }) => path)).toEqual(['app.yaml', 'mails/de/sign_in.md']);
  expect(files[1]?.text).toBe('---\nsubject: Dein Code\nbutton: Anmelden\n---\nHallo\n\nTschüss\n');
  for (const group of ['settings', 'remote_config', 'collections', 'webhooks']) {
    expect(files[0]?.text).toMatch(new RegExp(`^${group}:`, 'm'));
  }
  expect(files[0]?.text).toContain('  provider_b:\n    services_ids: []\n');
  expect(files[0]?.text).toContain('    private_key: null\n');
});

describe('a change', () => {
  test('of settings is a patch of them', async () => {
    const { status, data } = await apply('settings', { sign_up: 'closed' });
    expect([status, data.new_webhooks]).toEqual([200, []]);
    expect(await textOf()).toContain('  sign_up: closed\n');
    expect(data.version).toBe((await read()).versions.settings);
  });

  test('of the remote config replaces all parameters', async () => {
    await apply('remote_config', { banner: { type: 'string', value: 'Hello' } });
    expect(await textOf()).toContain('remote_config:\n  banner:\n    type: string\n    value: Hello\n\n');
  });

  test('of collections creates, changes and deletes', async () => {
    await apply('collections', [notes, tasks]);
    await apply('collections', [{ ...tasks, access_mode: 'shared' }]);
    expect(await textOf()).toContain(
      'collections:\n  tasks:\n    access_mode: shared\n    on_user_delete: delete\n    indexed_fields: []\n',
    );
    expect(await textOf()).not.toContain('notes');
  });

  test('of collections beyond max_collections is refused if it adds one, also in exchange for another', async () => {
    await apply('collections', [notes, tasks]);
    await apply('settings', { data: { max_collections: 1 } });
    const before = await textOf();
    const another = { ...tasks, name: 'another' };
    for (const added of [
      [notes, tasks, another],
      [notes, another],
    ]) {
      expectRefusal(await apply('collections', added), 'data/too-many-collections');
    }
    expect(await textOf()).toBe(before);
    expect((await apply('collections', [{ ...notes, access_mode: 'shared' }, tasks])).status).toBe(200);
    expect((await apply('collections', [another])).status).toBe(200);
  });

  test('of webhooks returns the secret of a new one, and keeps those with the same URL', async () => {
    const [first, second] = ['a', 'b'].map((path) => ({ url: `https://93.184.215.14/${path}` }));
    const made = await apply('webhooks', [{ ...first, enabled: false }]);
    expect(made.data.new_webhooks).toEqual([{ ...first, secret: expect.stringMatching(/^whsec_/) }]);
    const { items: disabled } = (await call<{ items: object[] }>('GET', '/admin/webhooks')).data;
    expect(disabled).toMatchObject([{ ...first, enabled: false, disabled_reason: 'admin' }]);
    // Webhooks of the same millisecond have no order.
    service.clock.advance(1_000);
    const changed = await apply('webhooks', [second, { ...first, description: 'First' }]);
    expect(changed.data.new_webhooks.map(({ url }) => url)).toEqual([second?.url]);
    const { items } = (await call<{ items: object[] }>('GET', '/admin/webhooks')).data;
    expect(items).toMatchObject([
      { ...first, description: 'First', enabled: true },
      { ...second, enabled: true, types: [] },
    ]);
    await apply('webhooks', []);
    expect(await textOf()).toContain('webhooks: []\n');
  });

  test('of one of two webhooks with the same URL keeps the other one, and its secret', async () => {
    const url = 'https://93.184.215.14/a';
    const [first, second] = [
      { url, types: ['user.created'] },
      { url, types: ['user.deleted'] },
    ];
    await apply('webhooks', [first, second]);
    const idsByType = async () => {
      const { items } = (await call<{ items: { id: string; types: string[] }[] }>('GET', '/admin/webhooks'))
        .data;
      return Object.fromEntries(items.map(({ id, types }) => [types.join(), id]));
    };
    const before = await idsByType();
    const changed = await apply('webhooks', [{ url, types: ['user.updated'] }, first]);
    expect(changed.data.new_webhooks).toEqual([]);
    expect(await idsByType()).toEqual({
      'user.created': before['user.created'],
      'user.updated': before['user.deleted'],
    });
    const entries = await service.auditEntries({ appId: app.app.id, action: 'webhook.updated' });
    expect(entries.map(({ target }) => target)).toEqual([`webhook:${before['user.deleted']}`]);
  });

  test('of webhooks leaves the events from before it to the webhooks as they were', async () => {
    const webhook = { url: 'https://93.184.215.14/a' };
    await apply('webhooks', [{ ...webhook, types: ['user.created'] }]);
    await service.signUp({ appKey: app.app.appKey });
    await apply('webhooks', [{ ...webhook, types: ['user.deleted'] }]);
    const where = { appId: app.app.id };
    const deliveries = await service.database.prisma.webhookDelivery.findMany({ where });
    expect(deliveries.map(({ eventType }) => eventType)).toEqual(['user.created']);
    await apply('webhooks', []);
  });

  test('that fails in the middle leaves the group as it was', async () => {
    await apply('collections', [notes, tasks]);
    await call('POST', '/data/tasks', { fields: { a: 1 } });
    const before = await textOf();
    const refused = await apply('collections', [{ ...notes, name: 'another' }]);
    expectRefusal(refused, 'data/collection-not-empty', { tasks: ['has records'] });
    expect(await textOf()).toBe(before);
    expect((await apply('collections', [], { delete_records: true })).status).toBe(200);
    expect(await textOf()).toContain('collections: {}\n');
    const webhook = { url: 'https://93.184.215.14/a' };
    const local = await apply('webhooks', [webhook, { url: 'https://10.0.0.1/' }]);
    expect([local.status, local.code]).toEqual([422, 'webhooks/invalid-url']);
    expect(await textOf()).toContain('webhooks: []\n');
  });

  test('of webhooks holds a turn except while the names of their hosts are looked up', async () => {
    const { ssrfSafeFetch } = service.deps;
    let look = () => {};
    const looked = new Promise<void>((resolve) => {
      look = resolve;
    });
    let looking = 0;
    service.deps.ssrfSafeFetch = {
      ...ssrfSafeFetch,
      requireAllowed: async () => {
        looking += 1;
        await looked;
      },
    };
    onTestFinished(() => {
      service.deps.ssrfSafeFetch = ssrfSafeFetch;
    });
    const applied = apply('webhooks', [{ url: 'https://receiver.example/' }]);
    await vi.waitUntil(() => looking === 1, { timeout: 60_000 });
    expect(service.deps.turns.running).toBe(0);
    const other = await service.newApp('Another');
    const options = { appKey: other.app.appKey, token: other.secretKey };
    const body = { users: [{ email: 'ada@example.com' }] };
    expect((await service.call('POST', '/admin/users/import', { ...options, body })).status).toBe(200);
    const held = holdTransactions(service.deps);
    onTestFinished(held.end);
    look();
    await vi.waitUntil(() => held.began() === 1, { timeout: 60_000 });
    expect(service.deps.turns.running).toBe(1);
    held.end();
    expect((await applied).status).toBe(200);
    expect(await textOf()).toContain('receiver.example');
  });

  test('is refused if the group was changed after it was read', async () => {
    const { versions } = await read();
    await service.changeSettings({ sign_up: 'closed' }, app);
    await call('PUT', '/admin/app-files', { version: versions.remote_config, remote_config: {} });
    await call('POST', '/admin/collections', { name: 'notes' });
    await call('POST', '/admin/webhooks', { url: 'https://93.184.215.14/a' });
    const before = await textOf();
    for (const [group, value] of Object.entries({
      settings: { sign_up: 'open' },
      remote_config: {},
      collections: [],
      webhooks: [],
    })) {
      const version = versions[group as keyof typeof versions];
      const { status, code } = await call('PUT', '/admin/app-files', { version, [group]: value });
      const expected = group === 'remote_config' ? 'config/version-conflict' : 'admin/version-conflict';
      expect([group, status, code]).toEqual([group, 412, expected]);
    }
    expect(await textOf()).toBe(before);
  });

  testOnServer('of webhooks is refused if one of them is changed meanwhile', async () => {
    const { data } = await call<{ id: string }>('POST', '/admin/webhooks', {
      url: 'https://93.184.215.14/a',
    });
    const where = { appId_id: { appId: app.app.id, id: data.id } };
    const { applied } = await service.deps.prisma.$transaction(async (tx) => {
      await tx.webhookEndpoint.update({ where, data: { description: 'Theirs' } });
      const applied = apply('webhooks', [{ url: 'https://93.184.215.14/a', description: 'Ours' }]);
      await untilBlocked(service.database, 1, 'webhook_endpoints');
      return { applied };
    });
    expectRefusal(await applied, 'admin/version-conflict', null);
    const row = await service.deps.prisma.webhookEndpoint.findUniqueOrThrow({ where });
    expect(row.description).toBe('Theirs');
  });

  test('has exactly one group', async () => {
    const { versions } = await read();
    const both = await call('PUT', '/admin/app-files', {
      version: versions.settings,
      settings: {},
      webhooks: [],
    });
    expect([both.status, both.code]).toEqual([422, 'request/validation-failed']);
  });

  testOnServer.for<[keyof AppFiles['versions'], object]>([
    ['collections', notes],
    ['webhooks', { url: 'https://93.184.215.14/a' }],
  ])('of %s waits for another one of the app', async ([group, value]) => {
    const { versions } = await read();
    const { applied } = await service.database.prisma.$transaction(async (tx) => {
      await tx.$executeRaw(lockAppOf(app.app.id));
      const body = { version: versions[group], [group]: [value] };
      const applied = call('PUT', '/admin/app-files', body);
      await untilBlocked(service.database, 1);
      return { applied };
    });
    expect((await applied).status).toBe(200);
  });

  testOnServer(
    'of webhooks waits for a call that changes one of them, and is refused if it has',
    async () => {
      const [first, second] = ['a', 'b'].map((path) => ({ url: `https://93.184.215.14/${path}` }));
      await apply('webhooks', [first]);
      const { versions } = await read();
      const { applied } = await service.database.prisma.$transaction(async (tx) => {
        await tx.$executeRaw`UPDATE webhook_endpoints SET description = 'Changed' WHERE app_id = ${app.app.id}`;
        const body = { version: versions.webhooks, webhooks: [first, second] };
        const applied = call('PUT', '/admin/app-files', body);
        await untilBlocked(service.database, 1);
        return { applied };
      });
      expectRefusal(await applied, 'admin/version-conflict');
    },
  );

  test('by two calls at once with the same version succeeds once', async () => {
    const { versions } = await read();
    const answers = await Promise.all(
      [notes, tasks].map((each) =>
        call('PUT', '/admin/app-files', { version: versions.collections, collections: [each] }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412]);
  });
});

test.each<[string, string, SecretKeyScope[], object?]>([
  ['reading', 'webhooks:manage', ['settings:manage', 'config:read', 'data:manage']],
  ['settings of sign-in', 'sign-in:manage', ['settings:manage'], { settings: { sign_up: 'closed' } }],
  ['the remote config', 'config:write', ['settings:manage'], { remote_config: {} }],
  ['collections', 'data:manage', ['settings:manage'], { collections: [] }],
  ['webhooks', 'users:read', ['settings:manage', 'webhooks:manage'], { webhooks: [] }],
  [
    'a webhook of audit entries',
    'audit:read',
    ['settings:manage', 'webhooks:manage', 'users:read'],
    { webhooks: [{ url: 'https://93.184.215.14/audit', types: ['audit.*'] }] },
  ],
])('%s requires the scope %s as well', async (_what, scope, scopes, change) => {
  await service.database.prisma.secretKey.updateMany({ where: { appId: app.app.id }, data: { scopes } });
  const answer = await (change
    ? call('PUT', '/admin/app-files', { version: 'any', ...change })
    : call('GET', '/admin/app-files'));
  expect([answer.status, answer.code]).toEqual([403, 'admin/insufficient-scope']);
  const { fields } = answer.json.error;
  expect(Object.values(fields)).toEqual([[`requires the scope ${scope}`]]);
});

// GET /admin/audit-log: order, pages, and each filter.
import type { AuditEntry } from '@foyer/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import { statementLog, type TestUser, testService } from '../../test/harness.js';
import { expectRefusal } from '../../test/refusal.js';
import { shared } from '../../test/shared.js';
import { teamScenario } from '../../test/team-scenario.js';
import { createSecretKey, revokeSecretKey } from '../apps/secret-keys.js';
import { byCommandLine } from '../model/actor.js';
import { writeAuditEntry } from './entry.js';

type Page = { items: AuditEntry[]; next_cursor: string | null };

const statements = statementLog();
const service = shared(() => testService({ onStatement: statements.onStatement }));
let startedAt: Date;
beforeAll(async () => {
  await service.database.prisma.auditLog.deleteMany();
  startedAt = service.clock.now();
  for (let place = 0; place < 60; place += 1) {
    await write(place % 3 === 0 ? 'secret_key:a' : 'secret_key:b', {
      action: place % 2 === 0 ? 'identity.linked' : 'identity.unlinked',
      target: `session:${place % 5}`,
      details: { place },
    });
    service.clock.advance(1_000);
  }
});

function write(actor: string, more: Partial<Parameters<typeof writeAuditEntry>[2]> = {}) {
  const appId = service.app.app.id;
  const entry = { appId, action: 'settings.updated', target: `app:${appId}`, ...more } as const;
  return service.database.prisma.$transaction((tx) =>
    writeAuditEntry(tx, service.deps, { ...entry, actor: { name: actor, ip: '203.0.113.7' } }),
  );
}

function list(query: Record<string, string | number> = {}) {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) parameters.set(name, String(value));
  return service.call<Page>('GET', `/admin/audit-log?${parameters}`, { token: service.app.secretKey });
}

async function everyPage(query: Record<string, string | number>): Promise<AuditEntry[]> {
  const items: AuditEntry[] = [];
  let cursor: string | null = null;
  do {
    const { data }: { data: Page } = await list({ ...query, ...(cursor !== null && { cursor }) });
    items.push(...data.items);
    cursor = data.next_cursor;
  } while (cursor !== null);
  return items;
}

const placesOf = (items: AuditEntry[]) => items.map(({ details }) => details.place as number);
const places = Array.from({ length: 60 }, (_, place) => place).reverse();
const at = (seconds: number) => new Date(startedAt.getTime() + seconds * 1_000).toISOString();

test('an entry names the actor, action, target, IP address and time', async () => {
  const { data } = await list({ actor: 'secret_key:a', limit: 1 });
  expect(data.items).toEqual([
    {
      id: expect.stringMatching(/^[0-9A-HJKMNP-TV-Z]{26}$/),
      actor: 'secret_key:a',
      actor_name: null,
      action: 'identity.unlinked',
      target: 'session:2',
      target_name: null,
      uid: null,
      ip_address: '203.0.113.7',
      details: { place: 57 },
      created_at: '2026-03-01T10:00:57.123000Z',
    },
  ]);
});

describe('the filter', () => {
  test('returns the matching entries, newest first, with any page size', async () => {
    const fits = (place: number) => place % 2 === 0;
    for (const limit of [1, 7, 100]) {
      expect(placesOf(await everyPage({ action: 'identity.linked', limit }))).toEqual(places.filter(fits));
    }
  });

  test('created_after is inclusive, created_before exclusive', async () => {
    const span = (after: string, before: string) =>
      everyPage({ action: 'identity.linked', created_after: after, created_before: before });
    expect(placesOf(await span(at(10), at(14)))).toEqual([12, 10]);
    expect(placesOf(await span(at(10.001), at(14.001)))).toEqual([14, 12]);
    expect(placesOf(await span(at(14), at(10)))).toEqual([]);
    // Entries have whole milliseconds: between two of them, this is after the first.
    const between = at(10).replace('Z', '001Z');
    expect(placesOf(await span(between, at(14)))).toEqual([12]);
    expect(placesOf(await span(at(8), between))).toEqual([10, 8]);
    // The same instant in another time zone.
    expect(placesOf(await span('2026-03-01T12:00:10.123+02:00', at(12)))).toEqual([10]);
    expect(placesOf(await span('0001-01-01T00:00:00Z', at(1)))).toEqual([0]);
    expect(placesOf(await span('9999-12-31T23:59:59Z', at(1)))).toEqual([]);
  });

  test.each([
    ['uid', 'nobody'],
    ['created_after', 'yesterday'],
    ['created_before', '2026-02-30T00:00:00Z'],
    ['limit', 101],
    ['limit', 0],
    ['cursor', 'nonsense'],
  ])('%s is refused when it is %s', async (name, value) => {
    expectRefusal(await list({ [name]: value }), 'request/validation-failed', {
      [name]: [expect.any(String)],
    });
  });
});

test('entries written between two pages cause neither repeats nor gaps', async () => {
  const first = (await list({ action: 'identity.linked', limit: 10 })).data;
  await write('secret_key:z', { action: 'identity.linked' });
  const second = (await list({ action: 'identity.linked', limit: 10, cursor: first.next_cursor as string }))
    .data;
  expect(placesOf([...first.items, ...second.items])).toEqual(
    places.filter((place) => place % 2 === 0).slice(0, 20),
  );
});

describe('the name of the actor', () => {
  test('is the email of a member, or the name of a secret key, as it is now; null for all others', async () => {
    const { id: appId, appKey } = (await service.newApp()).app;
    const other = await service.newApp();
    const team = await teamScenario(() => service);
    const [member, gone] = [await team.newMember(appId, 'admin'), await team.newMember(appId, 'viewer')];
    const scopes = ['audit:read' as const];
    const newKey = (name: string, of = appId) =>
      createSecretKey(service.deps, byCommandLine(of), { name, scopes, expiresAt: null });
    const [reader, revoked] = [await newKey('reader'), await newKey('revoked')];
    const foreign = await newKey('of another app', other.app.id);
    await revokeSecretKey(service.deps, byCommandLine(appId), revoked.key.id);
    const user = await service.signUp({ appKey });
    const names: [string, string | null][] = [
      [`member:${member.uid}`, member.email],
      [`member:${gone.uid}`, null],
      [`secret_key:${reader.key.id}`, 'reader'],
      [`secret_key:${revoked.key.id}`, 'revoked'],
      [`secret_key:${foreign.key.id}`, null],
      [`member:${user.uid}`, null],
      [`user:${user.uid}`, null],
      ['member:', null],
      ['command_line', null],
      ['service', null],
      ['anonymous', null],
    ];
    for (const [name] of names) await write(name, { appId });
    await team.call('DELETE', '/me', { token: gone.token });
    const read = () =>
      service.call<Page>('GET', '/admin/audit-log?action=settings.updated', {
        appKey,
        token: reader.secretKey,
      });
    const { items } = (await read()).data;
    expect(items.map(({ actor, actor_name }) => [actor, actor_name]).reverse()).toEqual(names);
  });

  test('of users and targets is what they are called now, and shows only what the caller may read', async () => {
    const { app, secretKey } = await service.newApp();
    const { appKey } = app;
    const [named, unnamed, deleted] = [0, 1, 2].map(() => service.signUp({ appKey }));
    const [ada, nobody, gone] = [await named, await unnamed, await deleted] as TestUser[];
    const token = ada?.tokens.access_token;
    await service.call('PATCH', '/me', { appKey, token, body: { first_name: 'Ada', last_name: 'Lovelace' } });
    await service.call('DELETE', '/me', { appKey, token: gone?.tokens.access_token });
    const url = 'https://hooks.example.com/foyer?token=secret';
    const webhook = await service.call<{ id: string }>('POST', '/admin/webhooks', {
      appKey,
      token: secretKey,
      body: { url },
    });
    const form = new FormData();
    form.append('file', new Blob(['of a user']), 'passport.txt');
    const file = await service.call<{ id: string }>('POST', '/files', { appKey, token, form });
    const message = { id: service.deps.random.ulid(service.clock.now()) };
    await service.database.prisma.pushMessage.create({
      data: {
        appId: app.id,
        id: message.id,
        target: { all: true },
        content: { notification: { title: 'Hello', body: 'Everyone' } },
        status: 'done',
        targetCount: 0,
        createdAt: service.clock.now(),
      },
    });
    const names: [string, string | null][] = [
      [`user:${ada?.uid}`, 'Ada Lovelace'],
      [`user:${nobody?.uid}`, nobody?.email as string],
      [`user:${gone?.uid}`, null],
      [`app:${app.id}`, app.name],
      [`app:${service.app.app.id}`, null],
      [`webhook:${webhook.data.id}`, 'https://hooks.example.com/foyer'],
      [`file:${file.data.id}`, 'passport.txt'],
      ['collection:notes', null],
      [`push_message:${message.id}`, 'Hello'],
    ];
    for (const [target] of names) await write('service', { appId: app.id, target });
    const scopes = ['audit:read' as const];
    const narrow = await createSecretKey(service.deps, byCommandLine(app.id), {
      name: 'n',
      scopes,
      expiresAt: null,
    });
    const shownTo = async (key: string) =>
      (
        await service.call<Page>('GET', '/admin/audit-log?action=settings.updated', { appKey, token: key })
      ).data.items
        .map(({ target, target_name }) => [target, target_name])
        .reverse();
    expect(await shownTo(secretKey)).toEqual(names);
    // The path of a webhook may authenticate the service at the receiver.
    const hidden: [RegExp, string | null][] = [
      [/^(user|push_message|file):/, null],
      [/^webhook:/, 'https://hooks.example.com'],
    ];
    const shown = ([target, name]: [string, string | null]) => {
      const other = hidden.find(([kind]) => kind.test(target));
      return [target, other ? other[1] : name];
    };
    expect(await shownTo(narrow.secretKey)).toEqual(names.map(shown));
  });

  test('costs one query for each kind of actor and target in a page, and none where there is nobody to name', async () => {
    const { app, secretKey } = await service.newApp();
    const read = () =>
      service.call('GET', '/admin/audit-log?limit=100', { appKey: app.appKey, token: secretKey });
    await read();
    await service.database.prisma.auditLog.deleteMany({ where: { appId: app.id } });
    const before = await statements.during(read);
    for (let place = 0; place < 50; place += 1) {
      const id = service.deps.random.ulid(service.clock.now());
      for (const kind of ['member', 'secret_key']) await write(`${kind}:${id}`, { appId: app.id });
    }
    const after = await statements.during(read);
    // Members, keys, and the app that each of the entries is about.
    expect(after.length - before.length).toBe(3);
  });
});

// What the removal of a member ends, and what it leaves for the owners to replace.
import type { FileUrl, MemberTrace, NewSecretKey } from '@foyer/contract';
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { testService } from '../../test/harness.js';
import { expectRefusal } from '../../test/refusal.js';
import { shared } from '../../test/shared.js';
import {
  memberPassword,
  type TeamScenario,
  type TestMember,
  teamScenario,
} from '../../test/team-scenario.js';
import { createSecretKey, revokeSecretKey } from '../apps/secret-keys.js';
import { byCommandLine } from '../model/actor.js';

const service = shared(() => testService({ config: { outboundLoopback: true } }));
let team: TeamScenario;
let appId: string;
beforeAll(async () => {
  team = await teamScenario(() => service);
  appId = service.app.app.id;
});

const minute = 60_000;
const hook = 'http://127.0.0.1:9/webhook';

async function privateFile(): Promise<string> {
  const { tokens } = await service.signUp();
  const form = new FormData();
  form.append('file', new Blob(['of a user']), 'note.txt');
  const { data } = await service.call<{ id: string }>('POST', '/files', { form, token: tokens.access_token });
  return data.id;
}

async function urlOf(id: string, token: string): Promise<string> {
  const { data } = await service.call<FileUrl>('GET', `/files/${id}/url?expires_in=604800`, { token });
  return service.url + new URL(data.url).pathname + new URL(data.url).search;
}

async function remove(member: TestMember): Promise<void> {
  const path = `/console/apps/${appId}/members/${member.uid}`;
  expect((await team.call('DELETE', path, { token: await team.ownerToken() })).status).toBe(204);
}

async function expectExpired(url: string): Promise<void> {
  const answer = await fetch(url);
  expect([answer.status, JSON.parse(await answer.text()).error.code]).toEqual([403, 'files/url-expired']);
}

test('the URL of a file that a member signed ends with the membership, and is audited', async () => {
  const id = await privateFile();
  const [member, owner] = [await team.newMember(appId, 'viewer'), await team.ownerToken()];
  const url = await urlOf(id, member.token);
  const byOwner = await urlOf(id, owner);
  for (const each of [url, byOwner]) expect(await (await fetch(each)).text()).toBe('of a user');
  const entries = await service.auditEntries({ action: 'file.url_created', target: `file:${id}` });
  expect(entries.map(({ actor }) => actor)).toEqual([`member:${member.uid}`, `member:${team.owner.uid}`]);
  // Without its signer, or with another one, the signature does not match.
  for (const changed of [url.replace(/&by=[^&]+/, ''), url.replace(member.uid, team.owner.uid)]) {
    expect(JSON.parse(await (await fetch(changed)).text()).error.code).toBe('files/invalid-signature');
  }
  await remove(member);
  await expectExpired(url);
  expect((await fetch(byOwner)).status).toBe(200);
  // No URL of a disabled account works either.
  const where = { id: team.owner.uid };
  await service.database.prisma.user.updateMany({ where, data: { disabled: true } });
  await expectExpired(byOwner);
  await service.database.prisma.user.updateMany({ where, data: { disabled: false } });
});

test('that of a secret key ends with the key, and that of a user does not name anyone', async () => {
  const id = await privateFile();
  const expiresAt = new Date(service.clock.now().getTime() + minute);
  const draft = { name: 'of a test', scopes: ['files:read' as const], expiresAt: null };
  const revoked = await createSecretKey(service.deps, byCommandLine(appId), draft);
  const expiring = await createSecretKey(service.deps, byCommandLine(appId), { ...draft, expiresAt });
  const urls = [await urlOf(id, revoked.secretKey), await urlOf(id, expiring.secretKey)] as [string, string];
  for (const url of urls) expect((await fetch(url)).status).toBe(200);
  const { key } = revoked;
  expect(
    await service.auditEntries({ action: 'file.url_created', target: `secret_key:${key.id}` }),
  ).toHaveLength(1);
  await revokeSecretKey(service.deps, byCommandLine(appId), key.id);
  await expectExpired(urls[0]);
  expect((await fetch(urls[1])).status).toBe(200);
  await service.advance(minute);
  await expectExpired(urls[1]);

  const user = await service.signUp();
  const form = new FormData();
  form.append('file', new Blob(['own']), 'own.txt');
  const token = user.tokens.access_token;
  const { data } = await service.call<{ id: string }>('POST', '/files', { form, token });
  const own = await urlOf(data.id, token);
  expect(own).not.toContain('by=');
  expect((await fetch(own)).status).toBe(200);
});

test('an owner is shown what a member created or changed and could still use, before and after the removal', async () => {
  const made = await service.newApp();
  const { id, appKey } = made.app;
  const admin = await team.newMember(id, 'admin');
  const as = { appKey, token: admin.token };
  const create = (path: string, body: object) => service.call<{ id: string }>('POST', path, { ...as, body });
  const key = await create('/admin/keys', { name: 'a way back', scopes: ['users:read'] });
  const gone = await service.call<NewSecretKey>('POST', '/admin/keys', {
    ...as,
    body: { name: 'revoked', scopes: ['users:read'] },
  });
  await service.call('DELETE', `/admin/keys/${gone.data.id}`, as);
  const expires_at = new Date(service.clock.now().getTime() + minute).toISOString();
  await create('/admin/keys', { name: 'expired', scopes: ['users:read'], expires_at });
  service.clock.advance(minute);
  const webhook = await create('/admin/webhooks', { url: hook });
  const ofBackend = await service.call<{ id: string }>('POST', '/admin/webhooks', {
    ...{ appKey, token: made.secretKey },
    body: { url: hook },
  });
  const at = `/admin/webhooks/${ofBackend.data.id}`;
  await service.call('PATCH', at, { ...as, body: { description: 'only described' } });
  const described = await traces();
  expect(described.map(({ id: of }) => of)).toEqual([webhook.data.id, key.data.id]);
  await service.call('PATCH', at, { ...as, body: { url: 'http://127.0.0.1:9/other' } });
  await service.call('PATCH', '/admin/settings', {
    ...as,
    body: { deep_link: hook, access_token_seconds: 900 },
  });
  await service.call('PATCH', '/admin/settings', {
    ...as,
    body: { push: { web_push: { subject: 'mailto:a@example.com' } } },
  });
  for (const [name, access_mode] of [
    ['opened', 'admin'],
    ['indexed', 'admin'],
    ['open', 'shared'],
    ['closed', 'shared'],
  ])
    await create('/admin/collections', { name, access_mode });
  const change = (name: string, body: object) =>
    service.call('PATCH', `/admin/collections/${name}`, { ...as, body });
  await change('opened', { access_mode: 'signed_in_read' });
  await change('opened', { indexed_fields: ['a'] });
  await change('closed', { access_mode: 'admin' });
  await service.call('PATCH', '/admin/collections/indexed', {
    ...{ appKey, token: made.secretKey },
    body: { access_mode: 'public_read' },
  });
  await change('indexed', { indexed_fields: ['a'] });

  const expected = [
    ['collection', 'opened', 'opened', 'collection.updated'],
    ['collection', 'open', 'open', 'collection.created'],
    ['collection', 'indexed', 'indexed', 'collection.created'],
    ['setting', 'push', 'push', 'settings.updated'],
    ['setting', 'deep_link', 'deep_link', 'settings.updated'],
    ['webhook', ofBackend.data.id, 'http://127.0.0.1:9/other', 'webhook.updated'],
    ['webhook', webhook.data.id, hook, 'webhook.created'],
    ['secret_key', key.data.id, 'a way back', 'secret_key.created'],
  ];
  const told = async () => (await traces()).map(({ kind, id: of, name, action }) => [kind, of, name, action]);
  expect(await told()).toEqual(expected);
  const path = `/console/apps/${id}/members/${admin.uid}`;
  expect((await team.call('DELETE', path, { token: await team.ownerToken() })).status).toBe(204);
  expect(await told()).toEqual(expected);
  expectRefusal(await team.call('GET', `${path}/traces`, { token: admin.token }), 'console/app-not-found');

  async function traces() {
    const token = await team.ownerToken();
    const answer = await team.call<{ items: MemberTrace[] }>(
      'GET',
      `/console/apps/${id}/members/${admin.uid}/traces`,
      { token },
    );
    expect(answer.status).toBe(200);
    return answer.data.items;
  }
});

test('a member cannot hide what it leaves behind thousands of other changes', async () => {
  const made = await service.newApp();
  const { id, appKey } = made.app;
  const admin = await team.newMember(id, 'admin');
  const key = await service.call<NewSecretKey>('POST', '/admin/keys', {
    ...{ appKey, token: admin.token },
    body: { name: 'a way back', scopes: ['users:read'] },
  });
  await service.database.prisma
    .$executeRaw`INSERT INTO audit_log (app_id, id, actor, action, target, details, created_at)
    SELECT ${id}, '7' || lpad(n::text, 25, '0'), ${`member:${admin.uid}`}, 'settings.updated', ${`app:${id}`},
      '{"changed": ["tiers"]}', now() FROM generate_series(1, 10000) AS n`;
  const path = `/console/apps/${id}/members/${admin.uid}/traces`;
  const answer = await team.call<{ items: MemberTrace[] }>('GET', path, { token: await team.ownerToken() });
  expect(answer.data.items.map(({ id: of }) => of)).toEqual([key.data.id]);
});

test('a member who is removed while the host of a webhook is looked up leaves no webhook', async () => {
  const { requireAllowed } = service.deps.ssrfSafeFetch;
  const looking = vi.spyOn(service.deps.ssrfSafeFetch, 'requireAllowed');
  onTestFinished(() => looking.mockRestore());
  const { id, appKey } = (await service.newApp()).app;
  const owner = await team.newMember(id, 'owner');
  const ask = (method: string, path: string, token: string, body: object) =>
    service.call<{ id: string }>(method, path, { appKey, token, body });
  const kept = await ask('POST', '/admin/webhooks', owner.token, { url: hook });
  const before = (await service.call('GET', '/admin/webhooks', { appKey, token: owner.token })).json.data;
  for (const [method, path, body] of [
    ['POST', '/admin/webhooks', { url: hook }],
    ['PATCH', `/admin/webhooks/${kept.data.id}`, { url: `${hook}/other` }],
  ] as const) {
    const admin = await team.newMember(id, 'admin');
    looking.mockImplementationOnce(async (address) => {
      const removal = { token: owner.token };
      await team.call('DELETE', `/console/apps/${id}/members/${admin.uid}`, removal);
      return requireAllowed(address);
    });
    expectRefusal(await ask(method, path, admin.token, body), 'console/insufficient-role');
  }
  const after = await service.call('GET', '/admin/webhooks', { appKey, token: owner.token });
  expect(after.json.data).toEqual(before);
});

test('a revoked key leaves the webhooks and the settings that were changed with it', async () => {
  const made = await service.newApp();
  const { id, appKey } = made.app;
  const admin = await team.newMember(id, 'admin');
  const key = await service.call<NewSecretKey>('POST', '/admin/keys', {
    ...{ appKey, token: admin.token },
    body: { name: 'leaked', scopes: ['webhooks:manage', 'users:read', 'sign-in:manage'] },
  });
  const leaked = { appKey, token: key.data.secret_key };
  const webhook = await service.call<{ id: string }>('POST', '/admin/webhooks', {
    ...leaked,
    body: { url: hook },
  });
  await service.call('PATCH', '/admin/settings', { ...leaked, body: { deep_link: hook } });
  const expected = [
    ['setting', 'deep_link'],
    ['webhook', webhook.data.id],
  ];
  expect(await traces()).toEqual(expected);
  await service.call('DELETE', `/admin/keys/${key.data.id}`, { appKey, token: admin.token });
  expect(await traces()).toEqual(expected);

  async function traces() {
    const path = `/console/apps/${id}/keys/${key.data.id}/traces`;
    const answer = await team.call<{ items: MemberTrace[] }>('GET', path, { token: admin.token });
    return answer.data.items.map(({ kind, id: of }) => [kind, of]);
  }
});

test('the messages that a member has scheduled are shown until they are sent or cancelled, also after the removal', async () => {
  const made = await service.newApp();
  const { id, appKey } = made.app;
  const editor = await team.newMember(id, 'editor');
  const send_at = new Date(service.clock.now().getTime() + 60 * minute).toISOString();
  const schedule = async (token: string, notification?: object) => {
    const body = { all: true, send_at, ...(notification ? { notification } : { data: { a: '1' } }) };
    const { data } = await service.call<{ id: string }>('POST', '/admin/push/send', { appKey, token, body });
    return data.id;
  };
  const titled = await schedule(editor.token, { title: 'Goodbye', body: 'from the former editor' });
  const silent = await schedule(editor.token);
  await schedule(made.secretKey);
  const path = `/console/apps/${id}/members/${editor.uid}`;
  const traces = async () => {
    const token = await team.ownerToken();
    const answer = await team.call<{ items: MemberTrace[] }>('GET', `${path}/traces`, { token });
    return answer.data.items.map(({ kind, id: of, name, action }) => [kind, of, name, action]);
  };
  const expected = [
    ['push_message', silent, 'Untitled', 'push.sent'],
    ['push_message', titled, 'Goodbye', 'push.sent'],
  ];
  expect(await traces()).toEqual(expected);
  await team.call('DELETE', path, { token: await team.ownerToken() });
  expect(await traces()).toEqual(expected);
  const cancel = `/admin/push/messages/${titled}/cancel`;
  expect((await service.call('POST', cancel, { appKey, token: made.secretKey })).status).toBe(200);
  expect(await traces()).toEqual(expected.slice(0, 1));
  await service.advance(61 * minute);
  expect(await traces()).toEqual([]);
});

test('a member needs a recent sign-in for what opens accounts or data lastingly, and not for the rest', async () => {
  const made = await service.newApp();
  const { id, appKey } = made.app;
  const owner = await team.newMember(id, 'owner');
  const as = { appKey, token: owner.token };
  const { uid } = await service.signUp({ appKey });
  await service.call('POST', '/admin/collections', { ...as, body: { name: 'notes' } });
  const { data } = await service.call<{ id: string }>('POST', '/admin/webhooks', {
    ...as,
    body: { url: hook },
  });
  const webhook = `/admin/webhooks/${data.id}`;
  const calls: [string, string, object?][] = [
    ['POST', '/admin/webhooks', { url: hook }],
    ['PATCH', webhook, { url: hook }],
    ['POST', `${webhook}/rotate-secret`],
    ['PATCH', `/admin/users/${uid}`, { password: 'a password of the member' }],
    ['PATCH', `/admin/users/${uid}`, { email: 'member@example.com' }],
    ['PATCH', `/admin/users/${uid}`, { email_verified: true }],
    ['PUT', `/admin/users/${uid}/claims`, { claims: { admin: true } }],
    ['POST', '/admin/users', { email: 'password@example.com', password: 'a password of the member' }],
    ['POST', '/admin/users', { email: 'claims@example.com', claims: { admin: true } }],
    ['POST', '/admin/users', { email: 'verified@example.com', email_verified: true }],
    ['POST', '/admin/users/import', { users: [{ email: 'a@example.com', claims: { admin: true } }] }],
    [
      'POST',
      '/admin/users/import',
      { users: [{ email: 'b@example.com' }, { email: 'c@example.com', email_verified: true }] },
    ],
    ['PATCH', '/admin/collections/notes', { access_mode: 'public_read' }],
    ['POST', '/admin/collections', { name: 'open', access_mode: 'shared' }],
  ];
  const harmless: typeof calls = [
    ['PATCH', webhook, { description: 'Ours' }],
    ['PATCH', `/admin/users/${uid}`, { first_name: 'Ada', email_verified: false }],
    [
      'POST',
      '/admin/users/import',
      { users: [{ email: 'd@example.com', email_verified: false, claims: {} }] },
    ],
    ['PATCH', '/admin/collections/notes', { on_user_delete: 'keep' }],
  ];
  const ask = ([method, path, body]: (typeof calls)[number], by = as) =>
    service.call(method, path, { ...by, ...(body && { body }) });
  const ofApp = (body: object) => team.call('PATCH', `/console/apps/${id}`, { token: owner.token, body });
  service.clock.advance(5 * minute + 1);
  for (const call of calls) {
    const { code } = await ask(call);
    expect([call, code]).toEqual([call, 'auth/requires-recent-login']);
  }
  for (const body of [{ enabled: false }, { name: 'Another sender' }]) {
    expectRefusal(await ofApp(body), 'auth/requires-recent-login');
  }
  for (const call of harmless) expect([call, (await ask(call)).status]).toEqual([call, 200]);
  // The same call succeeds once the member has signed in again.
  const body = { email: 'again@example.com', claims: { admin: true } };
  const repeated = { ...as, body, headers: { 'idempotency-key': 'a user' } };
  expectRefusal(await service.call('POST', '/admin/users', repeated), 'auth/requires-recent-login');
  const again = { token: owner.token, body: { password: memberPassword } };
  expect((await team.call('POST', '/auth/reauthenticate', again)).status).toBe(200);
  expect((await service.call('POST', '/admin/users', repeated)).status).toBe(201);
  // A secret key has no sign-in.
  const backend = { appKey, token: made.secretKey };
  for (const call of calls) expect([call, (await ask(call, backend)).status < 300]).toEqual([call, true]);
});

test('a member invites thirty emails an hour, and so does the team of an app, whoever invites', async () => {
  const limited = await service.secondInstance({ rateLimits: true });
  const { id } = (await service.newApp()).app;
  const [first, second] = [await team.newMember(id, 'owner'), await team.newMember(id, 'owner')];
  const { appKey } = team.consoleApp;
  const invite = (token: string, to: string) =>
    limited.call('POST', `/console/apps/${to}/members`, {
      ...{ appKey, token },
      body: { email: team.newEmail(), role: 'viewer' },
    });
  for (let sent = 0; sent < 30; sent += 1) expect((await invite(first.token, id)).status).toBe(201);
  const before = await service.database.prisma.invitation.count();
  for (const { token } of [first, second]) expectRefusal(await invite(token, id), 'request/rate-limited');
  expect(await service.database.prisma.invitation.count()).toBe(before);
  await limited.stop();
});

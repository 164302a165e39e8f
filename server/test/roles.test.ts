// Every role on every route that a team member may call, as one table generated from the contract; and what no member's
// token reaches.
import { randomBytes } from 'node:crypto';
import { credentialsOf, metadataOf, type Role, roles, rolesOf } from '@foyer/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  type ContractRoute,
  callRoute,
  contractRoutes,
  expectDeclared,
  unknownParams,
} from './contract-routes.js';
import { type CallOptions, testService } from './harness.js';
import { expectRefusal } from './refusal.js';
import { shared } from './shared.js';
import { type TeamScenario, type TestMember, teamScenario } from './team-scenario.js';
import { thorough } from './thorough.js';

let team: TeamScenario;
let appId: string;
/** `none` is an owner of another app, `service owner` a member of the app `console`. */
let members: Record<Role | 'none' | 'service owner', TestMember>;
const service = shared(() => testService());
beforeAll(async () => {
  team = await teamScenario(() => service);
  appId = service.app.app.id;
  members = {
    none: await team.newMember((await service.newApp()).app.id, 'owner'),
    viewer: await team.newMember(appId, 'viewer'),
    support: await team.newMember(appId, 'support'),
    editor: await team.newMember(appId, 'editor'),
    admin: await team.newMember(appId, 'admin'),
    owner: await team.newMember(appId, 'owner'),
    'service owner': team.owner,
  };
});

const isOfConsole = ({ route }: ContractRoute) => metadataOf(route).auth === 'console';
const actsOnApp = ({ route }: ContractRoute) => route.path.includes('/:app_id');
const ofMembers = contractRoutes.filter(({ route }) => credentialsOf(metadataOf(route).auth).member);

/** With a body that is refused after the guard, and ids of nothing. */
function ask(each: ContractRoute, { token }: TestMember, options: CallOptions = {}) {
  const { route } = each;
  const appKey = isOfConsole(each) ? team.consoleApp.appKey : service.app.app.appKey;
  const params = { ...unknownParams, app_id: appId };
  const body = route.method === 'GET' ? {} : { body: '{' };
  return callRoute(service, route, { params, appKey, token, ...body, ...options });
}

function expected(each: ContractRoute, name: keyof typeof members): string {
  const allowed = rolesOf(metadataOf(each.route)) ?? (isOfConsole(each) ? null : roles);
  if (allowed === null || name === 'service owner') return 'let in';
  // Calls of the dashboard that name no app act on `console`, in which only owners of the service have a role.
  if (isOfConsole(each) && !actsOnApp(each)) return 'console/insufficient-role';
  if (name === 'none') return isOfConsole(each) ? 'console/app-not-found' : 'console/insufficient-role';
  return allowed.includes(name) ? 'let in' : 'console/insufficient-role';
}

describe('each role is let in, or refused, by', () => {
  test.each(ofMembers.map((each) => [each.id, each] as const))('%s', async (_, each) => {
    const table: Record<string, string> = {};
    const found: Record<string, string> = {};
    for (const name of ['none', ...roles, 'service owner'] as const) {
      const { status, code } = await ask(each, members[name]);
      const refused = status === 401 || status === 403 || code?.startsWith('console/app');
      found[name] = refused ? `${code}` : 'let in';
      table[name] = expected(each, name);
      if (refused && code) expectDeclared(each, code);
      expect(status).toBeLessThan(500);
    }
    expect(found).toEqual(table);
  });

  test('the role of every route of the dashboard', () => {
    const own = ofMembers.filter(({ route }) => metadataOf(route).scope === undefined);
    expect(
      Object.fromEntries(own.map(({ id, route }) => [id, rolesOf(metadataOf(route))?.[0] ?? null])),
    ).toEqual({
      'keys.list': 'admin',
      'keys.create': 'admin',
      'keys.revoke': 'admin',
      'settingsChecks.testMail': 'admin',
      'console.me': null,
      'console.listApps': null,
      'console.getApp': 'viewer',
      'console.createApp': 'owner',
      'console.updateApp': 'owner',
      'console.getSettings': 'owner',
      'console.updateSettings': 'owner',
      'console.listMembers': 'viewer',
      'console.listOwners': 'viewer',
      'console.invite': 'owner',
      'console.updateMember': 'owner',
      'console.removeMember': 'owner',
      'console.removeFactors': 'owner',
      'console.listTraces': 'owner',
      'console.listTracesOfKey': 'admin',
      'console.listInvitations': 'owner',
      'console.revokeInvitation': 'owner',
      'console.listAuditLog': 'owner',
    });
  });
});

describe('a token of a member', () => {
  const reject = contractRoutes.filter(({ route }) =>
    ['signed-in', 'optional-user'].includes(metadataOf(route).auth),
  );

  test('is no user’s token: every route of users refuses it with the key of any other app', async () => {
    expect(reject.length).toBeGreaterThan(15);
    for (const each of reject) {
      expectRefusal(await ask(each, members['service owner']), 'auth/invalid-token');
    }
  });

  test('of a user is no member’s, with the key of either app', async () => {
    const { tokens, uid } = await service.signUp();
    const user = { ...members.owner, token: tokens.access_token };
    // A user with the uid of a member is none, either.
    await service.database.prisma.teamMember.create({
      data: { appId: team.consoleApp.id, uid, role: 'owner', createdAt: service.clock.now() },
    });
    for (const each of ofMembers) {
      const { auth } = metadataOf(each.route);
      const { status, code } = await ask(each, user);
      if (auth === 'admin') expect([each.id, code]).toEqual([each.id, 'admin/invalid-secret-key']);
      else if (isOfConsole(each) || auth === 'member') expect([each.id, status]).toEqual([each.id, 401]);
      const withConsoleKey = { appKey: team.consoleApp.appKey };
      const closed = isOfConsole(each) ? 'auth/invalid-token' : 'console/not-available';
      expectRefusal(await ask(each, user, withConsoleKey), closed);
    }
    await service.database.prisma.teamMember.deleteMany({ where: { uid } });
  });

  test('expires, and ends with its session and with the account', async () => {
    const expiring = await team.newMember(appId, 'viewer');
    const signedOut = await team.newMember(appId, 'viewer');
    const disabled = await team.newMember(appId, 'viewer');
    await team.call('POST', '/auth/sign-out', { token: signedOut.token });
    const where = { appId_id: { appId: team.consoleApp.id, id: disabled.uid } };
    await service.database.prisma.user.update({ where, data: { disabled: true } });
    const read = ({ token }: TestMember) => service.call('GET', '/admin/config', { token });
    expect((await read(expiring)).status).toBe(200);
    expectRefusal(await read(signedOut), 'auth/invalid-token');
    expectRefusal(await read(disabled), 'auth/invalid-token');
    const expiry = 3_600_000;
    service.clock.advance(expiry - 123);
    expectRefusal(await read(expiring), 'auth/token-expired');
    service.clock.set(new Date(service.clock.now().getTime() - expiry + 123));
  });
});

describe('the app `console`', () => {
  const closed = contractRoutes.filter(({ route }) => /^\/(admin|data|files|push)/.test(route.path));

  test('has no backend, records, files or devices: every such call is refused', async () => {
    expect(closed.length).toBeGreaterThan(50);
    const { appKey } = team.consoleApp;
    const tokens = [members['service owner'].token, service.app.secretKey, undefined];
    for (const [place, each] of closed.entries()) {
      // A short run: with one of them on each route.
      for (const token of thorough ? tokens : [tokens[place % tokens.length]]) {
        const member = { ...members.owner, token: token ?? '' };
        expectRefusal(await ask(each, member, { appKey }), 'console/not-available');
      }
      expectDeclared(each, 'console/not-available');
    }
  });

  test('accepts no sign-up, has no secret key, and is unknown to v1', async () => {
    const { appKey, id } = team.consoleApp;
    const body = { email: 'eve@example.com', password: 'correct horse battery staple' };
    const signUp = await service.call('POST', '/auth/sign-up', { appKey, body });
    expectRefusal(signUp, 'auth/operation-not-allowed');
    expect(await service.database.prisma.secretKey.count({ where: { appId: id } })).toBe(0);
    for (const [method, path] of [
      ['POST', '/login'],
      ['POST', '/register'],
      ['GET', '/me'],
    ] as const) {
      const sent = method === 'GET' ? {} : { body };
      const answer = await service.call(method, path, { version: 'v1', appKey, ...sent });
      expect([answer.status, Object.keys(answer.json)]).toEqual([401, ['message']]);
    }
  });
});

test('what a member writes names the member in the audit log of the app', async () => {
  const { token, uid } = await team.newMember(appId, 'admin');
  const send = async (method: string, path: string, options: CallOptions = {}) => {
    const answer = await service.call<{ id: string; uid: string }>(method, path, { token, ...options });
    expect([path, answer.status < 300]).toEqual([path, true]);
    return answer.data;
  };
  await send('POST', '/admin/collections', { body: { name: 'journal' } });
  await send('PUT', '/data/journal/one', { body: { fields: { a: 1 } } });
  const form = new FormData();
  form.append('file', new Blob(['bytes']), 'note.txt');
  const { id } = await send('POST', '/files', { form });
  await send('GET', `/files/${id}`);
  await send('DELETE', `/files/${id}`);
  await send('PATCH', '/admin/settings', { body: { sign_up: 'open' } });
  const headers = { 'if-match': '*' };
  await send('PUT', '/admin/config', { headers, body: { parameters: {} } });
  const user = await send('POST', '/admin/users', { body: { email: 'by-a-member@example.com' } });
  await send('DELETE', `/admin/users/${user.uid}`);
  const entries = await service.auditEntries({ appId, actor: `member:${uid}` });
  expect(entries.map(({ action }) => action)).toEqual([
    'member.joined',
    'collection.created',
    'record.created',
    'file.uploaded',
    'file.deleted',
    'settings.updated',
    'config.updated',
    'user.created',
    'user.deleted',
  ]);
  const page = await service.call<{ items: { actor: string }[] }>(
    'GET',
    `/admin/audit-log?actor=member:${uid}`,
    { token },
  );
  expect(page.data.items).toHaveLength(entries.length);
});

test('a token of a member whose signing key is gone is answered such that the client refreshes it', async () => {
  const header = { alg: 'ES256', typ: 'at+jwt', kid: randomBytes(32).toString('base64url') };
  const [, ...rest] = members.admin.token.split('.');
  const token = [Buffer.from(JSON.stringify(header)).toString('base64url'), ...rest].join('.');
  service.clock.advance(1_000);
  for (const path of ['/admin/users', '/admin/keys', '/data/notes']) {
    expectRefusal(await service.call('GET', path, { token }), 'auth/invalid-token');
  }
});

test('an idempotency key belongs to the member who sent it', async () => {
  const headers = { 'idempotency-key': 'of a member' };
  const create = (token: string, email: string) =>
    service.call('POST', '/admin/users', { token, headers, body: { email } });
  const [first, again] = [
    await create(members.admin.token, 'once@example.com'),
    await create(members.admin.token, 'once@example.com'),
  ];
  expect(again.data).toEqual(first.data);
  expect(again.headers.get('idempotent-replayed')).toBe('true');
  expect((await create(members.owner.token, 'another@example.com')).status).toBe(201);
  expect((await create(service.app.secretKey, 'third@example.com')).status).toBe(201);
});

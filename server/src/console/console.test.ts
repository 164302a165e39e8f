// The dashboard's calls: apps, members and their roles.
import type { ConsoleApp, ConsoleMe, Member } from '@foyer/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import { testService } from '../../test/harness.js';
import { lateAnswer } from '../../test/held-transactions.js';
import { expectRefusal } from '../../test/refusal.js';
import { shared } from '../../test/shared.js';
import { type TeamScenario, type TestMember, teamScenario } from '../../test/team-scenario.js';
import { deletedAppKeyPrefix } from '../model/app.js';

const service = shared(() => testService());
let team: TeamScenario;
let owner: TestMember;
beforeAll(async () => {
  team = await teamScenario(() => service);
  owner = team.owner;
});

const minute = 60_000;

const entriesOf = (appId: string, action: string) => service.auditEntries({ appId, action });

test('GET /console/me answers the account, and whether it owns the service', async () => {
  const member = await team.newMember(service.app.app.id, 'viewer');
  const me = async ({ token }: TestMember) =>
    (await team.call<ConsoleMe>('GET', '/console/me', { token })).data;
  expect(await me(owner)).toMatchObject({ owner: true, console_app_id: team.consoleApp.id });
  expect(await me(member)).toMatchObject({ owner: false, user: { uid: member.uid, email: member.email } });
});

describe('apps', () => {
  test('a member sees the own apps with the role in each, an owner of the service all of them, page by page', async () => {
    const [one, two] = [await team.newApp('Blueberry'), await team.newApp('Blue plum')];
    await team.newApp('Cherry');
    const member = await team.newMember(one.id, 'editor');
    type Page = { items: ConsoleApp[]; next_cursor: string };
    const list = async (token: string, query = '') =>
      (await team.call<Page>('GET', `/console/apps${query}`, { token })).data;
    expect((await list(member.token)).items).toEqual([{ ...one, role: 'editor' }]);
    expect((await list(member.token, '?q=cherry')).items).toEqual([]);
    // Slugs end in random characters, among which U never is.
    const found = await list(owner.token, '?q=BLUE&limit=1');
    expect(found.items).toEqual([one]);
    expect((await list(owner.token, `?q=BLUE&limit=1&cursor=${found.next_cursor}`)).items).toEqual([two]);
    expect((await list(owner.token, '?q=%25')).items).toEqual([]);
    const all = (await list(owner.token, '?limit=100')).items;
    expect(all.map(({ slug }) => slug)).not.toContain('console');
    expect(all).toContainEqual(expect.objectContaining({ id: service.app.app.id, role: 'owner' }));
  });

  test('an app is created by an owner of the service, without a secret key, once per idempotency key', async () => {
    const body = { name: 'Greenhouse', slug: 'greenhouse' };
    const headers = { 'idempotency-key': 'one' };
    const create = () =>
      team.call<ConsoleApp>('POST', '/console/apps', { token: owner.token, headers, body });
    const { status, data } = await create();
    expect([status, data.slug, data.role]).toEqual([201, 'greenhouse', 'owner']);
    expect((await create()).data).toEqual(data);
    expect(await service.database.prisma.secretKey.count({ where: { appId: data.id } })).toBe(0);
    const [entry] = await entriesOf(data.id, 'app.created');
    expect(entry).toMatchObject({ actor: `member:${owner.uid}`, target: `app:${data.id}` });
    expect((await service.call('GET', '/config', { appKey: data.app_key })).status).toBe(200);
  });

  test('of two apps with the same slug at once, one is created', async () => {
    const body = { name: 'Twin', slug: 'twin' };
    const create = () => team.call('POST', '/console/apps', { token: owner.token, body });
    const answers = await Promise.all([create(), create(), create()]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    const [refused] = answers.filter(({ status }) => status === 409);
    expect(refused?.code).toBe('console/slug-taken');
    const reserved = { name: 'Console', slug: 'console' };
    const answer = await team.call('POST', '/console/apps', { token: owner.token, body: reserved });
    expectRefusal(answer, 'request/validation-failed', { slug: ['is reserved'] });
  });

  test('an app is renamed, disabled and enabled again by its owner', async () => {
    const app = await team.newApp('Shed');
    const own = await team.newMember(app.id, 'owner');
    const change = (body: object) =>
      team.call<ConsoleApp>('PATCH', `/console/apps/${app.id}`, { token: own.token, body });
    const disabled = { name: 'Barn', enabled: false };
    expect((await change(disabled)).data).toMatchObject(disabled);
    expectRefusal(await service.call('GET', '/config', { appKey: app.app_key }), 'request/invalid-app-key');
    const read = await team.call('GET', `/console/apps/${app.id}`, { token: own.token });
    expect(read.data).toMatchObject({ ...disabled, role: 'owner' });
    expect((await change({ enabled: true })).data).toMatchObject({ name: 'Barn', enabled: true });
    expect((await service.call('GET', '/config', { appKey: app.app_key })).status).toBe(200);
    expect((await change({})).data).toMatchObject({ name: 'Barn', enabled: true });
    for (const action of ['app.renamed', 'app.disabled', 'app.enabled']) {
      expect(await entriesOf(app.id, action)).toMatchObject([{ actor: `member:${own.uid}` }]);
    }
  });

  test('an app whose deletion begins during the change is answered like an unknown one', async () => {
    const app = await team.newApp('Leaving');
    const { token } = await team.newMember(app.id, 'owner');
    const appKey = `${deletedAppKeyPrefix}${app.id}`;
    const answer = await lateAnswer(
      service,
      (late) =>
        late.call('PATCH', `/console/apps/${app.id}`, {
          ...{ appKey: team.consoleApp.appKey, token },
          body: { name: 'Left' },
        }),
      () => service.database.prisma.app.update({ where: { id: app.id }, data: { appKey } }),
    );
    expectRefusal(answer, 'console/app-not-found');
  });

  test('the app `console` cannot be changed, and is found by the owners of the service only', async () => {
    const path = `/console/apps/${team.consoleApp.id}`;
    const member = await team.newMember(service.app.app.id, 'owner');
    expect((await team.call('GET', path, { token: owner.token })).data).toMatchObject({ slug: 'console' });
    const change = await team.call('PATCH', path, { token: owner.token, body: { enabled: false } });
    expectRefusal(change, 'console/not-available');
    expectRefusal(await team.call('GET', path, { token: member.token }), 'console/app-not-found');
  });

  test('an app of others is answered like an unknown one, and so is one that is being deleted', async () => {
    const app = await team.newApp('Hidden');
    const member = await team.newMember(service.app.app.id, 'owner');
    const unknown = '01JC4Q7M0RZ9X2V5T8W3Y6K1NB';
    const answers: string[] = [];
    for (const id of [app.id, unknown, 'nonsense', '%00']) {
      const answer = await team.call('GET', `/console/apps/${id}`, { token: member.token });
      expectRefusal(answer, 'console/app-not-found');
      answers.push(answer.text);
    }
    expect(new Set(answers).size).toBe(1);
    const data = { enabled: false, appKey: `deleted_${app.id}` };
    await service.database.prisma.app.update({ where: { id: app.id }, data });
    const { token } = owner;
    expectRefusal(await team.call('GET', `/console/apps/${app.id}`, { token }), 'console/app-not-found');
    const found = await team.call<{ items: ConsoleApp[] }>('GET', '/console/apps?q=hidden', { token });
    expect(found.data.items).toEqual([]);
  });
});

describe('members', () => {
  type Page = { items: Member[]; next_cursor: string };
  const list = async (appId: string, query = '') => {
    const path = `/console/apps/${appId}/members${query}`;
    return (await team.call<Page>('GET', path, { token: owner.token })).data;
  };

  test('are listed oldest first, page by page', async () => {
    const app = await team.newApp('Listed');
    const first = await team.newMember(app.id, 'viewer');
    service.clock.advance(1);
    const second = await team.newMember(app.id, 'admin');
    const page = await list(app.id, '?limit=1');
    expect(page.items).toMatchObject([{ uid: first.uid, email: first.email, role: 'viewer' }]);
    const rest = await list(app.id, `?limit=1&cursor=${page.next_cursor}`);
    expect(rest).toMatchObject({ items: [{ uid: second.uid, role: 'admin' }], next_cursor: null });
  });

  test('a role changes with the next call, and the entry names both roles and the owner', async () => {
    const app = await team.newApp('Roles');
    const member = await team.newMember(app.id, 'viewer');
    const path = `/console/apps/${app.id}/members/${member.uid}`;
    const settings = () =>
      service.call('GET', '/admin/settings', { appKey: app.app_key, token: member.token });
    expectRefusal(await settings(), 'console/insufficient-role');
    const changed = await team.call<Member>('PATCH', path, { token: owner.token, body: { role: 'admin' } });
    expect(changed.data).toMatchObject({ uid: member.uid, role: 'admin' });
    // The harness demands an entry for each call, and this one changes nothing.
    const again = await fetch(`${service.url}/api/v2${path}`, {
      method: 'PATCH',
      headers: {
        ...{ 'x-app-key': team.consoleApp.appKey, authorization: `Bearer ${owner.token}` },
        'content-type': 'application/json',
      },
      body: JSON.stringify({ role: 'admin' }),
    });
    expect([again.status, await again.json()]).toEqual([200, { data: changed.data }]);
    expect((await settings()).status).toBe(200);
    const names = { actor: `member:${owner.uid}`, target: `member:${member.uid}` };
    const entry = { ...names, details: { from: 'viewer', to: 'admin' } };
    expect(await entriesOf(app.id, 'member.role_changed')).toMatchObject([entry]);
    const own = await team.call('PATCH', path, { token: member.token, body: { role: 'owner' } });
    expectRefusal(own, 'console/insufficient-role');
  });

  test('a token of a signing key that is gone is refused as a token, so that the dashboard refreshes it', async () => {
    const { token } = await team.newMember(service.app.app.id, 'owner');
    const [header = '', ...rest] = token.split('.');
    const signedBy = JSON.parse(Buffer.from(header, 'base64url').toString());
    const kid = [...signedBy.kid].reverse().join('');
    const gone = Buffer.from(JSON.stringify({ ...signedBy, kid })).toString('base64url');
    const settings = (sent: string) => service.call('GET', '/admin/settings', { token: sent });
    expect((await settings(token)).status).toBe(200);
    expectRefusal(await settings([gone, ...rest].join('.')), 'auth/invalid-token');
  });

  test('a removed member is refused from the next call on, and keeps the account', async () => {
    const app = await team.newApp('Left');
    const member = await team.newMember(app.id, 'owner');
    // Of another app, too, whose membership stays.
    const kept = await team.newApp('Kept');
    const data = { appId: kept.id, uid: member.uid, role: 'viewer', createdAt: service.clock.now() };
    await service.database.prisma.teamMember.create({ data });
    const settings = () =>
      service.call('GET', '/admin/settings', { appKey: app.app_key, token: member.token });
    expect((await settings()).status).toBe(200);
    const path = `/console/apps/${app.id}/members/${member.uid}`;
    expect((await team.call('DELETE', path, { token: owner.token })).status).toBe(204);
    expectRefusal(await settings(), 'console/insufficient-role');
    const { token } = member;
    expectRefusal(await team.call('GET', `/console/apps/${app.id}`, { token }), 'console/app-not-found');
    expect((await team.call('GET', '/console/me', { token })).status).toBe(200);
    expect((await team.call('GET', `/console/apps/${kept.id}`, { token })).status).toBe(200);
    expectRefusal(await team.call('DELETE', path, { token: owner.token }), 'console/member-not-found');
    const change = { token: owner.token, body: { role: 'viewer' } };
    expectRefusal(await team.call('PATCH', path, change), 'console/member-not-found');
    expect(await entriesOf(app.id, 'member.removed')).toMatchObject([{ details: { role: 'owner' } }]);
  });

  test('removal and a lower role revoke the invitations that the member sent', async () => {
    const app = await team.newApp('Doors');
    const members = [await team.newMember(app.id, 'owner'), await team.newMember(app.id, 'owner')];
    for (const { token } of members)
      await team.invite(app.id, { email: team.newEmail(), role: 'owner' }, token);
    const other = await team.invite(app.id, { email: team.newEmail(), role: 'viewer' });
    const at = (uid = '') => `/console/apps/${app.id}/members/${uid}`;
    await team.call('DELETE', at(members[0]?.uid), { token: owner.token });
    await team.call('PATCH', at(members[1]?.uid), { token: owner.token, body: { role: 'admin' } });
    const left = await service.database.prisma.invitation.findMany({ where: { appId: app.id } });
    expect(left.map(({ id }) => id)).toEqual([other.id]);
  });

  test('changing the team requires a recent sign-in, judged by the session of the member', async () => {
    const app = await team.newApp('Recent');
    const own = await team.newMember(app.id, 'owner');
    service.clock.advance(5 * minute + 1);
    const { token } = own;
    const at = `/console/apps/${app.id}/members`;
    const body = { email: team.newEmail(), role: 'viewer' };
    expectRefusal(await team.call('POST', at, { token, body }), 'auth/requires-recent-login');
    const change = { token, body: { role: 'viewer' } };
    expectRefusal(await team.call('PATCH', `${at}/${own.uid}`, change), 'auth/requires-recent-login');
    expectRefusal(await team.call('DELETE', `${at}/${own.uid}`, { token }), 'auth/requires-recent-login');
    expect((await team.call('GET', at, { token })).status).toBe(200);
  });
});

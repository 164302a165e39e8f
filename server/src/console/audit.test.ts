// What audit logs record of team members: refused calls, and the log of the team accounts for owners of the service.
import type { AuditEntry } from '@foyer/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import { testService } from '../../test/harness.js';
import { expectRefusal } from '../../test/refusal.js';
import { shared } from '../../test/shared.js';
import {
  memberPassword,
  type TeamScenario,
  type TestMember,
  teamScenario,
} from '../../test/team-scenario.js';

const service = shared(() => testService());
let team: TeamScenario;
beforeAll(async () => {
  team = await teamScenario(() => service);
});

const minute = 60_000;
const unknownId = '01JC4Q7M0RZ9X2V5T8W3Y6K1NB';

describe('a refused call of a member', () => {
  let viewer: TestMember;
  let stranger: TestMember;
  let otherAppId: string;
  beforeAll(async () => {
    otherAppId = (await service.newApp()).app.id;
    viewer = await team.newMember(service.app.app.id, 'viewer');
    stranger = await team.newMember(otherAppId, 'owner');
  });

  const refusalsOf = ({ uid }: TestMember) =>
    service.auditEntries({ action: 'member.refused', actor: `member:${uid}` });

  test('is recorded in the app, with the role that it needs, once a minute', async () => {
    const target = `member:${viewer.uid}`;
    const flood = async () => {
      for (let calls = 0; calls < 5; calls += 1) {
        const answer = await service.call('GET', '/admin/settings', { token: viewer.token });
        expectRefusal(answer, 'console/insufficient-role');
      }
      return refusalsOf(viewer);
    };
    const entry = {
      appId: service.app.app.id,
      target,
      ip: '127.0.0.1',
      details: { reason: 'insufficient-role', role: 'admin' },
    };
    expect(await flood()).toMatchObject([entry]);
    await service.advance(minute);
    expect(await flood()).toMatchObject([entry, entry]);
  });

  test.each([
    ['in an app of another team', () => service.app.app.id, 'GET', '/admin/config', 'viewer'],
    ['on a hidden app', () => service.app.app.id, 'GET', '/console/apps/{app}', 'viewer'],
    ['on the service', () => team.consoleApp.id, 'POST', '/console/apps', 'owner'],
  ])('is recorded %s, where the member has no role', async (_, appId, method, path, role) => {
    await service.advance(minute);
    const before = (await refusalsOf(stranger)).length;
    const options = { token: stranger.token, ...(method === 'POST' && { body: { name: 'Mine' } }) };
    const call = path.startsWith('/console') ? team.call : service.call;
    const { status } = await call(method, path.replace('{app}', service.app.app.id), options);
    expect([403, 404]).toContain(status);
    expect((await refusalsOf(stranger)).slice(before)).toMatchObject([
      { appId: appId(), details: { reason: 'not-a-member', role } },
    ]);
  });

  test('is recorded nowhere for an app that does not exist, and allowed calls are not recorded', async () => {
    await service.advance(minute);
    const before = (await refusalsOf(stranger)).length;
    const answer = await team.call('GET', `/console/apps/${unknownId}`, { token: stranger.token });
    expectRefusal(answer, 'console/app-not-found');
    const allowed = await team.call('GET', `/console/apps/${otherAppId}`, { token: stranger.token });
    expect(allowed.status).toBe(200);
    expect(await refusalsOf(stranger)).toHaveLength(before);
  });
});

describe('the audit log of the team accounts', () => {
  const read = async (query = '') =>
    team.call<{ items: AuditEntry[] }>('GET', `/console/audit-log${query}`, {
      token: await team.ownerToken(),
    });

  test('shows owners the sign-ins and the invitations of owners, with emails as names', async () => {
    const { owner } = team;
    const { appKey } = team.consoleApp;
    await service.signIn({ email: owner.email, password: memberPassword }, { appKey });
    await team.invite(team.consoleApp.id, { email: 'second@example.com', role: 'owner' });
    const [signIn] = (await read(`?action=user.signed_in&actor=user:${owner.uid}`)).data.items;
    expect(signIn).toMatchObject({ actor: `user:${owner.uid}`, actor_name: owner.email });
    const [invited] = (await read('?action=member.invited')).data.items;
    expect(invited).toMatchObject({
      actor: `member:${owner.uid}`,
      actor_name: owner.email,
      target_name: 'second@example.com',
    });
  });

  test('retains no IP address of a member whose account is deleted', async () => {
    const { consoleApp } = team;
    const leaving = await team.newOwner();
    const { token } = leaving;
    const path = `/console/apps/${consoleApp.id}`;
    const { id } = await team.invite(consoleApp.id, { email: team.newEmail(), role: 'owner' }, token);
    expect((await team.call('DELETE', `${path}/invitations/${id}`, { token })).status).toBe(204);
    const other = await team.newOwner();
    expect((await team.call('DELETE', `${path}/members/${other.uid}`, { token })).status).toBe(204);
    const refused = await team.call('POST', '/console/apps', { token: other.token, body: { name: 'No' } });
    expectRefusal(refused, 'console/insufficient-role');

    const actors = [leaving, other].map(({ uid }) => `member:${uid}`);
    const entries = (more: object = {}) =>
      service.auditEntries({ appId: consoleApp.id, actor: { in: actors }, ...more });
    const actions = ['member.joined', 'member.invited', 'member.invitation_revoked'];
    expect((await entries({ ip: { not: null } })).map(({ action }) => action)).toEqual([
      ...[...actions, 'member.joined', 'member.removed', 'member.refused'],
    ]);
    for (const member of [leaving, other])
      expect((await team.call('DELETE', '/me', { token: member.token })).status).toBe(204);
    expect(await entries()).toHaveLength(7);
    expect(await entries({ ip: { not: null } })).toEqual([]);
  });

  test('contains nothing of an app', async () => {
    const { uid } = await service.signUp();
    expect((await read(`?uid=${uid}`)).data.items).toEqual([]);
  });
});

// The owners of the service: the link of the first one, and that one is always left.
import { limits } from '@foyer/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import { untilBlocked } from '../../test/blocked.js';
import { type TestService, testService } from '../../test/harness.js';
import { expectRefusal } from '../../test/refusal.js';
import { shared } from '../../test/shared.js';
import {
  memberPassword,
  type TeamScenario,
  type TestMember,
  teamScenario,
  tokenIn,
} from '../../test/team-scenario.js';
import { inFull } from '../../test/thorough.js';
import { lockAppOf } from '../model/app.js';
import { firstOwnerLink, ownerLink } from './invitations/owner-link.js';

const hour = 3_600_000;

/** Begins calls that change the owners; each waits for the lock of their team before the first goes on. */
async function atOnce<Result>({ deps, database }: TestService, ...calls: (() => Promise<Result>)[]) {
  const { id } = await deps.apps.console();
  const { begun } = await database.prisma.$transaction(
    async (tx) => {
      await tx.$executeRaw(lockAppOf(id));
      const begun = calls.map((call) => call());
      await untilBlocked(database, calls.length);
      return { begun };
    },
    { timeout: 60_000 },
  );
  return Promise.all(begun);
}

describe('the link of the first owner', () => {
  const service = shared(() => testService());

  const link = async () => tokenIn((await firstOwnerLink(service.deps, 'https://accounts.test')) ?? '');
  const accept = async (token: string, email = 'first@example.com') => {
    const { appKey } = await service.deps.apps.console();
    const body = { token, email, password: memberPassword };
    return service.call('POST', '/console/invitations/accept', { appKey, body });
  };

  test('is replaced with each start, expires after a day, works once, and is not printed again', async () => {
    const [first, second] = [await link(), await link()];
    expectRefusal(await accept(first), 'console/invalid-invitation');
    service.clock.advance(limits.invitationHours.firstOwner * hour);
    expectRefusal(await accept(second), 'console/invalid-invitation');

    const third = await link();
    service.clock.advance(limits.invitationHours.firstOwner * hour - 1);
    const { appKey } = await service.deps.apps.console();
    const post = (path: string, body: object) =>
      service.call('POST', `/console/invitations/${path}`, { appKey, body: { token: third, ...body } });
    const details = { email: null, app_name: null, role: 'owner', has_account: false };
    expect((await post('inspect', {})).data).toMatchObject(details);
    const missing = await post('accept', { password: memberPassword });
    expectRefusal(missing, 'request/validation-failed', { email: ['is required for this link'] });
    const answers = await Promise.all([accept(third, 'one@example.com'), accept(third, 'two@example.com')]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422]);
    const [accepted] = answers.filter(({ status }) => status === 200);
    expect(accepted?.json.data.user.email_verified).toBe(false);
    const { id: appId } = await service.deps.apps.console();
    expect(await service.database.prisma.user.count({ where: { appId } })).toBe(1);
    expect(await firstOwnerLink(service.deps, 'https://accounts.test')).toBeNull();
  });

  const newLink = async () => tokenIn(await ownerLink(service.deps, 'https://accounts.test'));

  test('that is made twice at once is valid once', async () => {
    const tokens = await atOnce(service, newLink, newLink);
    expect(new Set(tokens).size).toBe(2);
    expect(await service.database.prisma.invitation.count()).toBe(1);
  });

  test('of the command line makes a further owner, and ends the one before', async () => {
    const [before, last] = [await newLink(), await newLink()];
    expectRefusal(await accept(before, 'more@example.com'), 'console/invalid-invitation');
    expect((await accept(last, 'more@example.com')).status).toBe(200);
  });
});

describe('the owners of the service', () => {
  const service = shared(() => testService());
  let team: TeamScenario;
  beforeAll(async () => {
    team = await teamScenario(() => service);
  });

  const owners = async () => {
    const rows = await service.database.prisma.teamMember.findMany({ where: { appId: team.consoleApp.id } });
    return rows.map(({ uid }) => uid);
  };
  const remove = (member: TestMember, by: TestMember) =>
    team.call('DELETE', `/console/apps/${team.consoleApp.id}/members/${member.uid}`, { token: by.token });
  const deleteAccount = ({ token }: TestMember) => team.call('DELETE', '/me', { token });

  test('have no other role, and the last one can neither be removed nor delete the own account', async () => {
    const { owner } = team;
    const path = `/console/apps/${team.consoleApp.id}/members/${owner.uid}`;
    const change = { token: owner.token, body: { role: 'viewer' } };
    const fields = { role: ['must be owner for the app `console`'] };
    expectRefusal(await team.call('PATCH', path, change), 'request/validation-failed', fields);
    expectRefusal(await remove(owner, owner), 'console/last-owner');
    expectRefusal(await deleteAccount(owner), 'console/last-owner');
    expect(await owners()).toEqual([owner.uid]);
    const me = await team.call('GET', '/console/me', { token: owner.token });
    expect(me.data).toMatchObject({ owner: true });
  });

  test('are listed to the members of every app, with no more than their names and emails', async () => {
    const { app } = await service.newApp();
    const viewer = await team.newMember(app.id, 'viewer');
    const path = `/console/apps/${app.id}/owners`;
    const listed = await team.call<{ items: object[] }>('GET', path, { token: viewer.token });
    const { uid, email } = team.owner;
    expect(listed.data.items).toEqual([{ uid, email, first_name: null, last_name: null }]);
    const others = await team.call('GET', path, {
      token: (await team.newMember(service.app.app.id, 'viewer')).token,
    });
    expectRefusal(others, 'console/app-not-found');
  });

  test('who remove each other at once leave one, and the other is refused', async () => {
    let last = team.owner;
    for (let round = 0; round < inFull(5, 2); round += 1) {
      const other = await team.newOwner();
      const before = last;
      const answers = await atOnce(
        service,
        () => remove(before, other),
        () => remove(other, before),
      );
      // Refused by the guard if the removal was committed before, else under the lock of the team.
      const codes = answers.map(({ code }) => code);
      expect(codes).toContain(undefined);
      expect(['console/app-not-found', 'console/insufficient-role']).toContain(codes.find(Boolean));
      const left = await owners();
      expect(left).toHaveLength(1);
      last = left[0] === last.uid ? last : other;
    }
    team = { ...team, owner: last };
  });

  test('who delete their accounts at once leave one', async () => {
    const pair = [await team.newOwner(), team.owner];
    const answers = await atOnce(service, ...pair.map((each) => () => deleteAccount(each)));
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 409]);
    expect(await owners()).toHaveLength(1);
    const [left] = pair.filter((_, index) => answers[index]?.status === 409);
    team = { ...team, owner: left as TestMember };
  });

  test('lose every app with their membership, and their invitations are revoked', async () => {
    const other = await team.newOwner();
    const { app } = service.app;
    await team.invite(app.id, { email: team.newEmail(), role: 'owner' }, other.token);
    await team.invite(team.consoleApp.id, { email: team.newEmail(), role: 'owner' }, other.token);
    const settings = () => service.call('GET', '/admin/settings', { token: other.token });
    expect((await settings()).status).toBe(200);
    expect((await remove(other, team.owner)).status).toBe(204);
    expectRefusal(await settings(), 'console/insufficient-role');
    const create = { token: other.token, body: { name: 'No' } };
    expectRefusal(await team.call('POST', '/console/apps', create), 'console/insufficient-role');
    expect(await service.database.prisma.invitation.count()).toBe(0);
  });

  test('an account that is deleted leaves its teams, with an entry in the log of each app', async () => {
    const { app } = service.app;
    const other = await team.newOwner();
    const { link } = await team.invite(app.id, { email: team.newEmail(), role: 'admin' }, other.token);
    const joined = await team.accept({ token: tokenIn(link) });
    const { uid } = joined.data.user;
    await team.invite(team.consoleApp.id, { email: team.newEmail(), role: 'owner' }, other.token);
    const member = { uid, email: '', token: joined.data.access_token, refreshToken: '' };
    for (const one of [member, other]) expect((await deleteAccount(one)).status).toBe(204);
    const gone = { uid: { in: [uid, other.uid] } };
    expect(await service.database.prisma.teamMember.count({ where: gone })).toBe(0);
    expect(await service.database.prisma.invitation.count()).toBe(0);
    const where = { appId: app.id, action: 'member.removed', target: `member:${uid}` };
    const entries = await service.auditEntries(where);
    expect(entries).toMatchObject([{ actor: `member:${uid}`, ip: null, details: { role: 'admin' } }]);
    const { token } = member;
    expectRefusal(await service.call('GET', '/admin/settings', { token }), 'auth/invalid-token');
  });

  test('stay in their teams when a user of an app with the same uid, as an import may give it, is deleted', async () => {
    const { uid, tokens } = await service.signUp();
    const { prisma } = service.database;
    const membership = { appId: service.app.app.id, uid };
    await prisma.teamMember.create({
      data: { ...membership, role: 'viewer', createdAt: service.clock.now() },
    });
    const deleted = await service.call('DELETE', '/me', { token: tokens.access_token });
    expect(deleted.status).toBe(204);
    expect(await prisma.teamMember.count({ where: membership })).toBe(1);
  });
});

// Invitations to a team: what a link allows, once, until when, and what a refused or interrupted acceptance leaves.
import type { Invitation, InvitationDetails, NewInvitation } from '@foyer/contract';
import { limits } from '@foyer/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import { testOnServer, untilBlocked } from '../../../test/blocked.js';
import { type Answer, claimsOf, testService } from '../../../test/harness.js';
import { lateAnswer } from '../../../test/held-transactions.js';
import { expectRefusal } from '../../../test/refusal.js';
import { shared } from '../../../test/shared.js';
import { memberPassword, type TeamScenario, teamScenario, tokenIn } from '../../../test/team-scenario.js';
import { lockAppOf } from '../../model/app.js';

const service = shared(() => testService());
let team: TeamScenario;
let appId: string;
beforeAll(async () => {
  team = await teamScenario(() => service);
  appId = service.app.app.id;
});

const hour = 3_600_000;
const unknownToken = `inv_${'A'.repeat(43)}`;

const inspect = (token: string) =>
  team.call<InvitationDetails>('POST', '/console/invitations/inspect', { body: { token } });
const at = (id = appId) => `/console/apps/${id}`;

/** Invites a new email to the app. */
async function invited(role: 'viewer' | 'editor' | 'admin' | 'owner' = 'viewer', email = team.newEmail()) {
  const made = await team.invite(appId, { email, role });
  return { ...made, email, token: tokenIn(made.link) };
}

async function mailedToken(email: string): Promise<string> {
  const [mail] = await service.mailbox(email);
  return tokenIn(mail?.link ?? '');
}

const accountsOf = (email: string) =>
  service.database.prisma.user.count({ where: { appId: team.consoleApp.id, email } });

describe('accepting with a new account', () => {
  test('creates the account, adds the role, signs in and records who joined', async () => {
    const { token, email } = await invited('editor');
    expect((await inspect(token)).data).toEqual({
      email,
      app_name: 'Test',
      role: 'editor',
      has_account: false,
      expires_at: '2026-03-08T10:00:00.123000Z',
    });
    const answer = await team.accept({ token, first_name: 'Ada', last_name: 'Lovelace' });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('x-device-token')).toMatch(/^dt_/);
    const { user, access_token, refresh_token } = answer.data;
    expect(user).toMatchObject({ email, first_name: 'Ada', last_name: 'Lovelace' });
    expect(claimsOf(access_token)).toMatchObject({ aud: team.consoleApp.id, amr: ['pwd'] });
    expect((await service.refresh(refresh_token, team.consoleApp.appKey)).status).toBe(200);
    expect((await team.call('GET', at(), { token: access_token })).data).toMatchObject({ role: 'editor' });
    const entries = await service.auditEntries({
      appId,
      action: 'member.joined',
      target: `member:${user.uid}`,
    });
    expect(entries).toMatchObject([
      { actor: `member:${user.uid}`, details: { role: 'editor' }, uid: null, ip: '127.0.0.1' },
    ]);
    const { appKey } = team.consoleApp;
    expect((await service.signIn({ email, password: memberPassword }, { appKey })).status).toBe(200);
  });

  test('verifies the email with the mailed link, and not with the one that the owner was shown', async () => {
    const shown = await invited();
    expect((await team.accept({ token: shown.token })).data.user.email_verified).toBe(false);
    const mailed = await invited();
    expect(mailed.mailed).toBe(true);
    const token = await mailedToken(mailed.email);
    expect(token).not.toBe(mailed.token);
    expect((await team.accept({ token })).data.user.email_verified).toBe(true);
    // Both are links of one invitation.
    expectRefusal(await team.accept({ token: mailed.token }), 'console/invalid-invitation');
  });

  test('requires a password that sign-up would accept, and leaves the invitation open otherwise', async () => {
    const { token, email } = await invited();
    const short = await team.accept({ token, password: 'short' });
    expectRefusal(short, 'auth/weak-password', { password: ['must have at least 8 characters'] });
    const common = await team.accept({ token, password: 'password123' });
    expectRefusal(common, 'auth/weak-password', { password: ['is one of the most common passwords'] });
    expect(await accountsOf(email)).toBe(0);
    expect((await team.accept({ token })).status).toBe(200);
  });

  test('refuses an email: the invitation names it', async () => {
    const { token, email } = await invited();
    const fields = { email: ['is not allowed: the link names the email'] };
    for (const given of ['other@example.com', email]) {
      expectRefusal(await team.accept({ token, email: given }), 'request/validation-failed', fields);
    }
    expect(await accountsOf('other@example.com')).toBe(0);
  });

  test('of an interrupted acceptance, nothing remains and the invitation is open', async () => {
    const { token, email } = await invited();
    const { prisma } = service.database;
    const sessions = () => prisma.session.count({ where: { appId: team.consoleApp.id } });
    const before = await sessions();
    await prisma.$executeRaw`ALTER TABLE audit_log ADD CONSTRAINT refused CHECK (action <> 'member.joined') NOT VALID`;
    expect((await team.accept({ token })).status).toBe(500);
    await prisma.$executeRaw`ALTER TABLE audit_log DROP CONSTRAINT refused`;
    expect(await accountsOf(email)).toBe(0);
    expect(await sessions()).toBe(before);
    expect((await team.accept({ token })).status).toBe(200);
  });

  test('of parallel acceptances one succeeds, and there is one account', async () => {
    const { token, email } = await invited();
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, index) => team.accept({ token, password: `password of try ${index}` })),
    );
    const accepted = answers.filter(({ status }) => status === 200);
    expect(accepted).toHaveLength(1);
    // Where the account exists by the time of the call, its password is verified first.
    const refused = ['console/invalid-invitation', 'auth/invalid-credential'];
    for (const answer of answers) {
      if (answer !== accepted[0]) expect(refused).toContain(JSON.parse(answer.text).error.code);
    }
    expect(await accountsOf(email)).toBe(1);
    expectRefusal(await team.accept({ token }), 'console/invalid-invitation');
    expectRefusal(await inspect(token), 'console/invalid-invitation');
  });

  test('two invitations of one email to two apps are both accepted at once', async () => {
    const email = team.newEmail();
    const owner = await team.ownerToken();
    const apps = [appId, (await service.newApp()).app.id];
    const links = await Promise.all(apps.map((id) => team.invite(id, { email, role: 'viewer' }, owner)));
    const answers = await Promise.all(links.map(({ link }) => team.accept({ token: tokenIn(link) })));
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(await accountsOf(email)).toBe(1);
    const uid = answers[0]?.data.user.uid as string;
    expect(await service.database.prisma.teamMember.count({ where: { uid } })).toBe(2);
  });
});

describe('accepting with an existing account', () => {
  test('requires its password, and keeps the invitation after a wrong one', async () => {
    const member = await team.newMember((await service.newApp()).app.id, 'viewer');
    const { token } = await invited('admin', member.email);
    expect((await inspect(token)).data.has_account).toBe(true);
    const wrong = await team.accept({ token, password: 'not the password' });
    expectRefusal(wrong, 'auth/invalid-credential');
    const answer = await team.accept({ token, first_name: 'Ignored' });
    expect(answer.status).toBe(200);
    expect(answer.data.user).toMatchObject({ uid: member.uid, first_name: null });
    expect((await team.call('GET', at(), { token: member.token })).data).toMatchObject({ role: 'admin' });
  });

  test('adds no role if the password is changed meanwhile, and keeps the invitation', async () => {
    const member = await team.newMember((await service.newApp()).app.id, 'viewer');
    const { token } = await invited('admin', member.email);
    const { appKey } = team.consoleApp;
    const password = 'another password of the member';
    const answer = await lateAnswer(
      service,
      (late) => {
        const body = { token, password: memberPassword };
        return late.call('POST', '/console/invitations/accept', { appKey, body });
      },
      () => service.call('PUT', '/me/password', { appKey, token: member.token, body: { password } }),
    );
    expectRefusal(answer, 'auth/invalid-credential');
    expect((await team.call('GET', at(), { token: member.token })).status).toBe(404);
    expect((await team.accept({ token, password })).status).toBe(200);
  });

  test('counts wrong passwords towards the limit of the email, like sign-in', async () => {
    const member = await team.newMember((await service.newApp()).app.id, 'viewer');
    const { token } = await invited('admin', member.email);
    const limited = await service.secondInstance({ rateLimits: true });
    const { appKey } = team.consoleApp;
    const accept = (password: string) =>
      limited.call('POST', '/console/invitations/accept', { appKey, body: { token, password } });
    for (let guess = 0; guess < limits.rateLimits['auth-failures-email-ip'].limit; guess += 1) {
      expectRefusal(await accept(`guess ${guess} of the password`), 'auth/invalid-credential');
    }
    expectRefusal(await accept(memberPassword), 'request/rate-limited');
    const signIn = await limited.signIn({ email: member.email, password: memberPassword }, { appKey });
    expectRefusal(signIn, 'request/rate-limited');
    await limited.stop();
  });

  test('of a disabled account is refused once its password was verified', async () => {
    const member = await team.newMember((await service.newApp()).app.id, 'viewer');
    const { token } = await invited('admin', member.email);
    const where = { appId_id: { appId: team.consoleApp.id, id: member.uid } };
    await service.database.prisma.user.update({ where, data: { disabled: true } });
    expectRefusal(await team.accept({ token, password: 'wrong password' }), 'auth/invalid-credential');
    expectRefusal(await team.accept({ token }), 'auth/user-disabled');
    expectRefusal(await team.call('GET', '/console/me', { token: member.token }), 'auth/invalid-token');
  });
});

test('an owner who accepts a lower role with another email loses the invitations that the owner sent', async () => {
  const appId = (await service.newApp()).app.id;
  const { token } = await team.newMember(appId, 'owner');
  await team.invite(appId, { email: team.newEmail(), role: 'owner' }, token);
  const email = team.newEmail();
  const { link } = await team.invite(appId, { email, role: 'viewer' });
  expect((await team.call('POST', '/me/email', { token, body: { email } })).status).toBe(200);
  const body = { code: (await service.mailbox(email)).find(({ code }) => code)?.code };
  const confirmed = await team.call('POST', '/auth/email/verification/confirm', { token, body });
  expect(confirmed.status).toBe(200);
  expect((await team.accept({ token: tokenIn(link) })).status).toBe(200);
  expect(await service.database.prisma.teamMember.findMany({ where: { appId } })).toMatchObject([
    { role: 'viewer' },
  ]);
  expect(await service.database.prisma.invitation.count({ where: { appId } })).toBe(0);
});

describe('an invitation', () => {
  test('is refused alike when it is unknown, expired, revoked or replaced', async () => {
    const revoked = await invited();
    const owner = await team.ownerToken();
    const path = `${at()}/invitations/${revoked.id}`;
    expect((await team.call('DELETE', path, { token: owner })).status).toBe(204);
    expectRefusal(await team.call('DELETE', path, { token: owner }), 'console/invitation-not-found');
    const replaced = await invited();
    const replacing = await invited('admin', replaced.email);
    const texts = new Set<string>();
    for (const token of [unknownToken, revoked.token, replaced.token, await mailedToken(revoked.email)]) {
      for (const answer of [await inspect(token), await team.accept({ token })]) {
        expectRefusal(answer, 'console/invalid-invitation');
        texts.add(answer.text);
      }
    }
    expect(texts.size).toBe(1);
    expect((await inspect(replacing.token)).data.role).toBe('admin');
  });

  testOnServer('cannot be revoked by an owner who lost the role meanwhile', async () => {
    const owner = await team.newMember(appId, 'owner');
    const { id, token } = await invited();
    const path = `${at()}/invitations/${id}`;
    let revoking: Promise<Answer> | undefined;
    await service.database.prisma.$transaction(
      async (tx) => {
        await tx.$executeRaw(lockAppOf(appId));
        await tx.teamMember.updateMany({ where: { appId, uid: owner.uid }, data: { role: 'viewer' } });
        revoking = team.call('DELETE', path, { token: owner.token });
        await untilBlocked(service.database, 1);
      },
      { timeout: 60_000 },
    );
    expectRefusal((await revoking) as Answer, 'console/insufficient-role');
    expect((await inspect(token)).status).toBe(200);
  });

  test('is sent once per idempotency key, with the same link', async () => {
    const email = team.newEmail();
    const sent = {
      token: await team.ownerToken(),
      headers: { 'idempotency-key': 'an invitation' },
      body: { email, role: 'viewer' },
    };
    const [first, again] = [
      await team.call<NewInvitation>('POST', `${at()}/members`, sent),
      await team.call<NewInvitation>('POST', `${at()}/members`, sent),
    ];
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect([again.status, again.data]).toEqual([201, first.data]);
    expect(await service.mailbox(email)).toHaveLength(1);
    expect((await team.accept({ token: tokenIn(first.data.link) })).status).toBe(200);
  });

  test('can be accepted until just before it expires', async () => {
    const [one, two] = [await invited(), await invited()];
    service.clock.advance(limits.invitationHours.member * hour - 1);
    expect((await team.accept({ token: one.token })).status).toBe(200);
    service.clock.advance(1);
    expectRefusal(await team.accept({ token: two.token }), 'console/invalid-invitation');
    expectRefusal(await inspect(two.token), 'console/invalid-invitation');
  });

  test('that has expired is neither listed nor counted, and is deleted by the daily job', async () => {
    const old = await invited();
    service.clock.advance(limits.invitationHours.member * hour);
    const pending = [await invited(), await invited('owner')];
    const token = await team.ownerToken();
    type Page = { items: Invitation[]; next_cursor: string };
    const list = async (query: string) =>
      (await team.call<Page>('GET', `${at()}/invitations${query}`, { token })).data;
    const page = await list('?limit=1');
    expect(page.items).toMatchObject([{ id: pending[0]?.id, email: pending[0]?.email, role: 'viewer' }]);
    const rest = await list(`?limit=1&cursor=${page.next_cursor}`);
    expect(rest).toMatchObject({ items: [{ id: pending[1]?.id, role: 'owner' }], next_cursor: null });
    const stored = (id: string) => service.database.prisma.invitation.count({ where: { appId, id } });
    expect(await stored(old.id)).toBe(1);
    await service.advance(24 * hour);
    expect([await stored(old.id), await stored(pending[0]?.id as string)]).toEqual([0, 1]);
  });

  test('is stored as hashes only, and its tokens are random', async () => {
    const one = await invited();
    const row = await service.database.prisma.invitation.findFirstOrThrow({ where: { id: one.id } });
    const { mailTokenHash } = row;
    expect(row.tokenHash.length).toBe(32);
    expect(mailTokenHash?.length).toBe(32);
    expect(one.link).toMatch(/^https:\/\/accounts\.test\/dashboard\/invitation#inv_[A-Za-z0-9_-]{43}$/);
    const jobs = await service.database.prisma.$queryRaw<{ text: string }[]>`
      SELECT data::text AS text FROM pgboss.job`;
    const token = await mailedToken(one.email);
    expect(jobs).not.toEqual([]);
    for (const { text } of jobs) expect(text).not.toContain(token.slice(4));
  });

  test('of a member, or of an owner of the service, is refused', async () => {
    const member = await team.newMember(appId, 'viewer');
    const { token, email } = await team.newOwner();
    for (const taken of [member.email, email]) {
      const body = { email: taken.toUpperCase(), role: 'admin' };
      const answer = await team.call('POST', `${at()}/members`, { token, body });
      expectRefusal(answer, 'console/already-a-member', { email: ['belongs to a member'] });
    }
  });

  test('is refused when the team is full', async () => {
    const { app } = await service.newApp();
    const now = service.clock.now();
    const members = Array.from({ length: limits.membersPerApp - 1 }, (_, index) => {
      return { appId: app.id, uid: `uid-${index}`, role: 'viewer', createdAt: now };
    });
    await service.database.prisma.teamMember.createMany({ data: members });
    const token = await team.ownerToken();
    const email = team.newEmail();
    await team.invite(app.id, { email, role: 'viewer' }, token);
    // It replaces the one before.
    await team.invite(app.id, { email, role: 'editor' }, token);
    const body = { email: team.newEmail(), role: 'viewer' };
    const answer = await team.call('POST', `${at(app.id)}/members`, { token, body });
    expectRefusal(answer, 'console/too-many-members');
  });

  test('of two that are sent at once for the last place of a team, one is refused', async () => {
    const { app } = await service.newApp();
    const members = Array.from({ length: limits.membersPerApp - 1 }, (_, index) => {
      return { appId: app.id, uid: `uid-${index}`, role: 'viewer', createdAt: service.clock.now() };
    });
    await service.database.prisma.teamMember.createMany({ data: members });
    const token = await team.ownerToken();
    const send = () => {
      const body = { email: team.newEmail(), role: 'viewer' };
      return team.call('POST', `${at(app.id)}/members`, { token, body });
    };
    const { begun } = await service.database.prisma.$transaction(
      async (tx) => {
        await tx.$executeRaw(lockAppOf(app.id));
        const begun = [send(), send()];
        await untilBlocked(service.database, 2);
        return { begun };
      },
      { timeout: 60_000 },
    );
    const codes = (await Promise.all(begun)).map(({ code }) => code);
    expect(codes).toContain(undefined);
    expect(codes).toContain('console/too-many-members');
  });

  test('to own the service has no other role than owner', async () => {
    const token = await team.ownerToken();
    const path = `${at(team.consoleApp.id)}/members`;
    const body = { email: team.newEmail(), role: 'admin' };
    const answer = await team.call('POST', path, { token, body });
    const fields = { role: ['must be owner for the app `console`'] };
    expectRefusal(answer, 'request/validation-failed', fields);
    const made = await team.call<NewInvitation>('POST', path, { token, body: { ...body, role: 'owner' } });
    const details = (await inspect(tokenIn(made.data.link))).data;
    expect(details).toMatchObject({ app_name: null, role: 'owner' });
  });

  test('is answered with its link when there is no mail server', async () => {
    const silent = await service.secondInstance({ config: { devMailbox: false } });
    const token = await team.ownerToken();
    const email = team.newEmail();
    const options = { appKey: team.consoleApp.appKey, token, body: { email, role: 'viewer' } };
    const made = await silent.call<NewInvitation>('POST', `${at()}/members`, options);
    expect(made.data.mailed).toBe(false);
    expect((await team.accept({ token: tokenIn(made.data.link) })).status).toBe(200);
    await silent.stop();
  });
});

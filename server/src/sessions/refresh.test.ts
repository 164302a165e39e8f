// Every outcome of a refresh, row by row, with the clock moved by hand.
import { describe, expect, test } from 'vitest';
import { claimsOf, testService } from '../../test/harness.js';
import { invalid, revoked, sessionScenario } from '../../test/session-scenario.js';
import { shared } from '../../test/shared.js';
import { dayMilliseconds } from '../lib/timestamp.js';
import { commandLine } from '../model/actor.js';
import { signOutEverywhere } from './end-sessions.js';

const idleMilliseconds = 90 * dayMilliseconds;
const service = shared(() => testService());

const { eventsOf, me, refresh, rowOf, spend, start } = sessionScenario(() => service);

describe('active', () => {
  test('sign-up and sign-in each start a separate session', async () => {
    const { user, sid } = await start();
    const signedIn = await service.signIn(user);
    expect(signedIn.status).toBe(200);
    expect(claimsOf(signedIn.data.access_token).sid).not.toBe(sid);
    expect(signedIn.data.refresh_token).not.toBe(user.tokens.refresh_token);
    await spend(user.tokens.refresh_token);
    await spend(signedIn.data.refresh_token);
  });

  test('the current refresh token gets a new pair of working tokens', async () => {
    const { user, first, sid } = await start();
    const answer = await refresh(first);
    expect(answer).toMatchObject({ token_type: 'Bearer', expires_in: 3_600, user: user.tokens.user });
    expect(answer.refresh_token).not.toBe(first);
    expect(answer.access_token).not.toBe(user.tokens.access_token);
    expect(claimsOf(answer.access_token).sid).toBe(sid);
    expect((await me(answer.access_token)).status).toBe(200);
    await spend(answer.refresh_token);
  });

  test('a refresh never renews the sign-in time', async () => {
    const { first, user } = await start();
    service.clock.advance(10 * 60_000);
    const before = claimsOf(user.tokens.access_token);
    const after = claimsOf((await refresh(first)).access_token);
    expect(after.auth_time).toBe(before.auth_time);
    expect(after.iat).toBe(before.iat + 600);
    expect(after.amr).toEqual(['pwd']);
  });
});

describe('90 days', () => {
  test.each([
    ['works one millisecond before 90 days', idleMilliseconds - 1, { status: 200 }],
    ['is revoked after exactly 90 days', idleMilliseconds, revoked],
    ['is revoked one millisecond after 90 days', idleMilliseconds + 1, revoked],
  ])('a refresh token never used %s', async (_when, wait, answer) => {
    const { first } = await start();
    service.clock.advance(wait);
    expect(await service.refresh(first)).toMatchObject(answer);
  });

  test('count from the last spend: a session in use never expires, and a repeat does not count as use', async () => {
    const { first } = await start();
    service.clock.advance(idleMilliseconds - 1);
    const second = await spend(first);
    service.clock.advance(30_000);
    expect(await spend(first)).toBe(second);
    service.clock.advance(idleMilliseconds - 30_000);
    expect(await service.refresh(second)).toMatchObject(revoked);
  });
});

describe('ended', () => {
  test('sign-out ends only the session of its access token', async () => {
    const { user, first } = await start();
    const other = (await service.signIn(user)).data;
    const out = await service.call('POST', '/auth/sign-out', { token: user.tokens.access_token });
    expect([out.status, out.text]).toEqual([204, '']);
    expect(await service.refresh(first)).toMatchObject(revoked);
    expect(await me(user.tokens.access_token)).toMatchObject(invalid);
    expect((await me(other.access_token)).status).toBe(200);
    await spend(other.refresh_token);
  });

  test('a spent token answers revoked after sign-out, even within its 30 seconds', async () => {
    const { first } = await start();
    const second = await service.refresh(first);
    await service.call('POST', '/auth/sign-out', { token: second.data.access_token });
    expect(await service.refresh(first)).toMatchObject(revoked);
    expect(await service.refresh(second.data.refresh_token)).toMatchObject(revoked);
  });

  test('sign-out-all ends every session of the user with one event each, and none of other users', async () => {
    const { user, first, sid } = await start();
    const bystander = await start();
    const out = await service.signIn(user);
    await service.call('POST', '/auth/sign-out', { token: out.data.access_token });
    const others = [await service.signIn(user), await service.signIn(user)];
    const token = others[0]?.data.access_token;
    expect((await service.call('POST', '/auth/sign-out-all', { token })).status).toBe(204);
    for (const refreshToken of [first, ...others.map((other) => other.data.refresh_token)]) {
      expect(await service.refresh(refreshToken)).toMatchObject(revoked);
    }
    expect(await me(user.tokens.access_token)).toMatchObject(invalid);
    await spend(bystander.first);
    const events = await eventsOf(user.uid, 'session.ended');
    const ended = events.map(({ data }) => (data as { session: { id: string; reason: string } }).session);
    const [signedOut, ...ids] = [out, ...others].map(({ data }) => claimsOf(data.access_token).sid);
    expect(ended.map(({ id, reason }) => `${id} ${reason}`).sort()).toEqual(
      [`${signedOut} sign_out`, ...[sid, ...ids].map((id) => `${id} sign_out_all`)].sort(),
    );
    expect((await service.signIn(user)).status).toBe(200);
  });

  test('a disabled account has its sessions ended, and enabling it restores none', async () => {
    const { user, first, sid } = await start();
    const ids = { appId: service.app.app.id, uid: user.uid };
    const where = { appId_id: { appId: ids.appId, id: ids.uid } };
    await service.database.prisma.user.update({ where, data: { disabled: true } });
    expect(await me(user.tokens.access_token)).toMatchObject(invalid);
    await signOutEverywhere(service.deps, { app: service.app.app, uid: user.uid, actor: commandLine });
    expect(await service.refresh(first)).toMatchObject(revoked);
    expect(await service.signIn(user)).toMatchObject({ status: 403, code: 'auth/user-disabled' });

    await service.database.prisma.user.update({ where, data: { disabled: false } });
    expect(await service.refresh(first)).toMatchObject(revoked);
    expect((await rowOf(sid)).endedAt).not.toBeNull();
    expect((await service.signIn(user)).status).toBe(200);
  });

  test('a session whose row was deleted answers like an ended one', async () => {
    const { first, sid } = await start();
    await service.database.prisma.session.deleteMany({ where: { id: sid } });
    expect(await service.refresh(first)).toMatchObject(revoked);
  });
});

// Ending one session, the current one and all; the limit of live sessions per user.
import { limits, type TokenAnswer } from '@foyer/contract';
import type { Session as Row } from '@foyer/prisma';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { untilBlocked } from '../../test/blocked.js';
import { codeScenario } from '../../test/code-scenario.js';
import { claimsOf, manualClock, type TestUser, testService } from '../../test/harness.js';
import { invalid, revoked, sessionScenario } from '../../test/session-scenario.js';
import { shared } from '../../test/shared.js';
import { inFull } from '../../test/thorough.js';
import { dayMilliseconds } from '../lib/timestamp.js';

const service = shared(() => testService());

const codes = codeScenario(() => service);
const { eventsOf, me, spend } = sessionScenario(() => service);
const notFound = { status: 404, code: 'auth/session-not-found' };
const sidOf = (tokens: { access_token: string }): string => claimsOf(tokens.access_token).sid;

const end = (sid: string, token: string) => service.call('DELETE', `/me/sessions/${sid}`, { token });

describe('DELETE /me/sessions/{id}', () => {
  test('ends only that session, at once, with its event', async () => {
    const user = await service.signUp();
    const other = (await service.signIn(user)).data;
    const answer = await end(sidOf(other), user.tokens.access_token);
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect(await me(other.access_token)).toMatchObject(invalid);
    expect(await service.refresh(other.refresh_token)).toMatchObject(revoked);
    expect((await me(user.tokens.access_token)).status).toBe(200);
    expect(await eventsOf(user.uid, 'session.ended')).toMatchObject([
      { data: { session: { id: sidOf(other), method: 'password', reason: 'ended_by_user' } } },
    ]);
  });

  test('ends the current session too', async () => {
    const user = await service.signUp();
    expect((await end(sidOf(user.tokens), user.tokens.access_token)).status).toBe(204);
    expect(await me(user.tokens.access_token)).toMatchObject(invalid);
    expect(await service.refresh(user.tokens.refresh_token)).toMatchObject(revoked);
  });

  test('answers 404 for a session that has ended, and writes no second event', async () => {
    const user = await service.signUp();
    const other = (await service.signIn(user)).data;
    await service.call('POST', '/auth/sign-out', { token: other.access_token });
    expect(await end(sidOf(other), user.tokens.access_token)).toMatchObject(notFound);
    expect(await eventsOf(user.uid, 'session.ended')).toHaveLength(1);
  });

  test("answers 404 for an expired session, an unknown id, and another user's session, which stays live", async () => {
    const user = await service.signUp();
    service.clock.advance(90 * dayMilliseconds);
    const fresh = (await service.signIn(user)).data;
    const stranger = await service.signUp();
    const unknown = service.deps.random.ulid(service.clock.now());
    for (const sid of [sidOf(user.tokens), sidOf(stranger.tokens), unknown]) {
      expect(await end(sid, fresh.access_token)).toMatchObject(notFound);
    }
    await spend(stranger.tokens.refresh_token);
  });
});

describe('sign-out', () => {
  test('sent five times concurrently answers as signed out each time, and ends the session once', async () => {
    for (let round = 0; round < inFull(10, 2); round += 1) {
      const user = await service.signUp();
      const token = user.tokens.access_token;
      const taps = await Promise.all(
        Array.from({ length: 5 }, () => service.call('POST', '/auth/sign-out', { token })),
      );
      // A later one finds an ended session; none of them answers auth/session-not-found.
      expect(new Set(taps.map((tap) => tap.code ?? tap.status))).toEqual(
        new Set(taps.some((tap) => tap.status === 401) ? [204, 'auth/invalid-token'] : [204]),
      );
      expect(await eventsOf(user.uid, 'session.ended')).toHaveLength(1);
    }
  });
});

test('a session that starts while all are ended is waited for, and ended with them', async () => {
  const user = await service.signUp();
  const { database, deps } = service;
  const id = deps.random.ulid(service.clock.now());
  let ending: Promise<{ status: number }> | undefined;
  await database.prisma.$transaction(async (tx) => {
    // The statements of a sign-in, stopped before the commit.
    await tx.$executeRaw`UPDATE users SET last_sign_in_at = now() WHERE id = ${user.uid}`;
    const [row] = (await tx.session.findMany({ where: { uid: user.uid } })) as [Row];
    await tx.session.create({ data: { ...row, id } });
    ending = service.call('POST', '/auth/sign-out-all', { token: user.tokens.access_token });
    await untilBlocked(database, 1);
  });
  expect((await ending)?.status).toBe(204);
  expect(await database.prisma.session.count({ where: { uid: user.uid, endedAt: null } })).toBe(0);
  expect(await eventsOf(user.uid, 'session.ended')).toHaveLength(2);
});

describe('100 live sessions per user', () => {
  const most = limits.liveSessionsPerUser;
  let user: TestUser;
  /** Ids of the sessions created so far, oldest first. */
  let ids: string[];
  beforeEach(async () => {
    user = await service.signUp();
    ids = [sidOf(user.tokens)];
  });

  /** Copies of the first session, as if created one by one. */
  async function fillUpTo(count: number) {
    const { prisma } = service.database;
    const [{ id, ...row }] = (await prisma.session.findMany({ where: { uid: user.uid } })) as [Row];
    const copies = Array.from({ length: count - ids.length }, () => {
      service.clock.advance(10);
      const now = service.clock.now();
      return { ...row, id: service.deps.random.ulid(now), createdAt: now, lastUsedAt: now };
    });
    await prisma.session.createMany({ data: copies });
    ids.push(...copies.map((copy) => copy.id));
  }

  async function signIn(): Promise<TokenAnswer> {
    service.clock.advance(10);
    const answer = await service.signIn(user);
    expect(answer.status).toBe(200);
    ids.push(sidOf(answer.data));
    return answer.data;
  }

  const liveIds = async () => {
    const where = { uid: user.uid, endedAt: null };
    const rows = await service.database.prisma.session.findMany({ where, orderBy: { id: 'asc' } });
    return rows.map((row) => row.id);
  };
  const endedIds = async () => {
    const events = await eventsOf(user.uid, 'session.ended');
    return events.map((event) => (event.data as { session: { id: string } }).session.id).sort();
  };

  test('the hundredth ends none; the next ends the oldest, with its event', async () => {
    await fillUpTo(most - 1);
    await signIn();
    expect(await liveIds()).toEqual(ids);
    expect(await endedIds()).toEqual([]);
    // The oldest is the one created first, however recently used.
    await spend(user.tokens.refresh_token);
    const newest = await signIn();
    expect(await liveIds()).toEqual(ids.slice(1));
    expect(await me(user.tokens.access_token)).toMatchObject(invalid);
    expect((await me(newest.access_token)).status).toBe(200);
    expect(await eventsOf(user.uid, 'session.ended')).toMatchObject([
      { data: { session: { id: ids[0], reason: 'session_limit' } } },
    ]);
  });

  test('a sign-in with an emailed code ends the oldest, too', async () => {
    await fillUpTo(most);
    service.clock.advance(10);
    const answer = await codes.signInByCode(user.email, { token: user.tokens.access_token });
    expect(await liveIds()).toEqual([...ids.slice(1), sidOf(answer)]);
    expect(await endedIds()).toEqual([ids[0]]);
  });

  test('sessions that have expired unused neither count nor end a second time', async () => {
    await fillUpTo(most + 2);
    const unused = ids.slice(0, 2);
    const lastUsedAt = new Date(service.clock.now().getTime() - limits.refreshIdleDays * 86_400_000);
    await service.database.prisma.session.updateMany({ where: { id: { in: unused } }, data: { lastUsedAt } });
    await signIn();
    expect(await endedIds()).toEqual([ids[2]]);
  });

  test('a sign-in does not end its own session if the clock was ahead at the start of all others', async () => {
    await fillUpTo(most);
    const right = manualClock(new Date(service.clock.now().getTime() - 60_000));
    const instance = await service.secondInstance({ clock: right });
    onTestFinished(() => instance.stop());
    const answer = await instance.signIn(user);
    expect(answer.status).toBe(200);
    expect((await me(answer.data.access_token)).status).toBe(200);
    expect(await liveIds()).toEqual([...ids.slice(1), sidOf(answer.data)].sort());
  });

  test('20 parallel sign-ins at 90 leave the newest hundred, and an event for each ended session', async () => {
    await fillUpTo(most - 10);
    await Promise.all(Array.from({ length: 20 }, signIn));
    ids.sort();
    expect(await liveIds()).toEqual(ids.slice(-most));
    expect(await endedIds()).toEqual(ids.slice(0, -most));
  });

  test('concurrent sign-ins that wait for the same user row count each other', async () => {
    await fillUpTo(most - 2);
    const { database } = service;
    let waiting: Promise<unknown[]> = Promise.resolve([]);
    await database.prisma.$transaction(async (tx) => {
      await tx.$executeRaw`SELECT FROM users
        WHERE app_id = ${service.app.app.id} AND id = ${user.uid} FOR UPDATE`;
      waiting = Promise.all(Array.from({ length: 6 }, signIn));
      await untilBlocked(database, 6);
    });
    await waiting;
    expect(await liveIds()).toHaveLength(most);
    expect(await endedIds()).toEqual(ids.sort().slice(0, 4));
  });

  test('ended sessions do not count', async () => {
    await fillUpTo(most - 1);
    await service.call('POST', '/auth/sign-out', { token: (await signIn()).access_token });
    await signIn();
    expect(await liveIds()).toHaveLength(most);
    expect((await me(user.tokens.access_token)).status).toBe(200);
  });

  test('an expired session does not displace a live one', async () => {
    await fillUpTo(60);
    service.clock.advance(90 * dayMilliseconds);
    const first = await signIn();
    await fillUpTo(60 + most - 1);
    await signIn();
    expect((await me(first.access_token)).status).toBe(200);
    expect(await endedIds()).toEqual([]);
  });
});

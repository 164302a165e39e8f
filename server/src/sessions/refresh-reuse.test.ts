// A spent refresh token used again: within its 30 seconds, at the boundary, and later.
import { describe, expect, test } from 'vitest';
import { manualClock, statementLog, testService } from '../../test/harness.js';
import { invalid, revoked, sessionScenario } from '../../test/session-scenario.js';
import { shared } from '../../test/shared.js';
import { dayMilliseconds } from '../lib/timestamp.js';

const statements = statementLog();
const service = shared(() => testService({ onStatement: statements.onStatement }));

const { eventsOf, me, refresh, rowOf, spend, start } = sessionScenario(() => service);

describe('a spent refresh token used again', () => {
  test.each([
    ['at once', 0],
    ['after 29.999 seconds', 29_999],
    ['after exactly 30 seconds', 30_000],
  ])('%s gets the current refresh token byte for byte, and changes nothing', async (_when, wait) => {
    const { first, sid } = await start();
    const second = await spend(first);
    service.clock.advance(wait);
    const before = await rowOf(sid);
    const again = await service.refresh(first);
    expect([again.status, again.data.refresh_token]).toEqual([200, second]);
    expect((await me(again.data.access_token)).status).toBe(200);
    expect(await rowOf(sid)).toEqual(before);
    await spend(second);
  });

  test.each([
    ['30.001 seconds', 30_001],
    ['31 seconds', 31_000],
    ['89 days', 89 * dayMilliseconds],
  ])('after %s ends the session, and every later refresh is refused alike', async (_when, wait) => {
    const { first, sid } = await start();
    const second = await spend(first);
    service.clock.advance(wait);
    expect(await service.refresh(first)).toMatchObject(revoked);
    expect(await rowOf(sid)).toMatchObject({ endedAt: service.clock.now(), endReason: 'refresh_reuse' });
    for (const token of [second, first, second]) expect(await service.refresh(token)).toMatchObject(revoked);
    service.clock.advance(29 * dayMilliseconds);
    expect(await service.refresh(second)).toMatchObject(revoked);
  });

  test('gets the current token even after several further spends', async () => {
    const { first, sid } = await start();
    const chain = [first];
    for (let spends = 0; spends < 6; spends += 1) {
      service.clock.advance(1_000);
      chain.push(await spend(chain.at(-1) as string));
    }
    expect(new Set(chain).size).toBe(7);
    const before = await rowOf(sid);
    for (const earlier of chain.slice(0, -1)) expect(await spend(earlier)).toBe(chain.at(-1));
    const parallel = await Promise.all(chain.slice(0, -1).map(spend));
    expect(new Set(parallel)).toEqual(new Set([chain.at(-1)]));
    expect(await rowOf(sid)).toEqual(before);
  });

  test('never extends its window: each token counts from its own spend', async () => {
    const { first, sid } = await start();
    const second = await spend(first);
    service.clock.advance(20_000);
    const third = await spend(second);
    expect(await spend(first)).toBe(third);
    service.clock.advance(10_000);
    expect(await spend(first)).toBe(third);
    service.clock.advance(1);
    // The second was spent 10.001 seconds ago, the first 30.001.
    expect(await spend(second)).toBe(third);
    expect((await rowOf(sid)).generation).toBe(2);
    expect(await service.refresh(first)).toMatchObject(revoked);
    expect(await service.refresh(second)).toMatchObject(revoked);
    expect(await service.refresh(third)).toMatchObject(revoked);
  });

  test('ends the session even after its spend time was dropped from the row', async () => {
    const { first } = await start();
    let current = first;
    for (let spends = 0; spends < 5; spends += 1) {
      current = await spend(current);
      service.clock.advance(60_000);
    }
    expect(await service.refresh(first)).toMatchObject(revoked);
    expect(await service.refresh(current)).toMatchObject(revoked);
  });
});

describe('late reuse', () => {
  test('ends the session for every holder of its tokens, and no other session', async () => {
    const { user, first } = await start();
    const other = (await service.signIn(user)).data;
    const owner = await refresh(first);
    service.clock.advance(30_001);
    expect(await service.refresh(first)).toMatchObject(revoked);
    for (const token of [user.tokens.access_token, owner.access_token]) {
      expect(await me(token)).toMatchObject(invalid);
    }
    expect(await service.refresh(owner.refresh_token)).toMatchObject(revoked);
    expect((await me(other.access_token)).status).toBe(200);
    await spend(other.refresh_token);
  });

  test('ends the session in one statement with its event and audit entry, once however many calls find it', async () => {
    const { user, sid, first } = await start();
    await spend(first);
    service.clock.advance(30_001);
    await me(user.tokens.access_token);
    const sent = await statements.during(async () => {
      await Promise.all([first, first, first].map((token) => service.refresh(token)));
    });
    const ends = sent.filter((sql) => sql.includes('audit_log'));
    // Each call first asks without writing; one that comes after the end finds no session.
    expect(sent.length - ends.length).toBe(3);
    expect(ends.length).toBeGreaterThanOrEqual(1);
    for (const sql of ends)
      expect(sql).toMatch(/UPDATE sessions[\s\S]*INSERT INTO events[\s\S]*INSERT INTO audit_log/);
    const [event, ...more] = await eventsOf(user.uid, 'session.ended');
    expect(more).toEqual([]);
    expect(event).toMatchObject({
      createdAt: service.clock.now(),
      data: {
        session: { id: sid, method: 'password', reason: 'refresh_reuse' },
        user: { uid: user.uid, email: user.email },
      },
    });
    const audit = await service.database.prisma.auditLog.findMany({ where: { target: `session:${sid}` } });
    expect(audit).toMatchObject([
      {
        appId: service.app.app.id,
        actor: `user:${user.uid}`,
        action: 'session.refresh_reuse',
        ip: '127.0.0.1',
        createdAt: service.clock.now(),
      },
    ]);
  });

  test('is detected by an instance started after the spend, and the session is ended for all', async () => {
    const { first } = await start();
    const second = await spend(first);
    const later = await service.secondInstance();
    service.clock.advance(30_000);
    // A retry across a restart gets the same bytes.
    expect((await later.refresh(first)).data.refresh_token).toBe(second);
    service.clock.advance(1);
    expect(await later.refresh(first)).toMatchObject(revoked);
    await later.stop();
    expect(await service.refresh(second)).toMatchObject(revoked);
  });
});

describe('64 refreshes within 30 seconds', () => {
  test('a 65th spend answers 429 and changes nothing, until the first is more than 30 seconds old', async () => {
    const { first, sid } = await start();
    let current = first;
    for (let spends = 0; spends < 64; spends += 1) {
      current = await spend(current);
      service.clock.advance(100);
    }
    const before = await rowOf(sid);
    expect([before.generation, before.spends.length]).toEqual([64, 64]);
    const refused = await service.refresh(current);
    expect(refused).toMatchObject({ status: 429, code: 'request/rate-limited' });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    // The first token is 64 steps back, the maximum.
    expect(await spend(first)).toBe(current);
    expect(await rowOf(sid)).toEqual(before);

    service.clock.advance(30_000 - 64 * 100);
    expect(await service.refresh(current)).toMatchObject({ status: 429 });
    expect(await rowOf(sid)).toEqual(before);
    service.clock.advance(1);
    const next = await spend(current);
    expect(await spend(current)).toBe(next);
    expect((await rowOf(sid)).spends).toHaveLength(64);
    expect(await service.refresh(first)).toMatchObject(revoked);
  });
});

describe('clock skew', () => {
  test('a spend on an instance with a fast clock counts as a recent spend on a slow one', async () => {
    const behind = await service.secondInstance({
      clock: manualClock(new Date(service.clock.now().getTime() - 10_000)),
    });
    const { first, sid } = await start();
    const second = await spend(first);
    expect((await behind.refresh(first)).data.refresh_token).toBe(second);
    // Spent by the slow clock; times in the row never decrease, so the window counts from the later one.
    const third = (await behind.refresh(second)).data.refresh_token;
    const row = await rowOf(sid);
    expect(row.spends.map(Number)).toEqual([Number(service.clock.now()), Number(service.clock.now())]);
    expect(await spend(first)).toBe(third);
    service.clock.advance(30_000);
    expect(await spend(second)).toBe(third);
    service.clock.advance(1);
    expect(await service.refresh(second)).toMatchObject(revoked);
    expect(await behind.refresh(third)).toMatchObject(revoked);
    await behind.stop();
  });
});

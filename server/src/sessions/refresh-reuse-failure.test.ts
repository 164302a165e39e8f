// A failure between the statement that finds late reuse and the one that ends the session: nothing is half done, and the
// next use of a spent token ends the session.
import { expect, test } from 'vitest';
import { testService } from '../../test/harness.js';
import { invalid, revoked, sessionScenario } from '../../test/session-scenario.js';
import { shared } from '../../test/shared.js';

const service = shared(() => testService());

const { eventsOf, me, refresh, rowOf, spend, start } = sessionScenario(() => service);
const entriesOf = (sid: string) =>
  service.database.prisma.auditLog.count({
    where: { target: `session:${sid}`, action: 'session.refresh_reuse' },
  });

/** Fails as if the connection were lost when the audit entry is written, after all that precedes it in the statement. */
async function loseConnections(): Promise<void> {
  const { prisma } = service.database;
  await prisma.$executeRaw`CREATE FUNCTION lose_connection() RETURNS trigger LANGUAGE plpgsql AS
    'BEGIN RAISE EXCEPTION ''lost'' USING ERRCODE = ''57P01''; END'`;
  await prisma.$executeRaw`CREATE TRIGGER lose_connection BEFORE INSERT ON audit_log
    FOR EACH ROW WHEN (NEW.action = 'session.refresh_reuse') EXECUTE FUNCTION lose_connection()`;
}

async function keepConnections(): Promise<void> {
  await service.database.prisma.$executeRaw`DROP TRIGGER lose_connection ON audit_log`;
  await service.database.prisma.$executeRaw`DROP FUNCTION lose_connection`;
}

test('a failure to end the session answers 503 and no token, writes nothing, and the next reuse ends the session', async () => {
  const { user, sid, first } = await start();
  const second = await spend(first);
  service.clock.advance(30_001);
  const before = await rowOf(sid);
  await loseConnections();
  for (let tries = 0; tries < 2; tries += 1) {
    const refused = await service.refresh(first);
    expect([refused.status, refused.code]).toEqual([503, 'request/unavailable']);
  }
  expect(await rowOf(sid)).toEqual(before);
  expect(await eventsOf(user.uid, 'session.ended')).toEqual([]);
  expect(await entriesOf(sid)).toBe(0);
  // No call was answered: the holder of the current token goes on, and a spend in between hides nothing.
  const { refresh_token: third, access_token: access } = await refresh(second);
  await keepConnections();
  expect(await service.refresh(first)).toMatchObject(revoked);
  expect(await rowOf(sid)).toMatchObject({
    endedAt: service.clock.now(),
    endReason: 'refresh_reuse',
    generation: 2,
  });
  for (const token of [first, second, third]) expect(await service.refresh(token)).toMatchObject(revoked);
  expect(await me(access)).toMatchObject(invalid);
  expect(await eventsOf(user.uid, 'session.ended')).toHaveLength(1);
  expect(await entriesOf(sid)).toBe(1);
});

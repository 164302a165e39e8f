// A failure between the statement that finds late reuse and the one that ends the session: nothing is half done, and the
// next use of a spent token ends the session.
import { openDatabase } from '@foyer/prisma';
import { createTestPlace } from '@foyer/prisma/testing';
import { expect, test, vi } from 'vitest';
import { testOnServer, untilBlocked } from '../../test/blocked.js';
import { startFoyer } from '../../test/foyer-process.js';
import { freePort } from '../../test/free-port.js';
import { claimsOf, testEncryptionKey, testService } from '../../test/harness.js';
import { invalid, revoked, sessionScenario } from '../../test/session-scenario.js';
import { shared } from '../../test/shared.js';

// A process start takes seconds on an idle machine, and more on a busy one.
vi.setConfig({ testTimeout: 120_000 });

const service = shared(() => testService());

const { eventsOf, me, refresh, rowOf, spend, start } = sessionScenario(() => service);
const entriesOf = (sid: string) =>
  service.database.prisma.auditLog.count({
    where: { target: `session:${sid}`, action: 'session.refresh_reuse' },
  });

/** As if the connection were lost when the audit entry is written, after all that precedes it in the statement. */
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

testOnServer('kill -9 between finding reuse and ending the session: the next reuse ends it', async () => {
  const place = await createTestPlace();
  const prepared = await testService({
    database: await openDatabase(place),
    overrides: { passwordHasher: service.deps.passwordHasher },
  });
  const { prisma } = prepared.database;
  const { tokens } = await prepared.signUp();
  const id = claimsOf(tokens.access_token).sid as string;
  const second = (await prepared.refresh(tokens.refresh_token)).data.refresh_token;
  // The process has the clock of the machine.
  await prisma.$executeRaw`UPDATE sessions SET last_used_at = now(), spends = ARRAY[now() - interval '31 seconds']`;
  const port = String(await freePort());
  const env = {
    ...place.env,
    PORT: port,
    HOST: '127.0.0.1',
    ENCRYPTION_KEYS: testEncryptionKey,
    LOG_LEVEL: 'fatal',
  };
  const refreshAt = async (token: string) => {
    const response = await fetch(`http://127.0.0.1:${port}/api/v2/auth/token/refresh`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-app-key': prepared.app.app.appKey },
      body: JSON.stringify({ refresh_token: token }),
    });
    return { status: response.status, ...((await response.json()) as { error?: { code: string } }) };
  };
  const revokedThere = { status: 401, error: { code: revoked.code } };

  const killed = await startFoyer(env);
  await prisma.$transaction(
    async (tx) => {
      await tx.$executeRaw`LOCK TABLE audit_log IN SHARE MODE`;
      const unanswered = expect(refreshAt(tokens.refresh_token)).rejects.toThrow();
      // Its retention, which runs at the start, may wait too.
      await untilBlocked(prepared.database, 1, 'UPDATE sessions SET ended_at');
      await killed.kill('SIGKILL');
      await unanswered;
      // With its machine the connection would be gone too.
      await tx.$executeRaw`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      await untilBlocked(prepared.database, 0);
    },
    { timeout: 60_000 },
  );
  expect(await prisma.session.findFirst({ where: { id } })).toMatchObject({ endedAt: null, generation: 1 });

  const next = await startFoyer(env);
  expect(await refreshAt(tokens.refresh_token)).toMatchObject(revokedThere);
  expect(await refreshAt(second)).toMatchObject(revokedThere);
  expect(await prisma.session.findFirst({ where: { id } })).toMatchObject({
    endReason: 'refresh_reuse',
    generation: 1,
  });
  expect(await prisma.auditLog.count({ where: { action: 'session.refresh_reuse' } })).toBe(1);
  expect(await prisma.event.count({ where: { type: 'session.ended' } })).toBe(1);
  await next.kill('SIGKILL');
  await prepared.stop();
  await place.remove();
});

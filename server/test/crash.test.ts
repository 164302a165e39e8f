// kill -9 during a storm of refreshes: no acknowledged token is lost, and no spent token works again.
import type { TokenAnswer } from '@foyer/contract';
import { openDatabase } from '@foyer/prisma';
import { createTestPlace, type TestPlace } from '@foyer/prisma/testing';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type FoyerProcess, startFoyer } from './foyer-process.js';
import { freePort } from './free-port.js';
import { claimsOf, manualClock, type TestService, testEncryptionKey, testService } from './harness.js';
import { revoked } from './session-scenario.js';
import { inFull } from './thorough.js';

// A process start: a second on an idle machine, minutes on a busy one.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

const sessionCount = inFull(48, 12);
/** Acknowledged refreshes before the kill; below 64 a session in every 30 seconds. */
const blowAfter = inFull(800, 120);

let place: TestPlace;
let prepared: TestService;
let env: Record<string, string | undefined> & { PORT: string };
beforeAll(async () => {
  place = await createTestPlace();
  prepared = await testService({ database: await openDatabase(place), clock: manualClock(new Date()) });
  env = {
    ...place.env,
    PORT: String(await freePort()),
    HOST: '127.0.0.1',
    ENCRYPTION_KEYS: testEncryptionKey,
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'fatal',
  };
});
afterAll(() => place.remove());

/** A session as its client sees it: every acknowledged refresh token, the newest last. */
type Client = { sid: string; acknowledged: string[] };

async function refresh(token: string): Promise<TokenAnswer | number> {
  const response = await fetch(`http://127.0.0.1:${env.PORT}/api/v2/auth/token/refresh`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-app-key': prepared.app.app.appKey },
    body: JSON.stringify({ refresh_token: token }),
  });
  const { data } = (await response.json()) as { data: TokenAnswer };
  return response.status === 200 ? data : response.status;
}

/** Every client refreshes without a pause until the process is killed. */
async function stormUntilKilled(clients: Client[], foyer: FoyerProcess): Promise<void> {
  let count = 0;
  let killed: Promise<unknown> | undefined;
  const storm = clients.map(async (client) => {
    while (!killed) {
      const answer = await refresh(client.acknowledged.at(-1) as string).catch(() => null);
      // The connection broke: this answer, if there was one, is lost.
      if (answer === null) return;
      if (typeof answer === 'number') throw new Error(`a refresh answered ${answer}`);
      client.acknowledged.push(answer.refresh_token);
      count += 1;
      if (count === blowAfter) killed = foyer.kill('SIGKILL');
    }
  });
  await Promise.all(storm);
  await killed;
  expect(count).toBeGreaterThanOrEqual(blowAfter);
}

test('a kill in a storm of refreshes loses no acknowledged token and revives no spent one', async () => {
  const clients: Client[] = [];
  while (clients.length < sessionCount) {
    const { tokens } = await prepared.signUp();
    clients.push({ sid: claimsOf(tokens.access_token).sid, acknowledged: [tokens.refresh_token] });
  }
  await prepared.stop();
  await stormUntilKilled(clients, await startFoyer(env));

  // The time of the kill: answers lost with the process may still be retried.
  const clock = manualClock(new Date());
  const after = await testService({ database: await openDatabase(place), clock, firstApp: prepared.app });
  for (const client of clients) {
    const { sid, acknowledged } = client;
    const where = { id: sid };
    const { generation, endedAt } = await after.database.prisma.session.findFirstOrThrow({ where });
    expect(endedAt).toBeNull();
    // Each acknowledged token after the first was made by one spend; at most one more was in flight at the kill.
    const spends = acknowledged.length - 1;
    expect([spends, spends + 1]).toContain(generation);
    // The token works even if its refresh was in flight: retries of a lost answer are the same bytes each time.
    const newest = acknowledged.at(-1) as string;
    const { status, data } = await after.refresh(newest);
    expect([status, data.refresh_token]).toEqual([200, expect.stringMatching(/^rt_/)]);
    expect((await after.refresh(newest)).data.refresh_token).toBe(data.refresh_token);
    acknowledged.push(data.refresh_token);
  }
  clock.advance(30_001);
  for (const { acknowledged } of clients) {
    expect(await after.refresh(acknowledged.at(-2) as string)).toMatchObject(revoked);
    expect(await after.refresh(acknowledged.at(-1) as string)).toMatchObject(revoked);
  }
  await after.stop();
});

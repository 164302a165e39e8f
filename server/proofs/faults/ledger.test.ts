// The ledger distinguishes a lost write from a session that its client may lose, because it was cut off for too long.
import { expect, test } from 'vitest';
import { chanceOf } from '../../test/bad-values.js';
import { testService } from '../../test/harness.js';
import { shared } from '../../test/shared.js';
import { Client } from './ledger.js';
import type { ServiceWorld } from './world.js';

const service = shared(() => testService());

/** The newest session was refreshed by a call without an answer, 30.001 seconds ago. */
const spent = `UPDATE sessions SET generation = 2, spends = ARRAY[$1::timestamptz - interval '30.001 seconds']`;
const lostSpend = `UPDATE sessions SET generation = 0, spends = '{}', last_used_at = $1::timestamptz`;
const lostSession = 'DELETE FROM sessions WHERE created_at <= $1::timestamptz';

const revoked = ['401 auth/refresh-token-revoked'];

test.each([
  ['no violation if it was spent late and its client was cut off for 25 seconds', spent, 25_000, []],
  ['a violation if it was spent late and its client was cut off for 24.999', spent, 24_999, revoked],
  ['a violation if the spend that gave it was lost', lostSpend, 25_000, ['401 auth/invalid-token']],
  ['a violation if its session was lost', lostSession, 25_000, revoked],
])('a token that is refused is %s', async (_when, damage, cutOffMilliseconds, refused) => {
  const { url, app, clock, database } = service;
  const world = { url, appKey: app.app.appKey, secretKey: app.secretKey, mail: { received: [] } };
  let time = 0;
  const now = () => {
    time += cutOffMilliseconds;
    return time;
  };
  const stays = { ...chanceOf(1), oneIn: () => false };
  const client = new Client(world as unknown as ServiceWorld, stays, now);
  client.stopped = true;
  await client.run();
  await client.checkWrites();
  expect(client.violations).toEqual([]);
  await database.prisma.$executeRawUnsafe(damage, clock.now());
  await client.checkWrites();
  expect(client.violations.filter((each) => each.startsWith('the session was lost'))).toEqual(
    refused.map((answer) => `the session was lost: a refresh answered ${answer}`),
  );
  expect(client.cutOff).toBe(refused.length === 0 ? 1 : 0);
});

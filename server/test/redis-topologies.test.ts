// Rate limits in a Redis Cluster, and in a Redis that a Sentinel watches. Skipped where redis-server is not installed.
import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, test } from 'vitest';
import type { Window, WindowStore } from '../engines/limiter/memory-windows.js';
import { type RedisAddress, redisAddress } from '../engines/limiter/redis-address.js';
import { redisWindows } from '../engines/limiter/redis-windows.js';
import { jsonLogger } from '../src/lib/logger.js';
import { hasRedisServer, type RedisServers, redisCluster, redisUnderSentinel } from './redis-servers.js';

/** Any answer may be slow on a busy machine. */
const patience = { answerMilliseconds: 20_000, connectMilliseconds: 20_000, restMilliseconds: 2_000 };
const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

type Line = { level: string; msg: string };

async function openWindows(url: string): Promise<{ windows: WindowStore; lines: Line[] }> {
  const lines: Line[] = [];
  const logger = jsonLogger('info', { write: (line) => lines.push(JSON.parse(line)) });
  const windows = await redisWindows(redisAddress(url) as RedisAddress, logger, patience);
  closing.push(() => windows.close());
  return { windows, lines };
}

async function opened(servers: RedisServers): Promise<RedisServers> {
  closing.push(() => servers.stop());
  return servers;
}

const windowsOf = (app: string): Window[] =>
  [1, 2, 3].map((number) => ({
    policy: `policy-${number}`,
    key: `${app} subject ${number}`,
    limit: 10 * number,
    windowMilliseconds: 600_000,
  }));

describe.skipIf(!hasRedisServer)('rate limits', () => {
  test('of two instances are shared in a cluster, with all windows of a call on one of its nodes', async () => {
    const servers = await opened(await redisCluster());
    const url = `redis+cluster://127.0.0.1:${servers.ports[0]},127.0.0.1:${servers.ports[1]}`;
    const [one, other] = [await openWindows(url), await openWindows(url)];
    const apps = Array.from({ length: 12 }, () => randomUUID());
    for (const app of apps) {
      for (let call = 0; call < 10; call += 1) {
        const { windows } = call % 2 === 0 ? one : other;
        expect(await windows.consume(windowsOf(app), 0)).toMatchObject({ place: 0, remaining: 9 - call });
      }
      expect(await other.windows.consume(windowsOf(app), 0)).toMatchObject({ place: 0, remaining: -1 });
      await one.windows.refund(windowsOf(app), 0, 0);
      expect(await other.windows.consume(windowsOf(app), 0)).toMatchObject({ place: 0, remaining: 0 });
      const [left, ...others] = await one.windows.reached(windowsOf(app), 0);
      expect(left).toBeGreaterThan(0);
      expect(others).toEqual([0, 0]);
    }
    const [app, another] = apps as [string, string];
    await one.windows.clear(windowsOf(app));
    expect(await other.windows.consume(windowsOf(app), 0)).toMatchObject({ place: 0, remaining: 9 });
    expect(await other.windows.consume(windowsOf(another), 0)).toMatchObject({ place: 0, remaining: -1 });
    // The apps are spread over the nodes.
    const sizes = await Promise.all([0, 1, 2].map((place) => servers.ask(place, 'DBSIZE')));
    expect(sizes.map(Number).reduce((sum, size) => sum + size)).toBe(3 * apps.length);
    expect(Math.max(...sizes.map(Number))).toBeLessThan(3 * apps.length);
    for (const key of apps) {
      const entry = { key: `${key} ada`, slots: 1, periodMilliseconds: 600_000 };
      const [first, second] = [
        { ...entry, entrant: 'a', rank: 1 },
        { ...entry, entrant: 'b', rank: 2 },
      ];
      for (const each of [first, second]) await one.windows.draw({ ...each, period: 7 });
      const drawn = [
        await other.windows.draw({ ...second, period: 8 }),
        await one.windows.draw({ ...first, period: 8 }),
      ];
      expect(drawn).toEqual([false, true]);
    }
    expect([...one.lines, ...other.lines]).toEqual([]);
  });

  test('go on with the new primary after a failover of the Sentinel', async () => {
    const servers = await opened(await redisUnderSentinel());
    const { windows } = await openWindows(`redis+sentinel://127.0.0.1:${servers.ports[2]}/mymaster`);
    const app = randomUUID();
    expect(await windows.consume(windowsOf(app), 0)).toMatchObject({ remaining: 9 });
    const keysOfReplica = async () => Number(await servers.ask(1, 'DBSIZE'));
    await expect.poll(keysOfReplica, { timeout: 60_000 }).toBe(3);
    await servers.kill(0);
    /** Whether a call is counted by the replica of before. */
    const isCounted = async () => {
      const before = await keysOfReplica();
      await windows.consume(windowsOf(randomUUID()), 0);
      return (await keysOfReplica()) === before + 3;
    };
    await expect.poll(isCounted, { timeout: 120_000, interval: 100 }).toBe(true);
    expect(await windows.consume(windowsOf(app), 0)).toMatchObject({ remaining: 8 });
    expect(String(await servers.ask(1, 'ROLE'))).toContain('master');
  });
});

// The stores of rate limits, for tests that must hold for each of them: memory, and the Redis at 127.0.0.1:6379.
import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { createClient } from 'redis';
import { memoryWindows, type Window, type WindowStore } from '../engines/limiter/memory-windows.js';
import { type RedisAddress, redisAddress } from '../engines/limiter/redis-address.js';
import { redisWindows } from '../engines/limiter/redis-windows.js';
import { jsonLogger } from '../src/lib/logger.js';

const redis = { host: '127.0.0.1', port: 6_379 };
const url = `redis://${redis.host}:${redis.port}`;
/** For tests that are not about a slow Redis: on a busy machine any of its answers may be slow. */
const patience = { answerMilliseconds: 20_000, connectMilliseconds: 5_000, restMilliseconds: 200 };

export const isRedisReachable = await new Promise<boolean>((resolve) => {
  const socket = connect(redis, () => {
    socket.destroy();
    resolve(true);
  });
  socket.once('error', () => resolve(false));
});

export const windowStores: { store: string; isReachable: boolean; open(): Promise<WindowStore> }[] = [
  { store: 'in memory', isReachable: true, open: async () => memoryWindows() },
  { store: 'in Redis', isReachable: isRedisReachable, open: openRedis },
];

const hold = `
for place, key in ipairs(KEYS) do
  local left = tonumber(ARGV[place])
  if left > 0 then redis.call('PEXPIRE', key, left) else redis.call('DEL', key) end
end`;
/** Longer than a test waits for Redis: a window must not end while the clock of the test stands still. */
const slackMilliseconds = 20_000;

/**
 * Redis counts by its own clock. Before each call, the windows of the call receive the time that is left of them by the clock of the
 * test. Keys are those of one opening, and removed when it closes.
 */
async function openRedis(): Promise<WindowStore> {
  const opening = randomUUID();
  const windows = await redisWindows(redisAddress(url) as RedisAddress, jsonLogger('silent'), patience);
  const client = createClient({ url });
  await client.connect();
  const ends = new Map<string, number>();
  let heldAt = Number.NaN;

  const own = <Of extends { key: string }>(of: readonly Of[]) =>
    of.map((window) => ({ ...window, key: `${opening}-${window.key}` }));
  const nameOf = ({ policy, key }: Window) => {
    const [app = ''] = key.split(' ', 1);
    return `foyer:limit:{${app}}${key.slice(app.length)} ${policy}`;
  };

  async function holdTime(now: number): Promise<void> {
    if (now === heldAt) return;
    heldAt = now;
    const keys = [...ends.keys()];
    if (keys.length === 0) return;
    const left = keys.map((key) => (ends.get(key) as number) - now);
    const held = left.map((milliseconds) =>
      milliseconds > 0 ? Math.max(milliseconds, slackMilliseconds) : 0,
    );
    for (const [place, key] of keys.entries()) if (held[place] === 0) ends.delete(key);
    await client.eval(hold, { keys, arguments: held.map(String) });
  }

  /** The time that is left by the clock of the test, which Redis must have agreed with but for the slack. */
  function leftOf(window: Window, now: number, ofRedis: number): number {
    const left = (ends.get(nameOf(window)) ?? now) - now;
    if (Math.abs(left - ofRedis) > 1.5 * slackMilliseconds)
      throw new Error(`${window.policy} ends in ${ofRedis} ms instead of ${left} ms`);
    return left;
  }

  return {
    async consume(of, now) {
      await holdTime(now);
      const mine = own(of);
      const { place, remaining, resetMilliseconds } = await windows.consume(mine, now);
      for (const window of mine) {
        const end = ends.get(nameOf(window));
        const isNew = end === undefined || end - now > window.windowMilliseconds;
        if (isNew && remaining >= 0) ends.set(nameOf(window), now + window.windowMilliseconds);
      }
      const reset = leftOf(mine[place] as Window, now, resetMilliseconds);
      return { place, remaining, resetMilliseconds: reset };
    },
    async refund(of, now, countedAt) {
      await holdTime(now);
      await windows.refund(own(of), now, countedAt);
    },
    async reached(of, now) {
      await holdTime(now);
      const mine = own(of);
      const left = await windows.reached(mine, now);
      return left.map((ofRedis, place) => (ofRedis === 0 ? 0 : leftOf(mine[place] as Window, now, ofRedis)));
    },
    async clear(of) {
      const mine = own(of);
      await windows.clear(mine);
      for (const window of mine) ends.delete(nameOf(window));
    },
    draw: (draw) => windows.draw({ ...draw, key: `${opening}-${draw.key}` }),
    async close() {
      if (ends.size > 0) await client.unlink([...ends.keys()]);
      await windows.close();
      client.destroy();
    },
  };
}

// Rate limits in a Redis that restarts, forgets, or answers without counting. Skipped where redis-server is not installed.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { Window, WindowStore } from '../engines/limiter/memory-windows.js';
import { type RedisAddress, redisAddress } from '../engines/limiter/redis-address.js';
import { redisWindows } from '../engines/limiter/redis-windows.js';
import { jsonLogger } from '../src/lib/logger.js';
import { cutProxy } from './cut-proxy.js';
import { hasRedisServer, type RedisServers, redisAlone } from './redis-servers.js';

/** Any answer may be slow on a busy machine. */
const patience = { answerMilliseconds: 20_000, connectMilliseconds: 20_000, restMilliseconds: 50 };

describe.skipIf(!hasRedisServer)('rate limits', () => {
  let servers: RedisServers;
  let lines: { level: string; msg: string }[] = [];
  const opened: WindowStore[] = [];
  let windows: WindowStore;
  beforeAll(async () => {
    servers = await redisAlone();
  });
  afterAll(() => servers?.stop());
  beforeEach(async () => {
    await ask('FLUSHALL');
    lines = [];
    windows = await open();
  });
  afterEach(async () => {
    for (const each of opened.splice(0)) await each.close();
    // No window may outlive its period, whatever happened.
    const keys = (await ask('KEYS', '*')) as string[];
    for (const key of keys) expect(Number(await ask('PTTL', key))).toBeGreaterThan(0);
  });

  const ask = (...command: string[]) => servers.ask(0, ...command);
  async function open(port = servers.ports[0], patient = patience): Promise<WindowStore> {
    const logger = jsonLogger('info', { write: (line) => lines.push(JSON.parse(line)) });
    const address = redisAddress(`redis://127.0.0.1:${port}`) as RedisAddress;
    const store = await redisWindows(address, logger, patient);
    opened.push(store);
    return store;
  }
  const window = (key: string, limit = 10): Window => ({
    ...{ policy: 'client', key: `app ${key}`, limit, windowMilliseconds: 600_000 },
  });
  const left = async (counted: Window, on = windows) => (await on.consume([counted], 0)).remaining;
  const messages = () => lines.map(({ msg }) => msg.split(':')[0]);
  /** Calls until Redis counts again. */
  const untilShared = () =>
    expect
      .poll(
        async () => {
          await left(window('probe', 1_000_000));
          return messages().at(-1);
        },
        { timeout: 60_000, interval: 20 },
      )
      .toBe('Redis answers again');

  test('are counted by a Redis that has lost its scripts, without a warning', async () => {
    const all = [window('one'), window('two')];
    await windows.consume(all, 0);
    for (const use of [
      async () => expect(await left(window('one'))).toBe(8),
      () => windows.refund(all, 0, 0),
      async () => {
        const [one, two] = await windows.reached([window('one', 1), window('two', 1)], 0);
        expect(one).toBeGreaterThan(0);
        expect(two).toBe(0);
      },
      () => windows.clear(all),
      () =>
        windows.draw({
          key: 'app ada',
          entrant: 'a',
          rank: 1,
          slots: 1,
          period: 1,
          periodMilliseconds: 60_000,
        }),
      async () => expect(await left(window('one'))).toBe(9),
    ]) {
      await ask('SCRIPT', 'FLUSH');
      await use();
    }
    expect(lines).toEqual([]);
  });

  test('go on in memory while Redis restarts, and are shared again afterwards', async () => {
    const other = await open();
    expect(await left(window('key'))).toBe(9);
    await servers.kill(0);
    expect([await left(window('key')), await left(window('key'), other)]).toEqual([9, 9]);
    await windows.refund([window('key')], 0, 0);
    await servers.restart(0);
    await untilShared();
    await expect
      .poll(
        () =>
          left(window('probe'), other).then(
            () => messages().filter((each) => each === 'Redis answers again').length,
          ),
        { timeout: 60_000 },
      )
      .toBe(2);
    expect([await left(window('key')), await left(window('key'), other)]).toEqual([9, 8]);
    expect(messages().filter((each) => each === 'Redis does not answer')).toHaveLength(2);
  });

  test('are counted over a new connection after one that hangs', async () => {
    const proxy = await cutProxy({ host: '127.0.0.1', port: servers.ports[0] as number });
    onTestFinished(() => proxy.close());
    const stalling = await open(proxy.port, { ...patience, answerMilliseconds: 500 });
    expect(await left(window('key'), stalling)).toBe(9);
    proxy.stall();
    await left(window('key'), stalling);
    expect(messages().at(-1)).toBe('Redis does not answer');
    proxy.serveNewOnes();
    await expect
      .poll(() => left(window('probe', 1_000_000), stalling).then(() => messages().at(-1)), {
        timeout: 60_000,
      })
      .toBe('Redis answers again');
  });

  test.each<[string, () => Promise<unknown>, () => Promise<unknown>]>([
    ['is a replica', () => ask('REPLICAOF', '127.0.0.1', '1'), () => ask('REPLICAOF', 'NO', 'ONE')],
    [
      'has no memory left',
      () => ask('CONFIG', 'SET', 'maxmemory', '1'),
      () => ask('CONFIG', 'SET', 'maxmemory', '0'),
    ],
    [
      'has too few replicas',
      () => ask('CONFIG', 'SET', 'min-replicas-to-write', '1'),
      () => ask('CONFIG', 'SET', 'min-replicas-to-write', '0'),
    ],
    [
      'permits no scripts',
      () => ask('ACL', 'SETUSER', 'default', '-evalsha'),
      () => ask('ACL', 'SETUSER', 'default', '+evalsha'),
    ],
  ])(
    'of a Redis that %s are counted in memory, with one warning, shown and lifted there, and lifted in Redis later',
    async (_, refuse, mend) => {
      const [lifted, kept] = [window('lifted', 1), window('kept', 1)];
      for (const each of [lifted, kept]) expect(await left(each)).toBe(0);
      await refuse();
      onTestFinished(() => mend().then(() => {}));
      expect([await left(lifted), await left(lifted)]).toEqual([0, -1]);
      // For longer than Redis is left alone.
      for (const end = performance.now() + 3 * patience.restMilliseconds; performance.now() < end; ) {
        const [reached, ofRedis] = await windows.reached([lifted, kept], 0);
        expect(reached).toBeGreaterThan(0);
        expect(ofRedis).toBe(0);
      }
      await windows.clear([lifted]);
      expect([await left(lifted), await left(lifted)]).toEqual([0, -1]);
      await windows.clear([lifted]);
      expect(messages()).toEqual(['Redis does not answer']);
      await mend();
      await untilShared();
      await expect.poll(() => windows.reached([lifted, kept], 0)).toEqual([0, expect.any(Number)]);
      // It was lifted once.
      expect([await left(lifted), await left(lifted), await left(kept)]).toEqual([0, -1, -1]);
      expect(messages()).toEqual(['Redis does not answer', 'Redis answers again']);
    },
  );

  test('that are lifted when Redis refuses for the first time are lifted in it later, and draws go on in memory', async () => {
    const lifted = window('lifted', 1);
    expect(await left(lifted)).toBe(0);
    await ask('CONFIG', 'SET', 'min-replicas-to-write', '1');
    await windows.clear([lifted]);
    expect(messages()).toEqual(['Redis does not answer']);
    const draw = { key: 'app', entrant: 'ada', rank: 1, slots: 1, period: 1, periodMilliseconds: 600_000 };
    expect(await windows.draw(draw)).toBe(true);
    await ask('CONFIG', 'SET', 'min-replicas-to-write', '0');
    await untilShared();
    await expect.poll(() => windows.reached([lifted], 0)).toEqual([0]);
  });

  test.each([
    ['noeviction', '100mb', []],
    ['allkeys-lru', '0', []],
    ['allkeys-lru', '100mb', ['Redis evicts rate limits when its memory is full']],
    ['volatile-ttl', '100mb', ['Redis evicts rate limits when its memory is full']],
  ])('are warned of once if Redis may evict them: %s of %s', async (policy, bytes, warnings) => {
    await ask('CONFIG', 'SET', 'maxmemory-policy', policy);
    await ask('CONFIG', 'SET', 'maxmemory', bytes);
    const other = await open();
    for (let calls = 0; calls < 3; calls += 1) await left(window('key'), other);
    await expect.poll(messages).toEqual(warnings);
    // An evicted window starts again, and ends.
    await ask('FLUSHALL');
    expect(await left(window('key'), other)).toBe(9);
    await other.refund([window('evicted')], 0, 0);
    expect(await left(window('evicted'), other)).toBe(9);
    await ask('CONFIG', 'SET', 'maxmemory', '0');
    await ask('CONFIG', 'SET', 'maxmemory-policy', 'noeviction');
    expect(messages()).toEqual(warnings);
  });
});

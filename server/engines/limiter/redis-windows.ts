// Rate limit windows in Redis, shared by all instances. While Redis is down each instance counts in memory, with a warning: a
// less strict limit is better than an outage.
import type { Logger } from '../../src/lib/logger.js';
import { memoryWindows, type Window, type WindowCount, type WindowStore } from './memory-windows.js';
import type { RedisAddress } from './redis-address.js';
import { type RedisScript, redisClient, redisScript, runScript } from './redis-client.js';

/**
 * KEYS: the windows. ARGV: the limit, the milliseconds and the cost of each. Returns place, remaining and reset. More than a whole window is
 * left after the app has shortened it: it starts again, as in memory. A refusal writes, too: a Redis that cannot count must not
 * refuse by what it counted before.
 */
const consumeScript = redisScript(`
for place, key in ipairs(KEYS) do
  if redis.call('PTTL', key) > tonumber(ARGV[3 * place - 1]) then redis.call('DEL', key) end
  if tonumber(redis.call('GET', key) or 0) >= tonumber(ARGV[3 * place - 2]) then
    redis.call('INCRBY', key, 0)
    if redis.call('PTTL', key) < 0 then redis.call('PEXPIRE', key, ARGV[3 * place - 1]) end
    return {place - 1, -1, redis.call('PTTL', key)}
  end
end
local least
for place, key in ipairs(KEYS) do
  local remaining = math.max(0, tonumber(ARGV[3 * place - 2]) - redis.call('INCRBY', key, ARGV[3 * place]))
  if redis.call('PTTL', key) < 0 then redis.call('PEXPIRE', key, ARGV[3 * place - 1]) end
  if not least or remaining < least[2] then least = {place - 1, remaining, redis.call('PTTL', key)} end
end
return least`);

/** ARGV: as of `consumeScript`, and last the milliseconds since the call was counted. A younger window does not contain it. */
const refundScript = redisScript(`
for place, key in ipairs(KEYS) do
  local counted = tonumber(redis.call('GET', key) or 0)
  local age = tonumber(ARGV[3 * place - 1]) - redis.call('PTTL', key)
  if counted > 0 and age >= tonumber(ARGV[#ARGV]) then redis.call('DECRBY', key, math.min(counted, tonumber(ARGV[3 * place]))) end
end`);

/**
 * KEYS: the windows. ARGV: as of `consumeScript`. Returns the milliseconds until each that is at its limit ends. A window that the
 * app has shortened counts as ended, as in `consumeScript`.
 */
const reachedScript = redisScript(`
local reached = {}
for place, key in ipairs(KEYS) do
  local over = tonumber(redis.call('GET', key) or 0) >= tonumber(ARGV[3 * place - 2])
  local left = redis.call('PTTL', key)
  reached[place] = over and left <= tonumber(ARGV[3 * place - 1]) and math.max(0, left) or 0
end
return reached`);

const clearScript = redisScript(`for _, key in ipairs(KEYS) do redis.call('DEL', key) end`);

/** Returns the policy by which a full Redis evicts keys; an empty string if it refuses writes instead, or has no bound. */
const evictionScript = redisScript(`
local memory = redis.call('INFO', 'memory')
local policy = string.match(memory, 'maxmemory_policy:([%w-]+)') or 'noeviction'
local isBounded = (string.match(memory, 'maxmemory:(%d+)') or '0') ~= '0'
return isBounded and policy ~= 'noeviction' and policy or ''`);

/**
 * KEYS: the entrants of the period before and of this one, by rank. ARGV: entrant, rank, slots, and the milliseconds for which
 * the entrants are needed. Returns 1 if the entrant was drawn, or there was no request.
 */
const drawScript = redisScript(`
local drawn = redis.call('ZCARD', KEYS[1]) == 0 or redis.call('ZSCORE', KEYS[1], ARGV[1])
redis.call('ZADD', KEYS[2], ARGV[2], ARGV[1])
redis.call('ZREMRANGEBYRANK', KEYS[2], ARGV[3], -1)
redis.call('PEXPIRE', KEYS[2], ARGV[4])
return drawn and 1 or 0`);

/** A user has a few hundred windows. */
const maxPendingClears = 100;

export type RedisPatience = typeof usualPatience;

const usualPatience = {
  /** The client's own timeout ends with the sending: a hanging Redis would block every call. */
  answerMilliseconds: 250,
  connectMilliseconds: 1_000,
  /** While Redis is down, one call per interval tries it and the others do not wait. */
  restMilliseconds: 1_000,
};

export async function redisWindows(
  address: RedisAddress,
  logger: Logger,
  { answerMilliseconds, connectMilliseconds, restMilliseconds } = usualPatience,
): Promise<WindowStore> {
  const own = memoryWindows();
  let store: 'starting' | 'redis' | 'memory' = 'starting';
  let askAgainAt = 0;
  let hasAskedForEviction = false;
  /** Windows cleared while Redis was away: it must not refuse again what support has lifted. */
  let pendingClears: (readonly Window[])[] = [];
  let client = connect();
  await within(connectMilliseconds, client.ready).catch(switchToMemory);

  function connect() {
    const redis = redisClient(address, connectMilliseconds);
    const ready = redis.connect();
    ready.catch(() => {});
    return { redis, ready };
  }

  function disconnect(): void {
    // Its calls have been rejected already, and nothing waits for the end of a client that is given up.
    if (client.redis.isOpen) void Promise.resolve(client.redis.destroy()).catch(() => {});
  }

  function switchToRedis(): void {
    if (store === 'memory') logger.info('Redis answers again: rate limits are shared');
    store = 'redis';
    const clears = pendingClears;
    pendingClears = [];
    for (const windows of clears) void clearShared(windows);
  }

  async function clearShared(windows: readonly Window[]): Promise<void> {
    if (store !== 'memory' && (await run(clearScript, optionsOf(windows)))) return;
    pendingClears = [...pendingClears, windows].slice(-maxPendingClears);
  }

  /** Not every user of Redis may ask for it. */
  async function warnOfEviction(keys: string[]): Promise<void> {
    if (hasAskedForEviction) return;
    hasAskedForEviction = true;
    const policy = await runScript(client.redis, evictionScript, { keys, arguments: [] }).catch(() => '');
    if (policy)
      logger.warn(
        { maxmemory_policy: policy },
        'Redis evicts rate limits when its memory is full: set maxmemory-policy to noeviction',
      );
  }

  function switchToMemory(error: unknown): void {
    if (store === 'memory') return;
    store = 'memory';
    askAgainAt = performance.now() + restMilliseconds;
    logger.warn({ err: error }, 'Redis does not answer: rate limits are counted per instance');
  }

  /** Whether this call tries Redis. After a hang it uses a new connection. */
  function isAsked(): boolean {
    if (store !== 'memory') return true;
    if (performance.now() < askAgainAt) return false;
    askAgainAt = performance.now() + restMilliseconds;
    if (client.redis.isReady) return true;
    disconnect();
    client = connect();
    return false;
  }

  /** Null if Redis does not answer, or refuses: then this instance counts in memory. */
  async function run(
    script: RedisScript,
    options: { keys: string[]; arguments: string[] },
  ): Promise<{ reply: unknown } | null> {
    if (!isAsked()) return null;
    const asked = client;
    try {
      return { reply: await within(answerMilliseconds, runScript(asked.redis, script, options)) };
    } catch (error) {
      if (asked === client) disconnect();
      switchToMemory(error);
      return null;
    }
  }

  return {
    async consume(windows, now): Promise<WindowCount> {
      const options = optionsOf(windows);
      const answer = await run(consumeScript, options);
      if (!answer) return own.consume(windows, now);
      // Only a count shows that Redis may be used: a replica, or one without memory or disk, answers reads and deletions.
      switchToRedis();
      void warnOfEviction(options.keys);
      const [place, remaining, resetMilliseconds] = answer.reply as [number, number, number];
      return { place, remaining, resetMilliseconds };
    },
    async refund(windows, now, countedAt) {
      const options = optionsOf(windows);
      options.arguments.push(`${now - countedAt}`);
      if (!(await run(refundScript, options))) await own.refund(windows, now, countedAt);
    },
    async reached(windows, now) {
      const answer = store === 'memory' ? null : await run(reachedScript, optionsOf(windows));
      return answer ? (answer.reply as number[]) : own.reached(windows, now);
    },
    async clear(windows) {
      await own.clear(windows);
      await clearShared(windows);
    },
    async draw(draw) {
      const { key, entrant, rank, slots, period, periodMilliseconds } = draw;
      const keys = [period - 1, period].map((of) => redisKey({ policy: `draw ${of}`, key }));
      const values = [entrant, `${rank}`, `${slots}`, `${2 * periodMilliseconds}`];
      const answer = await run(drawScript, { keys, arguments: values });
      return answer ? answer.reply === 1 : own.draw(draw);
    },
    close: async () => disconnect(),
  };
}

function optionsOf(windows: readonly Window[]) {
  return {
    keys: windows.map(redisKey),
    arguments: windows.flatMap(({ limit, windowMilliseconds, cost = 1 }) =>
      [limit, windowMilliseconds, cost].map(String),
    ),
  };
}

/** The part in braces is what a cluster assigns keys by: all windows of a call begin with the same app. */
function redisKey({ policy, key }: Pick<Window, 'policy' | 'key'>): string {
  const [app = ''] = key.split(' ', 1);
  return `foyer:limit:{${app}}${key.slice(app.length)} ${policy}`;
}

/** Rejects after a timeout and ignores the late result. A response that has already arrived is read first. */
function within<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const tooLate = () => reject(new Error(`no answer in ${milliseconds} ms`));
    const timer = setTimeout(() => setImmediate(tooLate), milliseconds);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

// Rate limit windows in Redis, shared by all instances. While Redis is down each instance counts in memory, with a warning: a
// less strict limit is better than an outage.
import type { Logger } from '../logger.js';
import { memoryWindows, type Window, type WindowCount, type WindowStore } from './memory-windows.js';
import type { RedisAddress } from './redis-address.js';
import { type RedisScript, redisClient, redisScript, runScript } from './redis-client.js';

/**
 * KEYS: the windows. ARGV: the limit and the milliseconds of each. Returns place, remaining and reset. More than a whole window is
 * left after the app has shortened it: it starts again, as in memory.
 */
const consumeScript = redisScript(`
for place, key in ipairs(KEYS) do
  if redis.call('PTTL', key) > tonumber(ARGV[2 * place]) then redis.call('DEL', key) end
  if tonumber(redis.call('GET', key) or 0) >= tonumber(ARGV[2 * place - 1]) then
    if redis.call('PTTL', key) < 0 then redis.call('PEXPIRE', key, ARGV[2 * place]) end
    return {place - 1, -1, redis.call('PTTL', key)}
  end
end
local least
for place, key in ipairs(KEYS) do
  local remaining = tonumber(ARGV[2 * place - 1]) - redis.call('INCR', key)
  if redis.call('PTTL', key) < 0 then redis.call('PEXPIRE', key, ARGV[2 * place]) end
  if not least or remaining < least[2] then least = {place - 1, remaining, redis.call('PTTL', key)} end
end
return least`);

const refundScript = redisScript(`
for _, key in ipairs(KEYS) do
  if tonumber(redis.call('GET', key) or 0) > 0 then redis.call('DECR', key) end
end`);

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

  /** Null if Redis does not answer: then this instance counts in memory. */
  async function run(script: RedisScript, windows: readonly Window[]): Promise<{ reply: unknown } | null> {
    if (!isAsked()) return null;
    const asked = client;
    try {
      const options = {
        keys: windows.map(redisKey),
        arguments: windows.flatMap(({ limit, windowMilliseconds }) => [`${limit}`, `${windowMilliseconds}`]),
      };
      const reply = await within(answerMilliseconds, runScript(asked.redis, script, options));
      switchToRedis();
      return { reply };
    } catch (error) {
      if (asked === client) disconnect();
      switchToMemory(error);
      return null;
    }
  }

  return {
    async consume(windows, now): Promise<WindowCount> {
      const answer = await run(consumeScript, windows);
      if (!answer) return own.consume(windows, now);
      const [place, remaining, resetMilliseconds] = answer.reply as [number, number, number];
      return { place, remaining, resetMilliseconds };
    },
    async refund(windows, now) {
      if (!(await run(refundScript, windows))) await own.refund(windows, now);
    },
    close: async () => disconnect(),
  };
}

/** In braces is what a cluster assigns keys by: all windows of a call begin with the same app. */
function redisKey({ policy, key }: Window): string {
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

// Rate limit windows in Redis, shared by all instances. While Redis is down each instance counts in memory, with a warning: a
// less strict limit is better than an outage.
import { createClient } from 'redis';
import type { Logger } from '../logger.js';
import { memoryWindows, type Window, type WindowCount, type WindowStore } from './memory-windows.js';

/** KEYS: the windows. ARGV: the limit and the milliseconds of each. Returns place, remaining and reset. */
const consumeScript = `
for place, key in ipairs(KEYS) do
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
return least`;

const refundScript = `
for _, key in ipairs(KEYS) do
  if tonumber(redis.call('GET', key) or 0) > 0 then redis.call('DECR', key) end
end`;

export type RedisPatience = {
  /** The client's own timeout ends with the sending: a hanging Redis would block every call. */
  answerMilliseconds: number;
  /** While Redis is down, one call per interval tries it and the others do not wait. Also the connection timeout. */
  restMilliseconds: number;
};

const usualPatience: RedisPatience = { answerMilliseconds: 250, restMilliseconds: 1_000 };

export async function redisWindows(
  url: string,
  logger: Logger,
  { answerMilliseconds, restMilliseconds } = usualPatience,
): Promise<WindowStore> {
  const own = memoryWindows();
  let counting: 'starting' | 'shared' | 'alone' = 'starting';
  let askAgainAt = 0;
  let client = connect();
  await within(restMilliseconds, client.ready).catch(countAlone);

  function connect() {
    const redis = createClient({
      url,
      disableOfflineQueue: true,
      socket: { connectTimeout: restMilliseconds, reconnectStrategy: false },
    });
    // Each failure also rejects a call or the connection; without a listener it would crash the process.
    redis.on('error', () => {});
    const ready = redis.connect();
    ready.catch(() => {});
    return { redis, ready };
  }

  function disconnect(): void {
    if (client.redis.isOpen) client.redis.destroy();
  }

  function countShared(): void {
    if (counting === 'alone') logger.info('Redis answers again: rate limits are shared');
    counting = 'shared';
  }

  function countAlone(error: unknown): void {
    if (counting === 'alone') return;
    counting = 'alone';
    askAgainAt = performance.now() + restMilliseconds;
    logger.warn({ err: error }, 'Redis does not answer: rate limits are counted per instance');
  }

  /** Whether this call tries Redis. After a hang it uses a new connection. */
  function isAsked(): boolean {
    if (counting !== 'alone') return true;
    if (performance.now() < askAgainAt) return false;
    askAgainAt = performance.now() + restMilliseconds;
    if (client.redis.isReady) return true;
    disconnect();
    client = connect();
    return false;
  }

  /** Null if Redis does not answer: then this instance counts in memory. */
  async function run(script: string, windows: readonly Window[]): Promise<{ reply: unknown } | null> {
    if (!isAsked()) return null;
    const asked = client;
    try {
      const options = {
        keys: windows.map(({ policy, key }) => `foyer:limit:${policy} ${key}`),
        arguments: windows.flatMap(({ limit, windowMilliseconds }) => [`${limit}`, `${windowMilliseconds}`]),
      };
      const reply = await within(answerMilliseconds, asked.redis.eval(script, options));
      countShared();
      return { reply };
    } catch (error) {
      if (asked === client) disconnect();
      countAlone(error);
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
    async close() {
      disconnect();
    },
  };
}

/** Rejects after a timeout and ignores the late result. A response that has already arrived is read first. */
function within<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const tooLate = () => reject(new Error(`no answer in ${milliseconds} ms`));
    const timer = setTimeout(() => setImmediate(tooLate), milliseconds);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

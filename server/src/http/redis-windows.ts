// Rate limit windows in Redis, shared by every instance. While Redis is down each instance counts for itself, with a
// warning: a limit that is a little too wide is better than a service that is down.
import { createClient } from 'redis';
import type { Logger } from '../lib/logger.js';
import { memoryWindows, type WindowStore } from './rate-limit.js';

const addScript = `
local count = redis.call('INCRBY', KEYS[1], ARGV[1])
if redis.call('PTTL', KEYS[1]) < 0 then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
if count < 0 then redis.call('SET', KEYS[1], 0, 'KEEPTTL') count = 0 end
return {count, redis.call('PTTL', KEYS[1])}`;

export type RedisPatience = {
  /** The client's own time limit ends with the sending: a Redis that stands still would hold every call. */
  answerMilliseconds: number;
  /** While Redis is away one call in this time tries it; the others do not wait. A new connection has as long. */
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
    // Each failure also rejects a call or the connecting; without a listener it would end the process.
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

  /** Whether this call is to ask Redis. One that stopped answering is asked over a new connection. */
  function isAsked(): boolean {
    if (counting !== 'alone') return true;
    if (performance.now() < askAgainAt) return false;
    askAgainAt = performance.now() + restMilliseconds;
    if (client.redis.isReady) return true;
    disconnect();
    client = connect();
    return false;
  }

  return {
    async add(key, change, windowMilliseconds, now) {
      if (!isAsked()) return own.add(key, change, windowMilliseconds, now);
      const asked = client;
      try {
        const options = {
          keys: [`foyer:limit:${key}`],
          arguments: [String(change), String(windowMilliseconds)],
        };
        const reply = await within(answerMilliseconds, asked.redis.eval(addScript, options));
        const [count, resetMilliseconds] = reply as [number, number];
        countShared();
        return { count, resetMilliseconds };
      } catch (error) {
        if (asked === client) disconnect();
        countAlone(error);
        return own.add(key, change, windowMilliseconds, now);
      }
    },
    async close() {
      disconnect();
    },
  };
}

/** Rejects after the time; what was waited for is then nobody's concern. An answer that is there already is read first. */
function within<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const tooLate = () => reject(new Error(`no answer in ${milliseconds} ms`));
    const timer = setTimeout(() => setImmediate(tooLate), milliseconds);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

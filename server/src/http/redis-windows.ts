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

const answerMilliseconds = 250;

export async function redisWindows(url: string, logger: Logger): Promise<WindowStore> {
  const own = memoryWindows();
  const client = createClient({
    url,
    disableOfflineQueue: true,
    commandOptions: { timeout: answerMilliseconds },
    socket: { connectTimeout: 2_000, reconnectStrategy: (retries) => Math.min(100 * 2 ** retries, 5_000) },
  });
  let counting: 'shared' | 'alone' = 'shared';
  function now(counts: 'shared' | 'alone', error?: unknown): void {
    if (counting === counts) return;
    counting = counts;
    if (counts === 'alone')
      logger.warn({ err: error }, 'Redis does not answer: rate limits are counted per instance');
    else logger.info('Redis answers again: rate limits are shared');
  }
  client.on('error', (error) => now('alone', error));
  // A Redis that is down at the start is tried again in the background, like one that goes down later.
  await Promise.race([client.connect().catch((error) => now('alone', error)), pause(2_500)]);

  return {
    async add(key, change, windowMilliseconds, time) {
      try {
        const reply = await client.eval(addScript, {
          keys: [`foyer:limit:${key}`],
          arguments: [String(change), String(windowMilliseconds)],
        });
        const [count, resetMilliseconds] = reply as [number, number];
        now('shared');
        return { count, resetMilliseconds };
      } catch (error) {
        now('alone', error);
        return own.add(key, change, windowMilliseconds, time);
      }
    },
    async close() {
      client.destroy();
    },
  };
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds).unref());
}

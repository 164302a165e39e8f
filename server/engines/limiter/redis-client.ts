// A client of node-redis for each form of REDIS_URL. It does not reconnect by itself: after a failure its user makes another.
import { createHash } from 'node:crypto';
import { createClient, createCluster, createSentinel } from 'redis';
import type { RedisAddress } from './redis-address.js';

export type RedisScript = { text: string; sha1: string };

export type RedisClient = {
  readonly isOpen: boolean;
  readonly isReady: boolean;
  connect(): Promise<unknown>;
  destroy(): unknown;
  evalSha(sha1: string, options: ScriptOptions): Promise<unknown>;
  eval(text: string, options: ScriptOptions): Promise<unknown>;
};

/** The keys of one script must belong to one slot of a cluster. */
type ScriptOptions = { keys: string[]; arguments: string[] };

export function redisClient(address: RedisAddress, connectMilliseconds: number): RedisClient {
  const { username, password, tls } = address;
  const socket = { connectTimeout: connectMilliseconds, reconnectStrategy: false as const };
  const secured = { ...socket, ...(tls && { tls: true as const }) };
  const options = { disableOfflineQueue: true, socket: secured };
  const credentials = { ...(username && { username }), ...(password && { password }) };
  const client =
    address.kind === 'server'
      ? createClient({ url: address.url, disableOfflineQueue: true, socket })
      : address.kind === 'cluster'
        ? createCluster({
            rootNodes: address.nodes.map((node) => ({ socket: node })),
            defaults: { ...options, ...credentials },
          })
        : createSentinel({
            name: address.master,
            sentinelRootNodes: address.sentinels,
            nodeClientOptions: { ...options, ...credentials },
            sentinelClientOptions: options,
          });
  // Each failure also rejects a call or the connection; without a listener it would crash the process.
  client.on('error', () => {});
  return client;
}

export function redisScript(text: string): RedisScript {
  return { text, sha1: createHash('sha1').update(text).digest('hex') };
}

/** Sends the hash of the script, and its text only to a server that does not know it yet. */
export async function runScript(
  client: RedisClient,
  script: RedisScript,
  options: ScriptOptions,
): Promise<unknown> {
  try {
    return await client.evalSha(script.sha1, options);
  } catch (error) {
    if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error;
    return client.eval(script.text, options);
  }
}

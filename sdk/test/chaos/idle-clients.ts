// Clients of users of their own that call once a minute, lose three of ten responses together with the network, and whose disk is
// full at times.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '../../src/api.js';
import { createClient, memoryStorage, type TokenStorage } from '../../src/index.js';
import { faultyNetwork, thirtyPercent } from '../faulty-network.js';
import type { Random } from './random.js';

export async function startIdleClients(baseUrl: string, appKey: string, count: number, random: Random) {
  const networks = Array.from({ length: count }, () => faultyNetwork());
  const signedOut: string[] = [];
  const clients: Client[] = [];
  const disk = { isFull: false, refused: 0 };
  for (const [number, { fetch }] of networks.entries()) {
    const headers = { 'X-Client': `idle ${number}` };
    const client = createClient({ baseUrl, appKey, storage: diskStorage(disk), fetch, headers });
    const account = { email: `idle-${number}@example.com`, password: 'correct horse battery staple' };
    await patiently(() => client.auth.signUp(account));
    client.auth.onStateChange((state) => {
      if (state.status === 'signedOut') signedOut.push(`idle ${number}: ${state.reason}`);
    });
    clients.push(client);
  }

  return {
    signedOut,
    refusedWrites: () => disk.refused,
    /** Fills the disk for a while, again and again. */
    async fillDisk(signal: AbortSignal) {
      while (!signal.aborted) {
        await sleep(random.between(10_000, 40_000), null, { signal }).catch(() => {});
        disk.isFull = true;
        await sleep(random.between(5_000, 40_000), null, { signal }).catch(() => {});
        disk.isFull = false;
      }
    },
    lost: () => networks.reduce((sum, { lost }) => sum + lost, 0),
    async use(signal: AbortSignal) {
      for (const [number, network] of networks.entries()) network.lose = thirtyPercent(7 * number + 1);
      await Promise.all(
        clients.map(async (client) => {
          await sleep(random.between(0, 60_000), null, { signal }).catch(() => {});
          while (!signal.aborted) {
            await client.auth.getAccessToken({ forceRefresh: true }).catch(() => {});
            await client.me.get().catch(() => {});
            await sleep(random.between(45_000, 75_000), null, { signal }).catch(() => {});
          }
        }),
      );
      for (const network of networks) network.lose = () => undefined;
    },
    /** The clients that the service no longer accepts. */
    async refused(): Promise<string[]> {
      const codes = await Promise.all(
        clients.map((client) => client.auth.getAccessToken({ forceRefresh: true }).then(() => '', String)),
      );
      for (const client of clients) client.dispose();
      return codes.filter(Boolean);
    },
  };
}

/** Tries again while a busy machine makes the service refuse. */
export async function patiently<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 20; ; tries--) {
    try {
      return await work();
    } catch (error) {
      if (tries === 0) throw error;
      await sleep(1_000);
    }
  }
}

/** A storage that can be read at any time, and refuses to be written while the disk is full. */
function diskStorage(disk: { isFull: boolean; refused: number }): TokenStorage {
  const inner = memoryStorage();
  const write = (work: () => unknown) => {
    if (!disk.isFull) return void work();
    disk.refused += 1;
    throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
  };
  return {
    ...inner,
    set: (key, value) => write(() => inner.set(key, value)),
    remove: (key) => write(() => inner.remove(key)),
  };
}

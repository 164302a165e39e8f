// Clients of users of their own that call once a minute, and lose three of ten responses together with the network.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '../../src/api.js';
import { createClient, memoryStorage } from '../../src/index.js';
import { faultyNetwork, thirtyPercent } from '../faulty-network.js';
import type { Random } from './random.js';

export async function startIdleClients(baseUrl: string, appKey: string, count: number, random: Random) {
  const networks = Array.from({ length: count }, () => faultyNetwork());
  const signedOut: string[] = [];
  const clients: Client[] = [];
  for (const [number, { fetch }] of networks.entries()) {
    const headers = { 'X-Client': `idle ${number}` };
    const client = createClient({ baseUrl, appKey, storage: memoryStorage(), fetch, headers });
    await client.auth.signUp({
      email: `idle-${number}@example.com`,
      password: 'correct horse battery staple',
    });
    client.auth.onStateChange((state) => {
      if (state.status === 'signedOut') signedOut.push(`idle ${number}: ${state.reason}`);
    });
    clients.push(client);
  }

  return {
    signedOut,
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

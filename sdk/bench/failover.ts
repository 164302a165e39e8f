// `npm run bench:failover -w @foyer/sdk -- --gaps 10,20,40 --clients 40`: how many sessions a failover of the database ends, with the
// SDK's own repetitions. Clients refresh at the moment of the failure: the database commits their refreshes, and its answers
// are lost. It stays away for the gap; a minute after it is back each client calls again. Needs PostgreSQL (DATABASE_URL).
import { randomBytes } from 'node:crypto';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { onDatabase, withDatabase } from '../../server/proofs/bench/database.js';
import { newApp, startService } from '../../server/proofs/bench/processes.js';
import { createClient, memoryStorage } from '../src/index.js';

const { values: options } = parseArgs({
  options: { gaps: { type: 'string', default: '10,20,40' }, clients: { type: 'string', default: '40' } },
});
const lossMs = 300;
const restMs = 60_000;

console.log('gap      refreshes answered / committed, the answer lost / not committed      sessions ended');
for (const gap of options.gaps.split(',').map(Number)) {
  console.log(await withDatabase((databaseUrl) => failover(databaseUrl, gap, Number(options.clients))));
}

async function failover(databaseUrl: string, gapSeconds: number, count: number): Promise<string> {
  const proxy = await breakableProxy(new URL(databaseUrl));
  try {
    const environment = {
      DATABASE_URL: proxy.url,
      ENCRYPTION_KEYS: randomBytes(32).toString('base64'),
      RATE_LIMITS: 'off',
    };
    const { app_key: appKey } = await newApp(environment, 'Failover');
    const service = await startService(environment);
    const baseUrl = `http://127.0.0.1:${service.port}/api/v2`;
    const refreshed = new Set<number>();
    const clients = await Promise.all(
      Array.from({ length: count }, (_, n) => signedIn(baseUrl, appKey, n, () => refreshed.add(n))),
    );
    const before = await generations(databaseUrl);

    // An app that starts has no access token: its first call refreshes.
    const calls = Promise.allSettled(
      clients.map(async (client, n) => {
        await sleep((n * 2 * lossMs) / count);
        await client.me.get();
      }),
    );
    await sleep(lossMs);
    proxy.loseAnswers();
    await sleep(lossMs);
    proxy.refuse();
    const isBack = sleep(gapSeconds * 1_000);
    await calls;
    const answered = refreshed.size;
    const committed = (await generations(databaseUrl)) - before;
    await isBack;
    proxy.forward();
    await sleep(restMs);
    await Promise.allSettled(clients.map((client) => client.me.get()));
    const ended = clients.filter(({ auth }) => auth.state.status === 'signedOut').length;
    for (const client of clients) client.dispose();
    await service.stop();
    return `${gapSeconds} s: ${answered} / ${committed - answered} / ${count - committed}, ended: ${ended}`;
  } finally {
    proxy.close();
  }
}

/** A client as after a restart of its app, with a stored session. */
async function signedIn(baseUrl: string, appKey: string, n: number, onRefresh: () => void) {
  const storage = memoryStorage();
  const first = createClient({ baseUrl, appKey, storage });
  await first.auth.signUp({ email: `user-${n}@example.com`, password: 'correct horse battery staple' });
  first.dispose();
  return createClient({
    baseUrl,
    appKey,
    storage,
    maxRetries: 0,
    onEvent: (event) => event.type === 'refresh' && !event.code && onRefresh(),
  });
}

/** The number of refreshes that the database has committed. */
function generations(databaseUrl: string): Promise<number> {
  return onDatabase(databaseUrl, async (client) => {
    const { rows } = await client.query<{ sum: string }>('SELECT sum(generation) AS sum FROM sessions');
    return Number(rows[0]?.sum);
  });
}

/** Stands between the service and the database, as a proxy that follows a failover does. */
async function breakableProxy(target: URL) {
  let isLosing = false;
  let isRefusing = false;
  const sockets = new Set<Socket>();
  const proxy = createServer((near) => {
    if (isRefusing) return near.destroy();
    const far = connect(Number(target.port), target.hostname);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on('data', (data) => !(isLosing && from === far) && to.write(data));
      from.on('error', () => from.destroy());
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const url = new URL(target);
  url.port = String((proxy.address() as AddressInfo).port);
  return {
    url: url.toString(),
    loseAnswers() {
      isLosing = true;
    },
    refuse() {
      isRefusing = true;
      for (const socket of sockets) socket.destroy();
    },
    forward() {
      isLosing = false;
      isRefusing = false;
    },
    close() {
      for (const socket of sockets) socket.destroy();
      proxy.close();
    },
  };
}

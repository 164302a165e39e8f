// `npm run chaos -w @foyer/sdk -- --minutes 10 --seed 1`: six tabs of a real Chromium, tabs that are duplicated and 20 idle clients
// on a real service, while responses are lost, a proxy answers, the network goes away, the service restarts, the clock of the device
// jumps, and storages are full. Needs PostgreSQL (DATABASE_URL). With `--fault lock` (see faults.ts) it must fail.
import { randomBytes } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { onDatabase, withDatabase } from '../../../server/proofs/bench/database.js';
import { newApp, type Running, startService } from '../../../server/proofs/bench/processes.js';
import { openDuplicatedTabs } from './duplicated-tabs.js';
import {
  byUse,
  type Exchange,
  overlappingRefreshes,
  sentWithoutBearer,
  spentTokensSent,
} from './exchanges.js';
import { createExpectedState } from './expected-state.js';
import { type Fault, faults } from './faults.js';
import { patiently, startIdleClients } from './idle-clients.js';
import { startNetwork } from './network.js';
import { seeded } from './random.js';
import { openTabs, pageSource } from './tabs.js';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    seed: { type: 'string', default: '1' },
    fault: { type: 'string', default: '' },
  },
});
const tabCount = 6;
const idleCount = 20;
const hourMs = 3_600_000;
const password = 'correct horse battery staple';
/** How long clients retry sign-outs that failed. */
const settleMs = 60_000;

process.exitCode = (await withDatabase(run)) ? 0 : 1;

async function run(databaseUrl: string): Promise<boolean> {
  const random = seeded(Number(values.seed));
  const environment = {
    DATABASE_URL: databaseUrl,
    ENCRYPTION_KEYS: randomBytes(32).toString('base64'),
    RATE_LIMITS: 'off',
  };
  const { app_key: appKey } = await newApp(environment, 'Chaos');
  let service = await startService(environment);
  let offsetMs = 0;
  const source = await pageSource();
  const options = values.fault ? faults[values.fault as Fault] : '';
  const twins = { kind: 'twin', options: 'storage: foyer.webStorage(sessionStorage)' } as const;
  const network = await startNetwork(random, (path) =>
    source(appKey, offsetMs, path === '/twin' ? twins : { options }),
  );
  network.port = service.port;
  const expected = createExpectedState();
  const tabs = await openTabs(network.origin, tabCount, random, expected);
  const baseUrl = `${network.origin}/api/v2`;
  const idle = await startIdleClients(baseUrl, appKey, idleCount, random);
  const duplicated = await openDuplicatedTabs(tabs.browser, `${network.origin}/twin`, random);
  await patiently(() => duplicated.signIn({ email: 'barbara@example.com', password }));
  const emails = ['ada', 'grace', 'edsger'].map((name) => `${name}@example.com`);
  for (const email of emails) {
    const body = JSON.stringify({ email, password });
    const headers = { 'X-App-Key': appKey, 'Content-Type': 'application/json' };
    await patiently(async () => {
      const { status } = await fetch(`${baseUrl}/auth/sign-up`, { method: 'POST', headers, body });
      if (status >= 500) throw new Error(`The sign-up was answered ${status}.`);
    });
  }
  const counts = { restarts: 0, gaps: 0, jumps: 0, signIns: 0, signOuts: 0 };
  /** When the sessions were signed out, or replaced by a sign-in; the call began before. */
  const ends = new Map<string, number>();
  let session: string | undefined;

  /** Signs in, again while the response is lost. */
  async function signIn(): Promise<void> {
    expected.change('changing');
    const email = random.one(emails);
    const giveUpAtMs = Date.now() + 60_000;
    for (;;) {
      const calledAtMs = Date.now();
      const signedIn = await tabs
        .inOne(async (client, credential) => (await client.auth.signIn(credential)).user.uid, {
          email,
          password,
        })
        .catch(() => null);
      if (signedIn) {
        if (session) ends.set(session, calledAtMs);
        session = network.exchanges.findLast(
          ({ route, issued, isDelivered }) => route === 'POST /auth/sign-in' && issued && isDelivered,
        )?.issued?.session;
        counts.signIns += 1;
        return expected.change({ uid: signedIn });
      }
      if (Date.now() > giveUpAtMs) throw new Error('No sign-in succeeded in a minute.');
    }
  }

  async function signOut(): Promise<void> {
    expected.change('changing');
    const everywhere = random.passes(0.3);
    const calledAtMs = Date.now();
    await tabs.inOne(
      async (client, given) => {
        await client.auth.signOut(given);
        return null;
      },
      { everywhere },
    );
    if (session) ends.set(session, calledAtMs);
    session = undefined;
    counts.signOuts += 1;
    expected.change('signed out');
  }

  async function changeUsers(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await sleep(random.between(6_000, 20_000), null, { signal }).catch(() => {});
      await tabs.check();
      if (signal.aborted) return;
      if (random.passes(0.3)) await signIn();
      else {
        await signOut();
        await sleep(random.between(500, 8_000));
        await tabs.check();
        await signIn();
      }
    }
  }

  /** One failure at a time: a session must outlive each of them, not a sum that exceeds the service's 30 seconds. */
  async function breakThings(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await sleep(random.between(15_000, 35_000), null, { signal }).catch(() => {});
      if (signal.aborted) return;
      const gapMs = random.between(500, 10_000);
      const kind = random.one(['gap', 'restart', 'crash'] as const);
      // It starts beforehand, so that the seed says how long the service is away, and not how busy the machine is.
      const next = kind === 'gap' ? null : await startService(environment).catch(() => null);
      network.awayUntilMs = Date.now() + gapMs;
      if (next) service = await replace(service, next, kind === 'crash');
      counts[next ? 'restarts' : 'gaps'] += 1;
      await sleep(gapMs);
    }
  }

  async function replace(old: Running, next: Running, isCrash: boolean): Promise<Running> {
    if (isCrash) process.kill(old.pid, 'SIGKILL');
    await old.stop();
    network.port = next.port;
    return next;
  }

  /** The clock of the device: an access token of 15 minutes expires, or seems as new as ever. */
  async function setClocks(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await sleep(random.between(10_000, 30_000), null, { signal }).catch(() => {});
      offsetMs = random.one([0, -hourMs, hourMs, 24 * hourMs, -24 * hourMs, 600_000]);
      counts.jumps += 1;
      await tabs.setClock(offsetMs);
    }
  }

  await signIn();
  const startedAtMs = Date.now();
  network.isFaulty = true;
  setMaxListeners(0);
  const signal = AbortSignal.timeout(Number(values.minutes) * 60_000);
  const storages = [tabs.fillStorage, idle.fillDisk];
  const parts = [tabs.use, idle.use, duplicated.use, changeUsers, breakThings, setClocks, ...storages];
  await Promise.all(parts.map((part) => part(signal)));
  network.isFaulty = false;
  const ranMs = Date.now() - startedAtMs;
  const requests = network.exchanges.length;
  // The next start: what is left of earlier pages is sent.
  await tabs.reloadAll();
  await sleep(settleMs);
  await tabs.check();
  const refused = await idle.refused();
  const refusedTwins = await duplicated.refused();
  const mixed = await tabs.mixedUsers();
  await tabs.close();
  network.close();
  await service.stop();

  const { exchanges } = network;
  // What the idle clients receive, they may lose.
  const ofPages = exchanges.filter(({ client }) => client.startsWith('page'));
  const { alive, reused } = await onDatabase(databaseUrl, async (client) => {
    const { rows } = await client.query<{ id: string; end_reason: string | null }>(
      `SELECT id, end_reason FROM sessions
       WHERE ended_at IS NULL AND id = ANY($1) OR end_reason = 'refresh_reuse'`,
      [[...ends.keys()]],
    );
    const idsOf = (reason: string | null) =>
      rows.filter(({ end_reason }) => end_reason === reason).map(({ id }) => id);
    return { alive: idsOf(null), reused: idsOf('refresh_reuse') };
  });
  const refreshes = exchanges.filter(({ sent }) => sent).length;
  console.log(
    `${Math.round(ranMs / 1_000)} s, seed ${values.seed}: ${requests} requests of which ${refreshes} refreshes, ` +
      `${network.lost + idle.lost()} lost responses, ${network.lies} answers of a proxy, ${counts.gaps} gaps, ${counts.restarts} restarts, ${counts.jumps} clock jumps, ` +
      `${counts.signIns} sign-ins, ${counts.signOuts} sign-outs, ${tabs.counts.reloads} reloads, ${tabs.counts.reopened} new tabs, ` +
      `${tabs.counts.calls} calls of tabs of which ${tabs.counts.failed} rejected, ` +
      `localStorage filled ${tabs.counts.filled} times, ${idle.refusedWrites()} writes to a full disk, ` +
      `${duplicated.counts.duplicated} duplicated tabs, ${duplicated.counts.reloaded} reloaded, ${duplicated.counts.closed} closed`,
  );
  const spent = byUse(spentTokensSent(ofPages, tabs.endedAtMs), exchanges, ends);
  const overlapping = byUse(overlappingRefreshes(exchanges), exchanges, ends);
  const figures = {
    'unwanted sign-outs of tabs': expected.found.unwanted,
    'unwanted sign-outs of idle clients': [...idle.signedOut, ...refused],
    'unwanted sign-outs of duplicated tabs': [...duplicated.signedOut, ...refusedTwins],
    'answers for another user': mixed,
    'calls without bearer': linesOf(sentWithoutBearer(exchanges)),
    'sessions that came back after their sign-out': expected.found.resurrected,
    'sessions signed out but alive at the service': alive,
    'sessions that the service ended for a reused token': reused,
    'tabs that did not follow within three seconds': expected.found.late,
    'spent tokens sent': linesOf(spent.inUse),
    'overlapping refreshes': linesOf(overlapping.inUse),
  };
  const afterSignOut = {
    'spent tokens sent': linesOf(spent.ended),
    'overlapping refreshes': linesOf(overlapping.ended),
  };
  for (const [name, found] of Object.entries(figures)) {
    console.log(`${found.length === 0 ? ' ' : '!'} ${found.length} ${name}`);
    for (const line of found) console.log(`    ${line}`);
  }
  console.log('To end sessions that were signed out, which several tabs may do:');
  for (const [name, found] of Object.entries(afterSignOut)) {
    console.log(`  ${found.length} ${name}`);
    for (const line of found) console.log(`    ${line}`);
  }
  return Object.values(figures).every(({ length }) => length === 0);
}

function linesOf(exchanges: Exchange[]): string[] {
  return exchanges.map(
    ({ client, route, startMs, endMs, status }) =>
      `${new Date(startMs).toISOString()} ${client} ${route}, ${endMs - startMs} ms, ${status ?? 'no response'}`,
  );
}

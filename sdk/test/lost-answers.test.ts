// A refresh whose response is lost together with the network: the token is spent at the service, and the client must
// learn its successor within the 30 seconds in which the service repeats the response.
import { afterEach, describe, expect, test, vi } from 'vitest';
import { inFull } from '../../server/test/thorough.js';
import type { Client } from '../src/api.js';
import { faultyNetwork, losesOnce, thirtyPercent } from './faulty-network.js';
import {
  codeOf,
  expiredClient,
  locked,
  movingClock,
  newClient,
  passing,
  refreshed,
  signedInClient,
  stopClock,
  useScriptedService,
  watchedStorage,
} from './harness.js';
import { refuses } from './mishaps.js';
import { configRoute, refreshRoute } from './scripted-service.js';

const service = useScriptedService();

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

async function clientOnNetwork(storage = watchedStorage()) {
  const network = faultyNetwork();
  return { client: await signedInClient({ storage, fetch: network.fetch }), network, storage };
}

/** A client whose next refresh loses its response, and the network for a while. */
async function clientLosing(gapMs: number) {
  const onNetwork = await clientOnNetwork();
  service.expireAccessTokens();
  onNetwork.network.lose = losesOnce(gapMs);
  stopClock();
  return onNetwork;
}

describe('a lost response and a gap in the network', () => {
  test.each([1, 10, 25])(
    'of %d seconds leave the user signed in, with the next call a minute later',
    async (gap) => {
      const { client, network } = await clientLosing(gap * 1_000);
      const beginMs = Date.now();
      const code = await movingClock(codeOf(client.me.get()));
      expect(code).toBe(gap === 1 ? 'resolved' : 'client/network');
      expect(Date.now() - beginMs).toBeLessThan(4_000);
      await passing(60_000);
      expect(client.auth.state).toMatchObject({ status: 'signedIn', online: true });
      expect(await movingClock(codeOf(client.me.get()))).toBe('resolved');
      expect(network.lost).toBe(1);
      expect(service.reuses).toBe(0);
    },
  );

  test('leave the user signed in also while the storage cannot be written', async () => {
    const { client, storage } = await clientLosing(10_000);
    expect(await movingClock(codeOf(client.me.get()))).toBe('client/network');
    storage.before.set = locked;
    // The token may be spent, so it is sent again although its successor cannot be stored.
    await passing(60_000);
    expect(service.count(refreshRoute)).toBeGreaterThan(1);
    expect(await movingClock(codeOf(client.me.get()))).toBe('client/storage-unavailable');
    delete storage.before.set;
    expect(await movingClock(codeOf(client.me.get()))).toBe('resolved');
    expect(service.reuses).toBe(0);
    const restarted = newClient({ storage: watchedStorage(storage.values) });
    expect(await movingClock(codeOf(restarted.me.get()))).toBe('resolved');
    expect(service.reuses).toBe(0);
  });

  test('control: without a client that sends the token again, the session ends', async () => {
    const { client, storage } = await clientLosing(4_000);
    await movingClock(codeOf(client.me.get()));
    client.dispose();
    await passing(60_000);
    const next = newClient({ storage });
    expect(await movingClock(codeOf(next.me.get()))).toBe('auth/refresh-token-revoked');
    expect(service.reuses).toBe(1);
  });

  test('of more than 30 seconds end the session with the next call', async () => {
    const { client } = await clientLosing(40_000);
    await movingClock(codeOf(client.me.get()));
    await passing(60_000);
    expect(client.auth.state.status).toBe('signedIn');
    expect(await movingClock(codeOf(client.me.get()))).toBe('auth/refresh-token-revoked');
    expect(client.auth.state).toEqual({ status: 'signedOut', reason: 'revoked' });
  });
});

describe('the token is sent again', () => {
  test('on its own until 28 seconds after the first send, and no later', async () => {
    const { client, network } = await clientLosing(3_600_000);
    await movingClock(codeOf(client.me.get()));
    const byCall = network.refreshesAtMs.length;
    await passing(120_000);
    const afterMs = network.refreshesAtMs.map((atMs) => atMs - network.refreshesAtMs[0]!);
    expect(byCall).toBe(4);
    expect(afterMs.length).toBeGreaterThanOrEqual(byCall + 6);
    expect(afterMs.at(-1)).toBeGreaterThan(25_000);
    expect(afterMs.at(-1)).toBeLessThanOrEqual(28_000);
  });

  test('also when the access token is still valid and calls succeed', async () => {
    const { client, network } = await clientOnNetwork();
    network.lose = losesOnce(4_000);
    stopClock();
    expect(await movingClock(codeOf(refreshed(client)))).toBe('client/network');
    network.awayUntilMs = 0;
    await movingClock(client.me.get());
    await passing(60_000);
    await movingClock(refreshed(client));
    expect(service.reuses).toBe(0);
  });

  test('a last time before a Retry-After has passed, because it may be spent', async () => {
    const { client, network } = await clientLosing(0);
    const busy = refuses(503, 'request/unavailable', { 'Retry-After': '60' });
    service.next(refreshRoute, ({ work, send }) => send(work()), busy);
    expect(await movingClock(codeOf(client.me.get()))).toBe('request/unavailable');
    await passing(60_000);
    const afterMs = network.refreshesAtMs.map((atMs) => atMs - network.refreshesAtMs[0]!);
    expect(afterMs).toHaveLength(3);
    expect(afterMs[2]).toBeGreaterThanOrEqual(27_000);
    expect(afterMs[2]).toBeLessThanOrEqual(28_000);
    expect(await movingClock(codeOf(client.me.get()))).toBe('resolved');
    expect(service.reuses).toBe(0);
  });

  test('not before a Retry-After when the service has answered every send', async () => {
    const client = await expiredClient();
    stopClock();
    service.next(refreshRoute, refuses(503, 'request/unavailable', { 'Retry-After': '60' }));
    expect(await movingClock(codeOf(client.me.get()))).toBe('request/unavailable');
    await passing(50_000);
    expect(service.count(refreshRoute)).toBe(1);
  });

  test('never after a response that refuses the request', async () => {
    const client = await signedInClient();
    stopClock();
    service.always.set(refreshRoute, refuses(403, 'auth/something-new'));
    expect(await movingClock(codeOf(refreshed(client)))).toBe('auth/something-new');
    await passing(30_000);
    expect(service.count(refreshRoute)).toBe(1);
    expect(client.auth.state).toMatchObject({ status: 'signedIn', online: true });
  });

  test.each<[string, (client: Client) => unknown]>([
    ['a sign-out', (client) => client.auth.signOut()],
    ['`dispose`', (client) => client.dispose()],
  ])('never after %s', async (_, end) => {
    const { client, network } = await clientLosing(10_000);
    await movingClock(codeOf(client.me.get()));
    network.awayUntilMs = Number.POSITIVE_INFINITY;
    await movingClock(Promise.resolve(end(client)));
    const sends = network.refreshesAtMs.length;
    await passing(30_000);
    expect(network.refreshesAtMs).toHaveLength(sends);
  });

  test.each([
    ['the network returns', 'online', false, true],
    ['the page becomes visible', 'visibilitychange', false, true],
    ['the page is hidden', 'visibilitychange', true, false],
  ])('when %s: at once, if anyone can see it', async (_, type, hidden, sends) => {
    const page = new EventTarget();
    vi.stubGlobal('addEventListener', page.addEventListener.bind(page));
    vi.stubGlobal('document', {
      hidden,
      addEventListener: page.addEventListener.bind(page),
    });
    const { client, network } = await clientLosing(4_000);
    await movingClock(codeOf(client.me.get()));
    // The next send of its own is at least a second away.
    await passing(100);
    network.awayUntilMs = 0;
    const before = network.refreshesAtMs.length;
    page.dispatchEvent(new Event(type));
    await movingClock(new Promise((resolve) => setTimeout(resolve, 20)), 1);
    expect(network.refreshesAtMs.length - before).toBe(sends ? 1 : 0);
    expect(client.auth.state).toMatchObject({ online: sends });
    client.dispose();
    page.dispatchEvent(new Event(type));
  });
});

describe('a population', () => {
  /** Clients of as many users, each with a network of its own. */
  async function population(count: number) {
    const networks = Array.from({ length: count }, () => faultyNetwork());
    const clients = networks.map(({ fetch }) => newClient({ fetch }));
    for (const [index, { auth }] of clients.entries()) {
      await movingClock(auth.signUp({ email: `user${index}@example.com`, password: 'correct horse' }));
    }
    return { networks, clients };
  }

  const idle = inFull(40, 15);
  test(`of ${idle} idle clients that lose 30 % of their responses loses no session`, async () => {
    service.accessTokenSeconds = 60;
    stopClock();
    const { networks, clients } = await population(idle);
    for (const [index, network] of networks.entries()) network.lose = thirtyPercent(7 * index + 1);
    for (let round = 0; round < 4; round++) {
      await passing(80_000);
      await movingClock(Promise.all(clients.map((client) => codeOf(client.me.get()))), 250);
    }
    expect(networks.reduce((sum, { lost }) => sum + lost, 0)).toBeGreaterThan(0.75 * idle);
    expect(service.reuses).toBe(0);
    expect(clients.filter(({ auth }) => auth.state.status !== 'signedIn')).toEqual([]);
  });

  const amid = inFull(100, 30);
  test(`of ${amid} clients amid their refreshes survives a restart of the service`, async () => {
    stopClock();
    const { networks, clients } = await population(amid);
    service.expireAccessTokens();
    // Half of the requests arrive and lose their response, half do not arrive; the service is back after 12 seconds.
    for (const [index, network] of networks.entries()) {
      if (index % 2) network.lose = losesOnce(12_000);
      else network.awayUntilMs = Date.now() + 12_000;
    }
    await movingClock(Promise.all(clients.map((client) => codeOf(client.me.get()))), 250);
    await passing(60_000);
    const codes = await movingClock(Promise.all(clients.map((client) => codeOf(client.me.get()))), 250);
    expect(new Set(codes)).toEqual(new Set(['resolved']));
    expect(service.reuses).toBe(0);
    expect(service.sessions.filter(({ ended }) => ended)).toEqual([]);
  });
});

describe('`online`', () => {
  test('recovers without a call once the service is reachable again', async () => {
    const { client, network } = await clientOnNetwork();
    stopClock();
    network.awayUntilMs = Date.now() + 100_000;
    expect(await movingClock(codeOf(client.me.get()))).toBe('client/network');
    await passing(95_000);
    expect(client.auth.state).toMatchObject({ status: 'signedIn', online: false });
    await passing(65_000);
    expect(client.auth.state).toMatchObject({ status: 'signedIn', online: true });
    expect(service.count(configRoute)).toBe(1);
    expect(service.count(refreshRoute)).toBe(0);
  });

  test('is asked for when the app is back in the foreground, without spending a refresh token', async () => {
    const network = faultyNetwork();
    let wake = () => {};
    const wakeOn = (given: () => void) => {
      wake = given;
    };
    const client = await signedInClient({ fetch: network.fetch, wakeOn });
    stopClock();
    network.awayUntilMs = Number.POSITIVE_INFINITY;
    expect(await movingClock(codeOf(client.me.get()))).toBe('client/network');
    network.awayUntilMs = 0;
    wake();
    await passing(1_000);
    expect(client.auth.state).toMatchObject({ status: 'signedIn', online: true });
    expect([service.count(configRoute), service.count(refreshRoute)]).toEqual([1, 0]);
  });

  test('is asked for no earlier than the service permits', async () => {
    const { client, network } = await clientOnNetwork();
    stopClock();
    network.awayUntilMs = Date.now() + 1_000;
    expect(await movingClock(codeOf(client.me.get({ maxRetries: 0 })))).toBe('client/network');
    service.next(configRoute, refuses(503, 'request/unavailable', { 'Retry-After': '60' }));
    await passing(120_000);
    const askedAtMs = service.sent(configRoute).map(({ atMs }) => atMs);
    expect(askedAtMs).toHaveLength(2);
    expect(askedAtMs[1]! - askedAtMs[0]!).toBeGreaterThanOrEqual(60_000);
    expect(client.auth.state).toMatchObject({ status: 'signedIn', online: true });
  });

  test('is not asked for after a Retry-After that no timer can wait for', async () => {
    const { client, network } = await clientOnNetwork();
    stopClock();
    network.awayUntilMs = Date.now() + 1_000;
    expect(await movingClock(codeOf(client.me.get({ maxRetries: 0 })))).toBe('client/network');
    const month = refuses(503, 'request/unavailable', { 'Retry-After': `${30 * 86_400}` });
    service.always.set(configRoute, month);
    await passing(10_000);
    expect(service.count(configRoute)).toBe(1);
  });

  test.each([
    [0, 1_500],
    [0.999, 2_500],
  ])('is first asked for after a delay that differs between clients (%d: %d ms)', async (drawn, afterMs) => {
    const { client, network } = await clientOnNetwork();
    stopClock();
    vi.spyOn(Math, 'random').mockReturnValue(drawn);
    network.awayUntilMs = Date.now() + 1_000;
    const lostAtMs = Date.now();
    expect(await movingClock(codeOf(client.me.get({ maxRetries: 0 })))).toBe('client/network');
    await passing(10_000);
    const { atMs } = service.requests.find(({ route }) => route === configRoute)!;
    expect(Math.abs(atMs - lostAtMs - afterMs)).toBeLessThan(500);
  });
});

// What a client does on its own after a failure, to the millisecond. Its outcome on a failing network: lost-answers.test.ts.
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { codeOf, stopClock } from './harness.js';
import { newWorld, signedInWorld, turn } from './local-world.js';
import { gate } from './mishaps.js';

afterEach(() => void vi.unstubAllGlobals());

const away = () => Promise.reject(new TypeError('The network is away.'));
const refreshPath = '/auth/token/refresh';

/** Delays have no random part. */
function withoutChance(): void {
  const random = vi.spyOn(Math, 'random').mockReturnValue(0.5);
  onTestFinished(() => random.mockRestore());
}

async function passes(ms: number): Promise<void> {
  const untilMs = Date.now() + ms;
  while (Date.now() < untilMs) {
    await vi.advanceTimersByTimeAsync(Math.min(1_000, untilMs - Date.now()));
    await turn();
  }
}

/** A client that has noticed that the network is away, and the function that wakes it. */
async function offlineWorld() {
  stopClock();
  withoutChance();
  let wake = () => {};
  const wakeOn = (given: () => void) => {
    wake = given;
  };
  const world = await signedInWorld({ maxRetries: 0, wakeOn });
  world.answer = away;
  expect(await codeOf(world.client.me.get())).toBe('client/network');
  const beganMs = Date.now();
  world.sent.length = 0;
  /** When the requests of a path were sent. */
  const afterMs = (path: string) =>
    world.sent.filter((each) => each.path === path).map(({ atMs }) => atMs - beganMs);
  const back = () => {
    world.answer = undefined;
  };
  return Object.assign(world, { afterMs, back, wake: () => wake() });
}

test('whether the service is reachable is asked after two seconds, and then ever less often, up to once a minute', async () => {
  const { afterMs } = await offlineWorld();
  await passes(20 * 60_000);
  const waitsMs = afterMs('/config').map((atMs, index, all) => atMs - (all[index - 1] ?? 0));
  expect(waitsMs.slice(0, 4)).toEqual([2_000, 2_500, 3_125, 3_906]);
  expect(waitsMs.slice(-5)).toEqual(Array(5).fill(60_000));
});

/** A client whose refresh has no response. */
async function worldWithoutRefresh() {
  const world = await offlineWorld();
  const code = codeOf(world.client.auth.getAccessToken({ forceRefresh: true }));
  await passes(5_000);
  expect(await code).toBe('client/network');
  return { ...world, sendsAfterMs: () => world.afterMs(refreshPath) };
}

test('a refresh token whose response is missing is sent a last time 27 seconds after the first', async () => {
  const { sendsAfterMs } = await worldWithoutRefresh();
  await passes(60_000);
  expect([sendsAfterMs().at(0), sendsAfterMs().at(-1)]).toEqual([0, 27_000]);
});

test('a client that is woken later sends it once more, because the user learns then whether the session has ended', async () => {
  const world = await worldWithoutRefresh();
  await passes(60_000);
  const sends = world.sendsAfterMs().length;
  world.back();
  world.wake();
  await passes(10);
  expect(world.sendsAfterMs()).toHaveLength(sends + 1);
  expect(world.client.auth.state).toMatchObject({ status: 'signedIn', online: true });
});

test('a client that is woken while the network is away asks once, and waits again', async () => {
  const { afterMs, wake } = await offlineWorld();
  await passes(1_000);
  wake();
  await passes(1_999);
  expect(afterMs('/config')).toEqual([1_000]);
});

test('a client that is woken while it asks asks again as soon as that has failed', async () => {
  const world = await offlineWorld();
  const { opened, open } = gate();
  world.answer = async () => {
    await opened;
    return away();
  };
  await passes(2_500);
  world.wake();
  await passes(500);
  expect(world.afterMs('/config')).toEqual([2_000]);
  open();
  await turn();
  expect(world.afterMs('/config')).toEqual([2_000, 3_000]);
});

test('a client that was woken when nothing had failed waits after the next failure as ever', async () => {
  const world = await offlineWorld();
  world.back();
  await passes(2_000);
  expect(world.client.auth.state).toMatchObject({ online: true });
  world.wake();
  world.answer = away;
  world.sent.length = 0;
  expect(await codeOf(world.client.me.get())).toBe('client/network');
  await passes(1_999);
  expect(world.afterMs('/config')).toEqual([]);
  await passes(1);
  expect(world.afterMs('/config')).toEqual([4_000]);
});

test.each([
  ['', 59_999, 1],
  ['', 60_000, 2],
  // The limit may have been that of another network.
  ['and was woken', 0, 2],
])(
  'a client whose refresh may be repeated after 100 seconds %s has sent %d ms later: %d',
  async (woken, waitMs, sends) => {
    const world = await offlineWorld();
    world.answer = async () => {
      const error = { code: 'request/rate-limited', message: '', fields: {} };
      return Response.json({ error }, { status: 429, headers: { 'Retry-After': '100' } });
    };
    const refresh = () => codeOf(world.client.auth.getAccessToken({ forceRefresh: true }));
    expect(await refresh()).toBe('request/rate-limited');
    await passes(waitMs);
    const before = world.afterMs(refreshPath).length;
    expect(before).toBe(1);
    if (woken) world.wake();
    await refresh();
    expect(world.afterMs(refreshPath)).toHaveLength(sends);
  },
);

test('a page is listened to until the client is disposed of', () => {
  const listeners = new Set<string>();
  const page = {
    addEventListener: (type: string) => void listeners.add(type),
    removeEventListener: (type: string) => void listeners.delete(type),
  };
  vi.stubGlobal('addEventListener', page.addEventListener);
  vi.stubGlobal('removeEventListener', page.removeEventListener);
  vi.stubGlobal('document', page);
  const { client } = newWorld();
  expect([...listeners]).toEqual(['online', 'visibilitychange']);
  client.dispose();
  expect([...listeners]).toEqual([]);
});

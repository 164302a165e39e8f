// A client and the fake service in this process, without a network: what takes no time on the stopped clock takes none.
import type { ClientOptions } from '../src/api.js';
import { createClient } from '../src/client.js';
import type { SdkEvent } from '../src/events.js';
import { fakeService } from '../src/testing/index.js';
import { ada, watchedStorage } from './harness.js';

export const never = () => new Promise<never>(() => {});

/** Lets what is ready to run end. */
export async function turn(): Promise<void> {
  for (let round = 0; round < 20; round++) await new Promise((resolve) => setImmediate(resolve));
}

/** A client without a session, and what it sends. */
export function newWorld(options: Partial<ClientOptions> = {}) {
  const service = fakeService({ appKey: 'app_test' });
  service.addUser(ada);
  const world = {
    service,
    events: [] as SdkEvent[],
    sent: [] as { path: string; atMs: number }[],
    /** Answers in place of the service. */
    answer: undefined as ((path: string) => Promise<Response>) | undefined,
    paths: () => world.sent.map(({ path }) => path),
  };
  const client = createClient({
    ...service.options,
    storage: watchedStorage(),
    onEvent: (event) => world.events.push(event),
    fetch(input, init) {
      const path = String(input).split('/api/v2')[1]!;
      world.sent.push({ path, atMs: Date.now() });
      // A client that does not wait between its requests would let no test end.
      if (world.sent.length > 1_000) return never();
      return world.answer ? world.answer(path) : service.options.fetch(input, init);
    },
    ...options,
  });
  return Object.assign(world, { client });
}

/** A world with Ada signed in. */
export async function signedInWorld(options: Partial<ClientOptions> = {}) {
  const world = newWorld(options);
  await world.client.auth.signIn(ada);
  world.sent.length = 0;
  return world;
}

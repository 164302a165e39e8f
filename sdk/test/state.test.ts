// The state and its listeners: each change delivered once, in order, and never awaited.
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { AuthState } from '../src/api.js';
import type { SdkEvent } from '../src/events.js';
import { authorizedFetch } from '../src/features/authorized-fetch.js';
import {
  ada,
  codeOf,
  networkTurn,
  newClient,
  refreshed,
  signedInClient,
  statesOf,
  storedClient,
  useScriptedService,
} from './harness.js';

const service = useScriptedService();

describe('listeners', () => {
  test('a listener that calls the client does not block the sign-in that notified it', async () => {
    const client = newClient();
    const seen: string[] = [];
    client.auth.onStateChange(async ({ status }) => {
      if (status !== 'signedIn') return;
      const user = await client.me.get();
      await refreshed(client);
      seen.push(user.email);
    });
    await client.auth.signUp(ada);
    await client.me.get();
    await expect.poll(() => seen).toEqual([ada.email]);
  });

  test('a listener that never settles, throws or rejects blocks nothing', async () => {
    const events: SdkEvent[] = [];
    const client = newClient({ onEvent: (event) => events.push(event) });
    client.auth.onStateChange(() => new Promise(() => {}));
    client.auth.onStateChange(() => {
      throw new Error('thrown');
    });
    client.auth.onStateChange(() => Promise.reject(new Error('rejected')));
    const states = statesOf(client);
    await client.auth.signUp(ada);
    await refreshed(client);
    await client.auth.signOut();
    await networkTurn();
    expect(states.map(({ status }) => status)).toEqual(['loading', 'signedOut', 'signedIn', 'signedOut']);
    const failed = events.filter((event) => event.type === 'listener-error');
    expect(failed.map(({ error }) => (error as Error).message)).toContain('thrown');
    expect(failed.map(({ error }) => (error as Error).message)).toContain('rejected');
  });

  test('a listener receives the current state first, then each change with the previous state', async () => {
    const client = newClient();
    await client.auth.ready();
    const told: [string, string][] = [];
    client.auth.onStateChange((state, previous) => told.push([state.status, previous.status]));
    expect(told).toEqual([]);
    await client.auth.signUp(ada);
    await client.auth.signOut();
    await networkTurn();
    expect(told).toEqual([
      ['signedOut', 'signedOut'],
      ['signedIn', 'signedOut'],
      ['signedOut', 'signedIn'],
    ]);
  });

  test('an unsubscribed listener receives nothing more, including pending notifications', async () => {
    const client = newClient();
    const told: AuthState[] = [];
    const end = client.auth.onStateChange((state) => told.push(state));
    end();
    await client.auth.signUp(ada);
    expect(told).toEqual([]);
  });
});

describe('what counts as a change', () => {
  test('five refreshes notify a listener of being signed in exactly once', async () => {
    const client = await signedInClient();
    const states = statesOf(client);
    for (let refresh = 0; refresh < 5; refresh++) await refreshed(client);
    expect(states.map(({ status }) => status)).toEqual(['signedIn']);
  });

  test('the state object is stable until the state changes', async () => {
    const client = await signedInClient();
    const { state } = client.auth;
    await refreshed(client);
    await client.me.get();
    expect(client.auth.state).toBe(state);
    await client.me.update({ first_name: 'Ada' });
    expect(client.auth.state).not.toBe(state);
    expect(client.auth.state).toMatchObject({ user: { first_name: 'Ada' } });
  });

  test('after startup the state contains the user as soon as a response does', async () => {
    const { storage } = await storedClient();
    const client = newClient({ storage });
    expect(client.auth.state).toEqual({ status: 'loading' });
    const state = await client.auth.ready();
    expect(state).toMatchObject({ status: 'signedIn', user: null });
    await client.auth.getAccessToken();
    expect(client.auth.state).toMatchObject({ status: 'signedIn', user: { email: ada.email } });
  });
});

describe('disposal', () => {
  test('a disposed client notifies no listener and rejects calls, but preserves the session', async () => {
    const { client, storage } = await storedClient();
    const states = statesOf(client);
    await networkTurn();
    client.dispose();
    for (const call of [
      client.me.get(),
      client.auth.ready(),
      client.auth.getAccessToken(),
      client.auth.signIn(ada),
      client.auth.signOut(),
      authorizedFetch(client)(`${service.origin}/backend`),
    ]) {
      expect(await codeOf(call)).toBe('client/aborted');
    }
    expect(states).toHaveLength(1);
    const next = newClient({ storage });
    expect((await next.me.get()).email).toBe(ada.email);
  });

  test('a pending refresh is completed and stored after the disposal, and no listener hears of it', async () => {
    const { client, storage } = await storedClient();
    const states = statesOf(client);
    await networkTurn();
    service.api.users.byEmail(ada.email)!.user.first_name = 'Augusta';
    const before = storage.values.get('foyer.app_test');
    const refresh = refreshed(client);
    await service.seen('POST /api/v2/auth/token/refresh');
    client.dispose();
    await refresh;
    expect(storage.values.get('foyer.app_test')).not.toBe(before);
    await networkTurn();
    expect(client.auth.state).toMatchObject({ user: { first_name: 'Augusta' } });
    expect(states).toHaveLength(1);
  });
});

test('events contain no token, password or email in any scenario', async () => {
  const events: SdkEvent[] = [];
  const client = newClient({ onEvent: (event) => events.push(event) });
  await client.auth.signUp(ada);
  service.expireAccessTokens();
  await client.me.sessions().toArray({ limit: 5 });
  await codeOf(client.auth.signIn({ ...ada, password: 'wrong password' }));
  await codeOf(client.me.endSession('01JC4Q7M0RZ9X2V5T8W3Y6K1NB'));
  await client.auth.signOut();
  const text = JSON.stringify(events);
  expect(events.map(({ type }) => type)).toContain('refresh');
  expect(events).toContainEqual(
    expect.objectContaining({ type: 'request', method: 'DELETE', path: '/me/sessions/:id', status: 404 }),
  );
  expect(text).not.toMatch(/[ar]t_|password|example\.com|01(USER|SESSION|JC4Q7)/);
});

test('an onEvent that throws has no effect', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {});
  onTestFinished(() => log.mockRestore());
  const onEvent = () => {
    throw new Error('in onEvent');
  };
  await newClient({ onEvent }).auth.signUp(ada);
  expect(log).toHaveBeenCalled();
});

test('without onEvent the console receives the error of a listener, and no other event', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {});
  onTestFinished(() => log.mockRestore());
  const client = newClient();
  await client.auth.ready();
  const error = new Error('in a listener');
  client.auth.onStateChange(({ status }) => {
    if (status === 'signedIn') throw error;
  });
  await client.auth.signUp(ada);
  await networkTurn();
  expect(log.mock.calls).toEqual([[error]]);
});

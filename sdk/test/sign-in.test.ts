// Sign-in, profile and sessions of a user.
import { describe, expect, test } from 'vitest';
import { authorizedFetch } from '../src/features/authorized-fetch.js';
import { ada, bob, codeOf, newClient, signedInClient, useScriptedService } from './harness.js';
import { answers, refuses } from './mishaps.js';

const service = useScriptedService();

test('sign-up and sign-in return the user and a session; a wrong password returns neither', async () => {
  const client = newClient();
  const { user } = await client.auth.signUp({ ...ada, first_name: 'Ada' });
  expect(client.auth.state).toEqual({ status: 'signedIn', uid: user.uid, user, online: true });
  expect(user.first_name).toBe('Ada');
  const other = newClient();
  expect(await codeOf(other.auth.signIn({ ...ada, password: 'wrong' }))).toBe('auth/invalid-credential');
  expect(await other.auth.ready()).toEqual({ status: 'signedOut' });
  expect(await other.auth.signIn(ada)).toEqual({ user });
});

test('a call when signed out rejects with client/signed-out and sends nothing', async () => {
  const client = newClient();
  const { me, auth } = client;
  for (const call of [
    me.get(),
    auth.getAccessToken(),
    me.sessions(),
    authorizedFetch(client)(service.origin),
  ]) {
    expect(await codeOf(call)).toBe('client/signed-out');
  }
  expect(service.requests).toEqual([]);
});

test('the same proof twice at once is one request with one result', async () => {
  const client = await signedInClient();
  await client.auth.signOut();
  const route = 'POST /api/v2/auth/sign-in';
  const before = service.count(route);
  const both = await Promise.all([client.auth.signIn(ada), client.auth.signIn({ ...ada })]);
  expect(both[0]).toEqual(both[1]);
  expect(service.count(route)).toBe(before + 1);
  expect((await client.me.get()).email).toBe(ada.email);
  // The next one is a new request, and so is one with another password.
  await client.auth.signIn(ada);
  expect(service.count(route)).toBe(before + 2);
});

describe('the list of sessions', () => {
  test('reads a first page again that could not be read', async () => {
    const client = await signedInClient();
    const list = client.me.sessions({}, { maxRetries: 0 });
    service.next('GET /api/v2/me/sessions', refuses(503, 'request/unavailable'));
    expect(await codeOf(list)).toBe('request/unavailable');
    expect((await list).items).toHaveLength(1);
  });

  test.each([[undefined], ['']])('ends at a page whose next cursor is %j', async (next_cursor) => {
    const client = await signedInClient();
    service.always.set(
      'GET /api/v2/me/sessions',
      answers(200, { data: { items: [{ id: '1' }], next_cursor } }),
    );
    expect(await client.me.sessions().toArray({ limit: 5 })).toHaveLength(1);
  });

  test.each([
    ['the same cursor for ever', { '': 'a', '?cursor=a': 'a' }, 2],
    ['two cursors in turn', { '': 'a', '?cursor=a': 'b', '?cursor=b': 'a' }, 3],
  ])('rejects when the pages have %s', async (_, cursors, length) => {
    const client = await signedInClient();
    for (const [search, next_cursor] of Object.entries(cursors)) {
      const page = answers(200, { data: { items: [{ id: '1' }], next_cursor } });
      service.always.set(`GET /api/v2/me/sessions${search}`, page);
    }
    const ids: string[] = [];
    const read = async () => {
      for await (const { id } of client.me.sessions()) ids.push(id);
    };
    expect(await codeOf(read())).toBe('client/bad-response');
    expect(ids).toHaveLength(length);
  });

  test("does not go on with the pages of another user, nor show the former one's", async () => {
    const client = await withFiveDevices();
    const list = client.me.sessions({ limit: 2 });
    const pages = list[Symbol.asyncIterator]();
    await pages.next();
    await pages.next();
    await client.auth.signUp(bob);
    expect(await codeOf(pages.next())).toBe('client/signed-out');
    expect(await codeOf(list.toArray({ limit: 1 }))).toBe('client/signed-out');
  });

  test('a page that was read as one user is not given to the next, also if that one signs in meanwhile', async () => {
    const client = await signedInClient();
    const [known, pending] = [client.me.sessions(), client.me.sessions()];
    const { call, open } = await service.holding('GET /api/v2/me/sessions', () => codeOf(pending));
    await known;
    await client.auth.signUp(bob);
    open();
    for (const awaited of [call, codeOf(known), codeOf(pending)]) {
      expect(await awaited).toBe('client/signed-out');
    }
  });

  async function withFiveDevices() {
    const client = await signedInClient();
    for (let device = 1; device < 5; device++) await newClient().auth.signIn(ada);
    return client;
  }

  test('awaited gives one page, and iterated all items of every page, fetched on demand', async () => {
    const client = await withFiveDevices();
    const list = client.me.sessions({ limit: 2 });
    expect(service.count('GET /api/v2/me/sessions?limit=2')).toBe(0);
    const { items, next_cursor } = await list;
    expect(items).toHaveLength(2);
    expect((await client.me.sessions({ limit: 9, cursor: next_cursor! })).items).toHaveLength(3);
    const ids: string[] = [];
    for await (const { id } of list) ids.push(id);
    expect(ids).toEqual(service.sessions.map(({ id }) => id).reverse());
    expect(service.count('GET /api/v2/me/sessions?limit=2')).toBe(1);
  });

  test('toArray stops at its limit without fetching further', async () => {
    const client = await withFiveDevices();
    expect(await client.me.sessions({ limit: 2 }).toArray({ limit: 3 })).toHaveLength(3);
    expect(await client.me.sessions({ limit: 2 }).toArray({ limit: 2 })).toHaveLength(2);
    expect(await client.me.sessions({ limit: 2 }).toArray({ limit: 0 })).toEqual([]);
    const next = service.requests.filter(({ route }) => route.includes('&cursor='));
    expect(next).toHaveLength(1);
  });
});

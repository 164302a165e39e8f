// Sign-in, profile and sessions of a user.
import { describe, expect, test } from 'vitest';
import { ada, codeOf, newClient, signedInClient, useScriptedService } from './harness.js';

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
  for (const call of [me.get(), auth.getAccessToken(), me.sessions(), client.fetch(service.origin)]) {
    expect(await codeOf(call)).toBe('client/signed-out');
  }
  expect(service.requests).toEqual([]);
});

describe('the list of sessions', () => {
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

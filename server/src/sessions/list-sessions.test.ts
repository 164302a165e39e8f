// Account → Devices: GET /me/sessions.
import type { Session } from '@foyer/contract';
import { expect, test } from 'vitest';
import { claimsOf, testService } from '../../test/harness.js';
import { sessionScenario } from '../../test/session-scenario.js';
import { shared } from '../../test/shared.js';
import { dayMilliseconds, timestamp } from '../lib/timestamp.js';

type Page = { items: Session[]; next_cursor: string | null };

const service = shared(() => testService({ config: { trustProxy: 1 } }));

const { spend } = sessionScenario(() => service);

async function list(token: string, query = ''): Promise<Page> {
  const answer = await service.call<Page>('GET', `/me/sessions${query}`, { token });
  expect(answer.status).toBe(200);
  return answer.data;
}

/** A user with this many sessions, a second apart, newest last. */
async function userWithSessions(count: number) {
  const user = await service.signUp();
  const all = [user.tokens];
  while (all.length < count) {
    service.clock.advance(1_000);
    all.push((await service.signIn(user)).data);
  }
  return { user, sessions: all.map((tokens) => ({ ...tokens, id: sidOf(tokens) })) };
}

const sidOf = (tokens: { access_token: string }): string => claimsOf(tokens.access_token).sid;
const idsOf = (page: Page) => page.items.map((item) => item.id);

test('a session shows its device, method, IP address and times, and whether it is the current one', async () => {
  const user = await service.signUp();
  const signedUpAt = service.clock.now();
  service.clock.advance(5_000);
  const headers = {
    'user-agent': 'Mozilla/5.0 (Android 15; Mobile; rv:131.0) Gecko/131.0 Firefox/131.0',
    'x-client-device': "Ada's phone",
    'x-client-version': '4.2.0',
    'x-forwarded-for': '203.0.113.7',
  };
  const phone = (await service.signIn(user, { headers })).data;
  const signedInAt = service.clock.now();
  const expiry = (since: Date) => timestamp(new Date(since.getTime() + 90 * dayMilliseconds));
  expect(await list(phone.access_token)).toEqual({
    items: [
      {
        id: sidOf(phone),
        current: true,
        method: 'password',
        device: {
          name: "Ada's phone",
          type: 'mobile',
          os: 'Android 15',
          browser: 'Firefox 131',
          app_version: '4.2.0',
        },
        ip_address: '203.0.113.7',
        created_at: timestamp(signedInAt),
        last_used_at: timestamp(signedInAt),
        expires_at: expiry(signedInAt),
      },
      {
        id: sidOf(user.tokens),
        current: false,
        method: 'password',
        device: { name: null, type: 'unknown', os: null, browser: null, app_version: null },
        ip_address: '127.0.0.1',
        created_at: timestamp(signedUpAt),
        last_used_at: timestamp(signedUpAt),
        expires_at: expiry(signedUpAt),
      },
    ],
    next_cursor: null,
  });
  const asSeenFromTheOther = await list(user.tokens.access_token);
  expect(asSeenFromTheOther.items.map((item) => item.current)).toEqual([false, true]);
});

test('the most recently used session comes first, and a refresh counts as use', async () => {
  const { sessions } = await userWithSessions(3);
  const [first, second, third] = sessions.map((session) => session.id);
  const token = sessions[2]?.access_token as string;
  expect(idsOf(await list(token))).toEqual([third, second, first]);
  service.clock.advance(1_000);
  const tokens = sessions[0] as { refresh_token: string };
  await spend(tokens.refresh_token);
  const page = await list(token);
  expect(idsOf(page)).toEqual([first, third, second]);
  expect(page.items[0]).toMatchObject({ last_used_at: timestamp(service.clock.now()) });
  expect(page.items[0]?.created_at).not.toBe(page.items[0]?.last_used_at);
  // A repeat does not count as use.
  service.clock.advance(1_000);
  await spend(tokens.refresh_token);
  expect((await list(token)).items[0]).toEqual(page.items[0]);
});

test('pages of any size combine to the whole list, including ties', async () => {
  const { user, sessions } = await userWithSessions(4);
  // Three more in the same millisecond.
  for (let ties = 0; ties < 3; ties += 1) await service.signIn(user);
  const token = sessions[0]?.access_token as string;
  const whole = await list(token);
  expect(whole.items).toHaveLength(7);
  expect(new Set(whole.items.slice(0, 3).map((item) => item.last_used_at)).size).toBe(1);

  for (const limit of [1, 2, 3, 7, 8, 100]) {
    const collected: string[] = [];
    let cursor: string | null = null;
    do {
      const page: Page = await list(token, `?limit=${limit}${cursor ? `&cursor=${cursor}` : ''}`);
      expect(page.items.length).toBeLessThanOrEqual(limit);
      collected.push(...idsOf(page));
      cursor = page.next_cursor;
    } while (cursor !== null);
    expect(collected).toEqual(idsOf(whole));
  }
});

test('a page has 25 items by default', async () => {
  const { sessions } = await userWithSessions(26);
  const token = sessions[25]?.access_token as string;
  const page = await list(token);
  expect(page.items).toHaveLength(25);
  expect(idsOf(await list(token, `?cursor=${page.next_cursor}`))).toEqual([sessions[0]?.id]);
});

test('sessions that end between two pages are not listed and hide no other', async () => {
  const { sessions } = await userWithSessions(6);
  const ids = sessions.map((session) => session.id);
  const token = sessions[0]?.access_token as string;
  const page = await list(token, '?limit=3');
  expect(idsOf(page)).toEqual([ids[5], ids[4], ids[3]]);
  // The cursor's own session, one already listed, and one still to come.
  for (const id of [ids[3], ids[5], ids[1]]) {
    expect((await service.call('DELETE', `/me/sessions/${id}`, { token })).status).toBe(204);
  }
  expect(idsOf(await list(token, `?limit=3&cursor=${page.next_cursor}`))).toEqual([ids[2], ids[0]]);
  expect(idsOf(await list(token))).toEqual([ids[4], ids[2], ids[0]]);
});

test("a user sees no session of another user, also with that user's cursor", async () => {
  const { sessions } = await userWithSessions(3);
  const { next_cursor } = await list(sessions[0]?.access_token as string, '?limit=1');
  const stranger = await service.signUp();
  expect(idsOf(await list(stranger.tokens.access_token))).toEqual([sidOf(stranger.tokens)]);
  const theirs = await list(stranger.tokens.access_token, `?cursor=${next_cursor}`);
  for (const id of idsOf(theirs)) expect(id).toBe(sidOf(stranger.tokens));
});

test('ended and expired sessions are not listed', async () => {
  const { user, sessions } = await userWithSessions(3);
  await service.call('POST', '/auth/sign-out', { token: sessions[1]?.access_token });
  expect(idsOf(await list(sessions[0]?.access_token as string))).toEqual([sessions[2]?.id, sessions[0]?.id]);
  service.clock.advance(90 * dayMilliseconds);
  const fresh = (await service.signIn(user)).data;
  expect(idsOf(await list(fresh.access_token))).toEqual([sidOf(fresh)]);
});

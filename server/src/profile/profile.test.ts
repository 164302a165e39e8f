// GET and PATCH /me.
import { PhotoUrlInput, type User } from '@foyer/contract';
import { describe, expect, test } from 'vitest';
import { oneAfterAnother, testOnServer } from '../../test/blocked.js';
import { statementLog, type TestUser, testService } from '../../test/harness.js';
import { expectRefusal } from '../../test/refusal.js';
import { invalid, sessionScenario } from '../../test/session-scenario.js';
import { shared } from '../../test/shared.js';
import { inFull } from '../../test/thorough.js';

const statements = statementLog();
const service = shared(() => testService({ onStatement: statements.onStatement }));

const { eventsOf, me } = sessionScenario(() => service);

function patch(user: TestUser, body: unknown) {
  return service.call<User>('PATCH', '/me', { body, token: user.tokens.access_token });
}

test('GET /me returns the user of the token answer, with one statement', async () => {
  const user = await service.signUp();
  const sent = await statements.during(async () => {
    const answer = await me(user.tokens.access_token);
    expect(answer).toMatchObject({ status: 200, data: user.tokens.user });
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });
  expect(sent).toHaveLength(1);
});

describe('a profile update', () => {
  test('sets given fields, leaves absent ones, and clears null ones', async () => {
    const user = await service.signUp();
    const all = { first_name: 'Ada', last_name: 'Lovelace', photo_url: 'https://images.example.com/a.jpg' };
    expect(await patch(user, all)).toMatchObject({ status: 200, data: { ...user.tokens.user, ...all } });
    expect((await patch(user, { last_name: 'King' })).data).toMatchObject({ ...all, last_name: 'King' });
    expect((await patch(user, { photo_url: null })).data).toEqual({
      ...user.tokens.user,
      first_name: 'Ada',
      last_name: 'King',
    });
    expect((await patch(user, { first_name: null, last_name: '  ' })).data).toEqual(user.tokens.user);
    expect((await me(user.tokens.access_token)).data).toEqual(user.tokens.user);
  });

  test('appears in the next token answer', async () => {
    const user = await service.signUp();
    await patch(user, { first_name: 'Ada' });
    expect((await service.refresh(user.tokens.refresh_token)).data.user.first_name).toBe('Ada');
    expect((await service.signIn(user)).data.user.first_name).toBe('Ada');
  });

  test('writes one event with the updated user, and none if it is refused', async () => {
    const user = await service.signUp();
    await patch(user, { first_name: 'x'.repeat(101) });
    expect(await eventsOf(user.uid, 'user.updated')).toEqual([]);
    service.clock.advance(1_000);
    await patch(user, { first_name: 'Ada' });
    expect(await eventsOf(user.uid, 'user.updated')).toMatchObject([
      { createdAt: service.clock.now(), data: { user: { ...user.tokens.user, first_name: 'Ada' } } },
    ]);
  });

  test('that changes no value writes nothing', async () => {
    const user = await service.signUp();
    const all = { first_name: 'Ada', last_name: null, photo_url: 'https://images.example.com/a.jpg' };
    await patch(user, all);
    const { updatedAt } = await service.database.prisma.user.findFirstOrThrow({ where: { id: user.uid } });
    service.clock.advance(1_000);
    for (const body of [all, { last_name: null }, {}, { unknown: true }]) {
      expect(await patch(user, body)).toMatchObject({ status: 200, data: { ...user.tokens.user, ...all } });
    }
    expect(await eventsOf(user.uid, 'user.updated')).toHaveLength(1);
    const row = await service.database.prisma.user.findFirstOrThrow({ where: { id: user.uid } });
    expect(row.updatedAt).toEqual(updatedAt);
    expect(await patch(user, { last_name: 'King' })).toMatchObject({ data: { ...all, last_name: 'King' } });
    expect(await eventsOf(user.uid, 'user.updated')).toHaveLength(2);
  });

  test('of one user does not affect another', async () => {
    const one = await service.signUp();
    const two = await service.signUp();
    await patch(one, { first_name: 'Ada' });
    expect((await me(two.tokens.access_token)).data).toEqual(two.tokens.user);
  });

  testOnServer('that waits while its session ends is refused and changes nothing', async () => {
    const user = await service.signUp();
    const [ended, patched] = await oneAfterAnother(service.database, user.uid, [
      () => service.call('POST', '/auth/sign-out-all', { token: user.tokens.access_token }),
      () => patch(user, { first_name: 'Ada' }),
    ]);
    expect(ended.status).toBe(204);
    expect(patched).toMatchObject(invalid);
    expect((await service.signIn(user)).data.user.first_name).toBeNull();
  });

  test('concurrent with another loses neither', async () => {
    const user = await service.signUp();
    for (let round = 0; round < inFull(10, 2); round += 1) {
      const names = { first_name: `Ada ${round}`, last_name: `King ${round}` };
      await Promise.all(Object.entries(names).map(([field, value]) => patch(user, { [field]: value })));
      expect((await me(user.tokens.access_token)).data).toMatchObject(names);
    }
  });
});

test.each([
  ['https://images.example.com/ada.jpg', true],
  ['HTTPS://images.example.com/ada.jpg?size=200#face', true],
  ['https://exämple.com/ä.jpg', true],
  [`https://images.example.com/${'x'.repeat(2_048 - 27)}`, true],
  [`https://images.example.com/${'x'.repeat(2_049 - 27)}`, false],
  ['ada.jpg', false],
  ['//images.example.com/ada.jpg', false],
  ['http://images.example.com/ada.jpg', false],
  ['javascript:alert(1)', false],
  ['data:image/png;base64,AAAA', false],
  ['https://', false],
  ['https:///ada.jpg', false],
  ['https://images .example.com/ada.jpg', false],
])('%j may be a photo_url, which is stored unchanged: %s', (url, valid) => {
  const { success, data } = PhotoUrlInput.safeParse(url);
  expect([success, data]).toEqual([valid, valid ? url : undefined]);
});

test.each([
  ['', null],
  [' \n', null],
  [' https://images.example.com/ada.jpg\n', 'https://images.example.com/ada.jpg'],
])('the photo_url %j, as forms and clipboards have it, is stored as %j', async (given, stored) => {
  const user = await service.signUp();
  await patch(user, { photo_url: 'https://images.example.com/old.jpg' });
  expect((await patch(user, { photo_url: given })).data?.photo_url).toBe(stored);
});

test('an invalid photo_url is refused with its field', async () => {
  const user = await service.signUp();
  const answer = await patch(user, { photo_url: 'javascript:alert(1)' });
  expectRefusal(answer, 'request/validation-failed', { photo_url: [expect.any(String)] });
  expect((await me(user.tokens.access_token)).data).toEqual(user.tokens.user);
});

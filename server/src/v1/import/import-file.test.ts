// Import of v1 users: none loses an account, a password, points or a member id.
import { describe, expect, test } from 'vitest';
import { codeScenario } from '../../../test/code-scenario.js';
import { claimsOf, testService } from '../../../test/harness.js';
import { shared } from '../../../test/shared.js';
import {
  exportedUser,
  linesOf,
  phpHashes,
  tokenLine,
  v1Password,
  v1TokenOf,
} from '../../../test/v1-export.js';
import { noPause, v1ImportScenario } from '../../../test/v1-import-scenario.js';
import { v1Invalid, v1Scenario } from '../../../test/v1-scenario.js';
import { importFile } from './import-file.js';

const service = shared(() => testService());

const v1 = v1Scenario(() => service);
const scenario = codeScenario(() => service);

const { importText, importUsers, nextUser, skipTo } = v1ImportScenario(() => service);

const signIn = (email: string, password = v1Password) => service.signIn({ email, password });

describe('an imported user', () => {
  test.each(['v2', 'v1'])(
    'signs in to %s with the v1 password, which is then rehashed with argon2id',
    async (version) => {
      const user = nextUser();
      await importUsers([user]);
      const enter = () =>
        version === 'v2' ? signIn(user.email) : v1.logIn({ email: user.email, password: v1Password });
      expect((await v1.rowOf(user.email)).passwordHash).toMatch(/^\$2y\$04\$/);
      await enter();
      const { passwordHash } = await v1.rowOf(user.email);
      expect(passwordHash).toMatch(/^\$argon2id\$/);
      await enter();
      expect((await v1.rowOf(user.email)).passwordHash).toBe(passwordHash);
      expect((await signIn(user.email)).status).toBe(200);
      expect((await signIn(user.email, 'another password')).code).toBe('auth/invalid-credential');
    },
  );

  test('cannot sign in with a wrong password, which does not change the hash', async () => {
    const user = nextUser();
    await importUsers([user]);
    expect((await signIn(user.email, `${v1Password}.`)).code).toBe('auth/invalid-credential');
    expect((await v1.rowOf(user.email)).passwordHash).toBe(user.password_hash);
  });

  test.each(Object.entries(phpHashes))(
    'signs in with %j exactly as typed in v1',
    async (password, password_hash) => {
      const user = nextUser({ password_hash });
      await importUsers([user]);
      const composed = password.normalize('NFC');
      if (composed !== password) expect((await signIn(user.email, composed)).status).toBe(401);
      expect((await signIn(user.email, password)).status).toBe(200);
      // After rehashing, v2's rules apply: the whole password, in any normal form.
      expect((await signIn(user.email, composed)).status).toBe(200);
    },
  );

  test('can reauthenticate with the v1 password, and change it', async () => {
    const user = nextUser();
    await importUsers([user]);
    const { data } = await v1.exchange(v1TokenOf(user.id));
    const token = (data as { access_token: string }).access_token;
    expect((await scenario.reauthenticate(token, { password: 'wrong' })).status).toBe(401);
    expect((await scenario.reauthenticate(token, { password: v1Password })).status).toBe(200);
    service.clock.advance(10 * 60_000);
    const change = (current_password: string) =>
      service.call('PUT', '/me/password', { token, body: { password: 'a new password', current_password } });
    expect((await change('wrong')).status).toBe(401);
    expect((await change(v1Password)).status).toBe(204);
    expect((await signIn(user.email, 'a new password')).status).toBe(200);
    expect(await v1.rowOf(user.email)).toMatchObject({ passwordFromV1: false });
  });

  test('is unchanged in v1: id, member id, points, names and creation time', async () => {
    const user = nextUser({ photo_url: 'https://example.com/ada.png' });
    await importUsers([user]);
    const shown = await v1.me(v1TokenOf(user.id));
    expect(shown.json.data.user).toMatchObject({
      id: user.id,
      email: user.email,
      first_name: 'Ada',
      last_name: 'Lovelace',
      photo_url: 'https://example.com/ada.png',
      email_verified: true,
      member_id: user.member_id,
      points: 850,
      created_at: '2024-05-06T07:08:09.000000Z',
    });
  });

  test('exchanges its v1 token once, with the sign-in time of v1', async () => {
    const user = nextUser();
    await importUsers([user]);
    const answer = await v1.exchange(v1TokenOf(user.id));
    expect(answer.status).toBe(200);
    const { access_token, user: shown } = answer.json.data;
    expect(claimsOf(access_token).auth_time).toBe(Date.parse('2026-01-10T08:00:00Z') / 1_000);
    expect(shown).toMatchObject({ email: user.email, created_at: '2024-05-06T07:08:09.000000Z' });
    expect(await v1.exchange(v1TokenOf(user.id))).toMatchObject({ status: 401, code: 'auth/invalid-token' });
    expect(await v1.me(v1TokenOf(user.id))).toMatchObject(v1Invalid);
  });

  test('has the member id of any characters, points and history in v2, starting with an entry for the points missing in the history', async () => {
    const user = nextUser({ member_id: 'Nº 12/34 🔑' });
    await importUsers([user]);
    const token = (await signIn(user.email)).data.access_token;
    const status = await service.call('GET', '/me/loyalty', { token });
    expect(status.data).toMatchObject({ member_id: 'Nº 12/34 🔑', points: 850 });
    const history = await service.call('GET', '/me/loyalty/history', { token });
    expect(history.json.data.items).toMatchObject([
      { points: -150, description: 'Coffee voucher', created_at: '2025-06-01T09:30:00.000000Z' },
      { points: 700, description: 'Dinner', created_at: '2025-03-04T18:00:00.000000Z' },
      { points: 300, description: 'Balance brought over from v1', created_at: '2024-05-06T07:08:09.000000Z' },
    ]);
  });

  test('whose history begins before the account has the entry for the missing points before all others', async () => {
    const [first, created] = ['2024-01-02T03:04:05Z', '2024-05-06T07:08:09Z'];
    const history = [{ points: 700, description: 'Dinner', created_at: first }];
    const user = nextUser({ points: 1_000, history, created_at: created });
    await importUsers([user]);
    const token = (await signIn(user.email)).data.access_token;
    const listed = await service.call<{ items: object[] }>('GET', '/me/loyalty/history', { token });
    const created_at = '2024-01-02T03:04:05.000000Z';
    expect(listed.data.items).toMatchObject([
      { points: 700, description: 'Dinner', created_at },
      { points: 300, description: 'Balance brought over from v1', created_at },
    ]);
  });

  test('with an unverified email retains the password when an emailed code proves the email', async () => {
    const user = nextUser({ email_verified: false });
    await importUsers([user]);
    await scenario.signInByCode(user.email);
    expect((await v1.rowOf(user.email)).emailVerified).toBe(true);
    expect((await signIn(user.email)).status).toBe(200);
    expect(await scenario.mailed(user.email, 'unproven_removed')).toHaveLength(0);
    // Everything else is removed, as for every account.
    expect(await v1.exchange(v1TokenOf(user.id))).toMatchObject({ status: 401 });
  });

  test('without a password signs in by code', async () => {
    const user = nextUser({ password_hash: null });
    await importUsers([user]);
    expect((await signIn(user.email)).status).toBe(401);
    expect(await scenario.signInByCode(user.email)).toMatchObject({ user: { email: user.email } });
  });

  test('writes no event; each run writes one audit entry', async () => {
    const count = () => service.database.prisma.event.count();
    const [before, entries] = [await count(), service.database.prisma.auditLog];
    const where = { action: 'users.imported_from_v1' };
    const runs = await entries.count({ where });
    await importUsers([nextUser(), nextUser()]);
    expect([await count(), await entries.count({ where })]).toEqual([before, runs + 1]);
    const [entry] = await entries.findMany({ where, orderBy: { id: 'desc' }, take: 1 });
    expect(entry).toMatchObject({ actor: 'command_line', details: { lines: 2 } });
  });
});

test('tokens unused for 90 days are not imported, to the millisecond', async () => {
  const now = service.clock.now();
  const idle = (milliseconds: number) =>
    new Date(now.getTime() - 90 * 86_400_000 + milliseconds).toISOString();
  const dead = nextUser();
  const alive = nextUser();
  dead.tokens = [tokenLine(dead.id, { created_at: '2025-01-01T00:00:00Z', last_used_at: idle(0) })];
  alive.tokens = [tokenLine(alive.id, { created_at: '2025-01-01T00:00:00Z', last_used_at: idle(1) })];
  expect(await importUsers([dead, alive])).toMatchObject({ made: 2, refused: 0 });
  expect((await v1.me(v1TokenOf(dead.id))).status).toBe(401);
  expect((await v1.me(v1TokenOf(alive.id))).status).toBe(200);
});

test('uids sort by creation time in v1, and by id within a second', async () => {
  const days = ['2024-01-02', '2024-01-01', '2024-01-01', '2023-01-01'];
  const users = days.map((day) => nextUser({ created_at: `${day}T00:00:00Z`, history: [], tokens: [] }));
  await importUsers(users.toReversed());
  const rows = await service.database.prisma.user.findMany({
    where: { email: { in: users.map(({ email }) => email) } },
    orderBy: { id: 'asc' },
  });
  const [a, b, c, d] = users.map(({ id }) => id);
  expect(rows.map(({ v1Id }) => v1Id)).toEqual([d, b, c, a]);
});

test('the balance equals the sum of the ledger for any history', async () => {
  const at = '2025-01-01T00:00:00Z';
  const entry = (points: number) => ({ points, description: 'x', created_at: at });
  const users = [
    nextUser({ points: 0, history: [] }),
    nextUser({ points: 5, history: [] }),
    nextUser({ points: 0, history: [entry(10)] }),
    nextUser({ points: 10, history: [entry(30), entry(-20), entry(0)] }),
  ];
  await importUsers(users);
  for (const { email, points } of users) {
    const { id } = await v1.rowOf(email);
    const { _sum } = await service.database.prisma.loyaltyEntry.aggregate({
      where: { uid: id },
      _sum: { points: true },
    });
    expect([email, _sum.points ?? 0]).toEqual([email, points]);
  }
});

test('new numeric ids start above the highest id in the file, refused lines included', async () => {
  const other = await service.newApp();
  const highest = { ...exportedUser(5_000), email: 'no address' };
  const { nextV1Id, refusals } = await importUsers([exportedUser(4_000), highest], other.app);
  expect(nextV1Id).toBe(5_001);
  expect(refusals).toEqual([{ line: 2, id: 5_000, reason: 'email must be an email address' }]);
  const { user } = await v1.register({}, { appKey: other.app.appKey });
  expect(user.id).toBe(5_001);
  // Lower ids change nothing.
  expect((await importUsers([exportedUser(4_001)], other.app)).nextV1Id).toBe(5_002);
});

test('a second run creates no duplicates and overwrites nothing', async () => {
  const users = [nextUser(), nextUser(), nextUser()];
  expect(await importUsers(users)).toMatchObject({ lines: 3, made: 3, there: 0, refused: 0 });
  const [first, second, third] = users as [(typeof users)[0], (typeof users)[0], (typeof users)[0]];
  await signIn(first.email);
  const before = await v1.rowOf(first.email);
  const changed = { ...second, points: 9_999 };
  const added = nextUser();
  expect(await importUsers([first, changed, third, added])).toMatchObject({
    made: 1,
    there: 2,
    refusals: [
      { line: 2, id: second.id, reason: 'the id was imported before, from a line that says something else' },
    ],
  });
  expect(await v1.rowOf(first.email)).toEqual(before);
  expect(await v1.rowOf(second.email)).toMatchObject({ points: 850 });
});

test('a second run does not recreate a deleted account', async () => {
  const user = nextUser();
  await importUsers([user]);
  const token = (await signIn(user.email)).data.access_token;
  expect((await service.call('DELETE', '/me', { token })).status).toBe(204);
  expect(await importUsers([user])).toMatchObject({ made: 0, there: 1, refused: 0 });
  expect((await signIn(user.email)).status).toBe(401);
});

test('an email, member id, numeric id or token of another account is refused, also within the file', async () => {
  const member = await service.signUp();
  const { memberId } = await v1.rowOf(member.email);
  const base = nextUser();
  const shared = (given: object) => ({ ...nextUser(), ...given });
  const { made, refusals } = await importUsers([
    base,
    shared({ email: member.email.toUpperCase() }),
    shared({ member_id: memberId }),
    shared({ email: base.email }),
    shared({ member_id: base.member_id }),
    shared({ tokens: base.tokens }),
    shared({ id: base.id }),
    base,
  ]);
  expect(made).toBe(1);
  expect(refusals.map(({ line, reason }) => [line, reason])).toEqual([
    [2, 'the email belongs to another account'],
    [3, 'the member id belongs to another account'],
    [4, 'the email belongs to another account'],
    [5, 'the member id belongs to another account'],
    [6, 'a token belongs to another account'],
    [7, 'the id was imported before, from a line that says something else'],
  ]);
  const { user } = await v1.register();
  skipTo(user.id);
  const given = await importUsers([{ ...exportedUser(user.id), email: 'taken-id@example.com' }]);
  expect(given.refusals).toMatchObject([{ id: user.id, reason: 'the id belongs to another account' }]);
});

test('a user imported with changed values has a note, in a second run too; a refused user has none', async () => {
  const user = nextUser({ photo_url: 'http://example.com/a.png', last_name: 'x'.repeat(101) });
  const nobody = nextUser({ photo_url: 'http://example.com/b.png', email: user.email });
  const note = 'last_name is cut to 100 characters; photo_url is left out: it must be an https URL';
  const notes = [{ line: 1, id: user.id, note }];
  expect(await importUsers([user, nobody])).toMatchObject({ made: 1, refused: 1, noted: 1, notes });
  expect(await importUsers([user])).toMatchObject({ made: 0, there: 1, refused: 0, noted: 1, notes });
  expect(await v1.rowOf(user.email)).toMatchObject({
    photoUrl: null,
    lastName: 'x'.repeat(100),
    points: 850,
  });
});

test('the same file can be imported into two apps independently', async () => {
  const other = await service.newApp();
  const user = nextUser();
  expect((await importUsers([user])).made).toBe(1);
  expect((await importUsers([user], other.app)).made).toBe(1);
  expect(await service.database.prisma.user.count({ where: { email: user.email } })).toBe(2);
});

test('blank lines are skipped, and line numbers are those of the file', async () => {
  const user = nextUser();
  const text = `\uFEFF\r\n\n${JSON.stringify(user)}\r\n   \nnot JSON\n${'x'.repeat(4 * 1024 * 1024 + 1)}\n`;
  const { lines, made, refusals } = await importText(text);
  expect([lines, made]).toEqual([3, 1]);
  expect(refusals).toEqual([
    { line: 5, id: null, reason: 'is not JSON' },
    { line: 6, id: null, reason: 'is longer than 4194304 bytes' },
  ]);
});

test('progress ends at exactly the length of the file, for any last line, and never exceeds it', async () => {
  const users = linesOf([nextUser(), nextUser(), nextUser()]);
  for (const text of [users, `${users}\n  \n`, users.trimEnd(), `\uFEFF${users}not JSON`, '']) {
    const bytes = Buffer.byteLength(text);
    const ends: number[] = [];
    await importText(text, service.app.app, (pass, end) => {
      if (pass === 'users') ends.push(end);
    });
    expect(ends.at(-1)).toBe(bytes);
    expect(ends).toEqual(ends.toSorted((a, b) => a - b));
  }
});

test('the import holds at most one batch in memory, for any file size', async () => {
  const { email } = await service.signUp();
  const entry = { points: 1, description: 'x'.repeat(255), created_at: '2025-03-04T18:00:00Z' };
  const history = Array.from({ length: 25 }, () => entry);
  // Valid long lines that are not stored, since their email is taken.
  const line = () => Buffer.from(linesOf([nextUser({ email, history, points: 25 })]));
  const lines = Array.from({ length: 400 }, line);
  let read = 0;
  let dealtWith = 0;
  let held = 0;
  async function* pieces() {
    read = 0;
    for (const each of lines) {
      read += each.length;
      yield each;
    }
  }
  const { refused } = await importFile(
    { ...service.deps, ...noPause },
    service.app.app,
    { open: pieces },
    {
      refused: () => {},
      noted: () => {},
      progress(pass, end) {
        if (pass === 'ids') return;
        held = Math.max(held, read - dealtWith);
        dealtWith = end;
      },
    },
  );
  expect(refused).toBe(400);
  expect(read).toBeGreaterThan(2.5 * 1024 * 1024);
  expect(held).toBeLessThan(0.3 * 1024 * 1024);
});

test('two concurrent imports of one file create every user once', async () => {
  const users = Array.from({ length: 600 }, () => nextUser({ history: [], tokens: [], points: 0 }));
  const [one, two] = await Promise.all([importUsers(users), importUsers(users)]);
  expect(one.made + two.made).toBe(600);
  expect([one.refused, two.refused]).toEqual([0, 0]);
  expect(one.there + two.there).toBe(600);
});

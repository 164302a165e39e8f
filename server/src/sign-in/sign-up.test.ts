// Sign-up: accounts, refusals, and what is written.
import type { TokenAnswer } from '@foyer/contract';
import { describe, expect, test } from 'vitest';
import { type Answer, claimsOf, testService } from '../../test/harness.js';
import { sessionScenario } from '../../test/session-scenario.js';
import { shared } from '../../test/shared.js';
import { inFull } from '../../test/thorough.js';
import { systemRandom } from '../lib/crypto/random.js';

const service = shared(() => testService());

const { eventsOf } = sessionScenario(() => service);
const password = 'correct horse battery staple';
const taken = { status: 409, code: 'auth/email-already-in-use' };
const weak = { status: 422, code: 'auth/weak-password' };
let count = 0;
const newEmail = () => `user-${++count}@example.com`;

function signUp(body: Record<string, unknown>, appKey?: string): Promise<Answer<TokenAnswer>> {
  return service.call('POST', '/auth/sign-up', { body, ...(appKey !== undefined && { appKey }) });
}

function totals() {
  const { user, session, event } = service.database.prisma;
  return Promise.all([user.count(), session.count(), event.count()]);
}

async function refused(body: Record<string, unknown>, answer: Record<string, unknown>, field: string) {
  const before = await totals();
  const refusal = await signUp(body);
  expect(refusal, JSON.stringify(body)).toMatchObject(answer);
  expect(Object.keys(refusal.json.error.fields)).toEqual([field]);
  expect(await totals()).toEqual(before);
}

describe('a new account', () => {
  test('is signed in at once, unverified, and has two events', async () => {
    const email = newEmail();
    const answer = await signUp({ email, password, first_name: 'Ada', last_name: 'Lovelace' });
    expect(answer).toMatchObject({ status: 201 });
    const { user, access_token } = answer.data;
    expect(user).toEqual({
      uid: expect.stringMatching(/^[0-9A-HJKMNP-TV-Z]{26}$/),
      email,
      email_verified: false,
      first_name: 'Ada',
      last_name: 'Lovelace',
      photo_url: null,
      created_at: '2026-03-01T10:00:00.123000Z',
    });
    const row = await service.database.prisma.user.findFirstOrThrow({ where: { id: user.uid } });
    const shown = { ...user, member_id: row.memberId, claims: {} };
    const session = { id: claimsOf(access_token).sid, method: 'password' };
    expect((await eventsOf(user.uid)).map(({ type, data }) => ({ type, data }))).toEqual(
      expect.arrayContaining([
        { type: 'user.created', data: { user: shown } },
        { type: 'session.created', data: { user: shown, session } },
      ]),
    );
    expect(await eventsOf(user.uid)).toHaveLength(2);
  });

  test('stores only the hash of its password', async () => {
    const { data } = await signUp({ email: newEmail(), password });
    const row = await service.database.prisma.user.findFirstOrThrow({ where: { id: data.user.uid } });
    expect(row.passwordHash).toMatch(/^\$argon2id\$/);
    expect(JSON.stringify(row)).not.toContain(password);
    expect(JSON.stringify(await eventsOf(data.user.uid))).not.toMatch(/argon2|rt_|eyJ/);
  });

  test('needs no password confirmation, and ignores one', async () => {
    expect((await signUp({ email: newEmail(), password, password_confirmation: 'other' })).status).toBe(201);
  });

  test('has a member id of ten digits, unique in its app', async () => {
    await Promise.all(Array.from({ length: 30 }, () => signUp({ email: newEmail(), password })));
    const rows = await service.database.prisma.user.findMany({ where: { appId: service.app.app.id } });
    const ids = rows.map((row) => row.memberId);
    for (const id of ids) expect(id).toMatch(/^[1-9]\d{9}$/);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('retries a taken member id, and fails rather than share one', async () => {
    const system = systemRandom();
    let draws = ['000000000001', '000000000001', '000000000001', '000000000002'];
    const random = {
      ...system,
      bytes: (bytes: number) =>
        bytes === 6 ? Buffer.from(draws.shift() ?? '000000000001', 'hex') : system.bytes(bytes),
    };
    const unlucky = await service.secondInstance({ overrides: { random } });
    const first = await unlucky.signUp();
    const second = await unlucky.signUp();
    const rows = await service.database.prisma.user.findMany({
      where: { id: { in: [first.uid, second.uid] } },
      orderBy: { id: 'asc' },
    });
    expect(rows.map((row) => row.memberId)).toEqual(['1000000001', '1000000002']);
    draws = [];
    const before = await totals();
    const answer = await unlucky.call('POST', '/auth/sign-up', { body: { email: newEmail(), password } });
    expect(answer).toMatchObject({ status: 500, code: 'request/internal-error' });
    expect(await totals()).toEqual(before);
    await unlucky.stop();
  });
});

describe('an email', () => {
  test('that has an account is refused before hashing, and nothing is written', async () => {
    const user = await service.signUp();
    const before = await totals();
    const hashes = service.deps.passwordHasher.done;
    const answer = await signUp({ email: user.email, password });
    expect(answer).toMatchObject({ ...taken, json: { error: { fields: { email: ['is already in use'] } } } });
    expect(service.deps.passwordHasher.done).toBe(hashes);
    expect(await totals()).toEqual(before);
    expect((await service.signIn(user)).status).toBe(200);
  });

  test('in 20 concurrent calls creates one account, one session and two events', async () => {
    for (let round = 0; round < inFull(5, 1); round += 1) {
      const [users, sessions, events] = await totals();
      const email = newEmail();
      const body = (place: number) => ({ email: place % 2 ? email : email.toUpperCase(), password });
      const answers = await Promise.all(Array.from({ length: 20 }, (_, place) => signUp(body(place))));
      const statuses = answers.map((answer) => answer.status).sort();
      expect(statuses).toEqual([201, ...Array(19).fill(409)]);
      expect(await totals()).toEqual([(users ?? 0) + 1, (sessions ?? 0) + 1, (events ?? 0) + 2]);
    }
  });

  test('may have an account in each app', async () => {
    const other = await service.newApp();
    const email = newEmail();
    const one = await signUp({ email, password });
    const two = await signUp({ email, password }, other.app.appKey);
    expect([one.status, two.status]).toEqual([201, 201]);
    expect(one.data.user.uid).not.toBe(two.data.user.uid);
  });

  test.each([
    ['  ada1@Example.COM ', 'ada1@example.com'],
    ['ADA2@EXAMPLE.COM', 'ada2@example.com'],
    ['\tada3@example.com\n', 'ada3@example.com'],
    ["o'brien+tag.x_y-z@sub.example.co.uk", "o'brien+tag.x_y-z@sub.example.co.uk"],
    ['a@b.co', 'a@b.co'],
    [`${'l'.repeat(64)}@example.com`, `${'l'.repeat(64)}@example.com`],
    [`a@${longHost(252)}`, `a@${longHost(252)}`],
  ])('%j is stored as %j, and is then in use in every spelling', async (given, kept) => {
    const answer = await signUp({ email: given, password });
    expect([answer.status, answer.data.user.email]).toEqual([201, kept]);
    expect(await signUp({ email: kept.toUpperCase(), password })).toMatchObject(taken);
    expect((await service.signIn({ email: ` ${given.toUpperCase()}`, password })).status).toBe(200);
  });

  // one-recipient.test.ts has many more, for the schema.
  test.each([...['ada', '@example.com', 'ada@', '   ', 'ada\u0007@example.com', 'adа@example.com']])(
    '%j is refused with its field named, and nothing is written',
    async (email) => {
      await refused({ email, password }, { status: 422, code: 'request/validation-failed' }, 'email');
    },
  );
});

describe('a password', () => {
  // One of each verdict: password-rules.test.ts has the table.
  test.each([
    ['7 letters', 'weak', 'abcdefg'],
    ['8 letters', 'fine', 'abcdefgh'],
    ['1,025 bytes', 'too long', 'x'.repeat(1_025)],
    ['1,024 bytes that are more once normalised', 'too long', `${'ﷺ'.repeat(341)}x`],
  ])('of %s is %s', async (_what, verdict, given) => {
    const email = newEmail();
    if (verdict === 'weak') return refused({ email, password: given }, weak, 'password');
    const tooLong = { status: 422, code: 'request/validation-failed' };
    if (verdict === 'too long') return refused({ email, password: given }, tooLong, 'password');
    expect((await signUp({ email, password: given })).status).toBe(201);
    expect((await service.signIn({ email, password: given })).status).toBe(200);
  });

  test('that is weak is refused before it is revealed whether the email has an account', async () => {
    const user = await service.signUp();
    const known = await signUp({ email: user.email, password: 'short' });
    const unknown = await signUp({ email: newEmail(), password: 'short' });
    expect(known.text).toBe(unknown.text);
    expect(known).toMatchObject(weak);
  });
});

describe('names', () => {
  test.each<[string, unknown, string | null]>([
    ['with spaces around', '  Ada  ', 'Ada'],
    ['of spaces alone', '   ', null],
    ['empty', '', null],
    ['null', null, null],
    ['of 100 code points', '📱'.repeat(100), '📱'.repeat(100)],
    ['of 100 code points between spaces', ` ${'é'.repeat(100)} `, 'é'.repeat(100)],
    ['with a quote and an angle', `O'Brien <b>`, `O'Brien <b>`],
    ['from right to left', 'عائشة', 'عائشة'],
  ])('%s are stored trimmed, and as null if empty', async (_what, given, kept) => {
    const answer = await signUp({ email: newEmail(), password, first_name: given, last_name: given });
    expect(answer.status).toBe(201);
    expect([answer.data.user.first_name, answer.data.user.last_name]).toEqual([kept, kept]);
  });

  test('that are absent are null', async () => {
    const answer = await signUp({ email: newEmail(), password });
    expect([answer.data.user.first_name, answer.data.user.last_name]).toEqual([null, null]);
  });

  test('of 101 code points are refused with the field named, and nothing is written', async () => {
    const body = { email: newEmail(), password };
    const long = { status: 422, code: 'request/validation-failed' };
    await refused({ ...body, first_name: 'x'.repeat(101) }, long, 'first_name');
    await refused({ ...body, last_name: '📱'.repeat(101) }, long, 'last_name');
  });
});

/** A host of this length, in labels of at most 63. */
function longHost(characters: number): string {
  return `${'h'.repeat(63)}.${'h'.repeat(63)}.${'h'.repeat(63)}.${'h'.repeat(characters - 3 * 64 - 4)}.com`;
}

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { exportedUser, tokenLine, v1PasswordHash } from '../../../test/v1-export.js';
import { noDescription } from './fit-line.js';
import { readExportLine, v1IdOf } from './v1-export.js';

const now = new Date('2026-03-01T10:00:00.123Z');
const read = (given: object) => readExportLine(JSON.stringify(exportedUser(7, given)), now);
const at = '2025-01-01T00:00:00Z';
const entry = (description: unknown, points = 1) => ({ points, description, created_at: at });
const entryAt = (created_at: string) => ({ points: 1, description: 'x', created_at });
/** The hash with a part of it replaced. */
const hash = (part: string, by: string) => ({ password_hash: v1PasswordHash.replace(part, by) });
const noKind = { length: { toString: 1, valueOf: 1 } };
const token = (given: object) => ({ tokens: [{ ...tokenLine(7), ...given }] });

test.each<[string, object]>([
  ['everything', {}],
  ['no password', { password_hash: null }],
  ['no history and no tokens', { history: [], tokens: [] }],
  ['the keys that may be absent absent', { first_name: undefined, photo_url: undefined, tokens: undefined }],
  ['the highest id', { id: 2_000_000_000 }],
  ['an email in capitals, with spaces around', { email: ' ADA@Example.com ' }],
  ['a name of 100 characters', { first_name: 'é'.repeat(100) }],
  ['a hash of cost 14', hash('$04$', '$14$')],
  ['a hash of $2b$', hash('$2y$', '$2b$')],
  ['a hash of $2a$', hash('$2y$', '$2a$')],
  ['the first time there is', { created_at: '1970-01-01T00:00:00Z', history: [], tokens: [] }],
  ['a time with its offset', { created_at: '2026-03-01T11:00:00.123+01:00' }],
  ['an entry of no points', { history: [entry('x', 0)] }],
  ['a member id of any characters', { member_id: 'Nº 12/34 (é) 🔑' }],
  ['a member id of 64 characters', { member_id: '🔑'.repeat(64) }],
  ['an empty photo', { photo_url: ' ' }],
  ['the highest balance', { points: 1_000_000_000, history: [] }],
])('a line with %s is read', (_what, given) => {
  const line = read(given);
  expect('user' in line && line.user.email).toBe(
    'email' in given ? 'ada@example.com' : exportedUser(7, {}).email,
  );
  expect('notes' in line && line.notes).toEqual([]);
});

const missingTime = 'created_at is missing, and reads the earliest time of the line or that of the import';
const futureTime = 'a time is still to come, and reads the time of the import';
const missingPart = 'a created_at in history or tokens is missing, and reads another time of the line';

const photoLeftOut = (photo_url: string, why: string): [object, object, string] => [
  { photo_url },
  { photo_url: null },
  `photo_url is left out: it ${why}`,
];

test.each<[string, object, object, ...string[]]>([
  ['a photo that is not https', ...photoLeftOut('http://example.com/a.png', 'must be an https URL')],
  [
    'a photo address that is too long',
    ...photoLeftOut(`https://example.com/${'x'.repeat(2_048)}`, 'must have at most 2048 characters'),
  ],
  ['a photo with U+0000', ...photoLeftOut('https://example.com/\u0000', 'cannot be stored')],
  [
    'a name of 101 characters',
    { last_name: '🔑'.repeat(101) },
    { last_name: '🔑'.repeat(100) },
    'last_name is cut to 100 characters',
  ],
  [
    'a name that NFC makes longer',
    { first_name: '\u0958'.repeat(60) },
    { first_name: '\u0915\u093c'.repeat(50) },
    'first_name is cut to 100 characters',
  ],
  [
    'a name with U+0000 and half a pair',
    { first_name: 'a\u0000b\ud83d' },
    { first_name: 'ab' },
    'first_name holds U+0000 or half of a surrogate pair, which is left out',
  ],
  [
    'entries of which nothing is said',
    { history: [null, '', undefined, '\u0000', 'Dinner'].map((said) => entry(said)) },
    { history: [...Array(4).fill({ description: noDescription }), { description: 'Dinner' }] },
    'a description in history is empty, and reads "Points of v1"',
    'a description in history holds U+0000 or half of a surrogate pair, which is left out',
  ],
  [
    'a description of 256 characters',
    { history: [entry('x'.repeat(256))] },
    { history: [{ description: 'x'.repeat(255) }] },
    'a description in history is cut to 255 characters',
  ],
  [
    'a token that was never used',
    token({ created_at: at, last_used_at: null }),
    { tokens: [{ created_at: new Date(at), last_used_at: new Date(at) }] },
  ],
  [
    'a token of which no use is named',
    token({ created_at: at, last_used_at: undefined }),
    { tokens: [{ last_used_at: new Date(at) }] },
  ],
  [
    'a token whose last use is of zeros',
    token({ created_at: at, last_used_at: '0000-00-00 00:00:00' }),
    { tokens: [{ last_used_at: new Date(at) }] },
  ],
  [
    'no created_at, and nothing older',
    { created_at: undefined, history: [], tokens: [] },
    { created_at: now },
    missingTime,
  ],
  [
    'a created_at of null',
    { created_at: null, history: [entry('x')], tokens: [] },
    { created_at: new Date(at) },
    missingTime,
  ],
  [
    'no created_at, and the oldest time amid others',
    {
      created_at: null,
      history: ['2025-02-01T00:00:00Z', at, '2025-03-01T00:00:00Z'].map(entryAt),
      tokens: [],
    },
    { created_at: new Date(at) },
    missingTime,
  ],
  ['an empty created_at', { created_at: ' ', history: [], tokens: [] }, { created_at: now }, missingTime],
  [
    'a created_at of zeros',
    { created_at: '0000-00-00 00:00:00', history: [], tokens: [] },
    { created_at: now },
    missingTime,
  ],
  [
    'a created_at a moment ahead',
    { created_at: '2026-03-01T10:00:00.124Z' },
    { created_at: now },
    futureTime,
  ],
  [
    'a created_at in local time as UTC',
    { created_at: '2026-03-02T10:00:00.123Z' },
    { created_at: now },
    futureTime,
  ],
  [
    'an entry without a time',
    { created_at: at, history: [{ points: 1, description: 'x' }] },
    { history: [{ created_at: new Date(at) }] },
    missingPart,
  ],
  [
    'a token without created_at',
    token({ created_at: null, last_used_at: at }),
    { tokens: [{ created_at: new Date(at), last_used_at: new Date(at) }] },
    missingPart,
  ],
  [
    'a token used a moment ahead',
    token({ created_at: at, last_used_at: '2026-03-01T10:00:05Z' }),
    { tokens: [{ created_at: new Date(at), last_used_at: now }] },
    futureTime,
  ],
])('a line with %s is corrected', (_what, given, user, ...notes) => {
  expect(read(given)).toMatchObject({ user, notes });
});

test('the example line of the README is valid', () => {
  const readme = readFileSync(new URL('README.md', import.meta.url), 'utf8');
  const [, line = ''] = /```json\n(\{\n[\s\S]*?)```/.exec(readme) ?? [];
  expect(readExportLine(line, now)).toMatchObject({ user: { id: 4711, points: 850 } });
});

test.each<[string, object, RegExp]>([
  ['id 0', { id: 0 }, /^id /],
  ['an id beyond the highest', { id: 2_000_000_001 }, /^id /],
  ['an id as text', { id: '7' }, /^id /],
  ['an id with a fraction', { id: 7.5 }, /^id /],
  ['no email', { email: undefined }, /^email /],
  ['two emails', { email: 'a@example.com,b@example.com' }, /^email must be an email address$/],
  ['email_verified as a number', { email_verified: 1 }, /^email_verified /],
  ['a name as a number', { last_name: 7 }, /^last_name /],
  ['a photo as a number', { photo_url: 7 }, /^photo_url /],
  ['a hash of cost 3', hash('$04$', '$03$'), /^password_hash must be a bcrypt/],
  ['a hash of cost 15', hash('$04$', '$15$'), /^password_hash/],
  ['a hash of $2x$', hash('$2y$', '$2x$'), /^password_hash/],
  ['a hash that is too short', { password_hash: v1PasswordHash.slice(0, -1) }, /^password_hash/],
  ['a hash with a foreign character', hash('w9', 'w!'), /^password_hash/],
  ['a salt that bcrypt does not write', hash('u0.', 'u0/'), /^password_hash/],
  [
    'an end that bcrypt does not write',
    { password_hash: `${v1PasswordHash.slice(0, -1)}f` },
    /^password_hash/,
  ],
  ['an argon2 hash', { password_hash: '$argon2id$v=19$m=19456,t=2,p=1$c2FsdA$aGFzaA' }, /^password_hash/],
  ['a password in the clear', { password_hash: 'hunter2hunter2' }, /^password_hash/],
  ['no password key at all', { password_hash: undefined }, /^password_hash/],
  ['an empty member id', { member_id: '' }, /^member_id /],
  ['a member id of 65 characters', { member_id: '7'.repeat(65) }, /^member_id /],
  ['a member id with a control character', { member_id: 'M\u00007' }, /^member_id must not hold control/],
  ['a member id with a line break', { member_id: 'M\n7' }, /^member_id must not hold control/],
  ['a member id with half a pair', { member_id: 'M\ud83d7' }, /^member_id /],
  ['a quoted email', { email: '"ada lovelace"@example.com' }, /^email must be an email address$/],
  ['an email with letters beyond ASCII', { email: 'ad\u00e1@example.com' }, /^email /],
  ['an email without a dot in its domain', { email: 'ada@localhost' }, /^email /],
  ['points below zero', { points: -1 }, /^points /],
  ['too many points', { points: 1_000_000_001 }, /^points /],
  ['a description as a number', { history: [entry(7)] }, /^history 0 description/],
  ['an entry of null', { history: [null] }, /^history 0 /],
  ['a token of null', { tokens: [null] }, /^tokens 0 /],
  ['a time without an offset', { created_at: '2024-05-06 07:08:09' }, /^created_at must be a time/],
  ['a day that no month has', { created_at: '2026-02-30T00:00:00Z' }, /^created_at/],
  ['a time before 1970', { created_at: '1969-12-31T23:59:59Z' }, /^created_at must not lie before 1970$/],
  ['a time to come', { created_at: '2026-03-02T10:00:00.124Z' }, /^has a time that is still to come$/],
  ['a token used in time to come', token({ last_used_at: '2026-03-03T00:00:00Z' }), /still to come/],
  ['a token that is no SHA-256', token({ sha256: 'abc' }), /^tokens 0 sha256/],
  ['a token twice', { tokens: [tokenLine(7), tokenLine(7)] }, /^tokens must not have a token twice$/],
  ['a member id as a number', { member_id: 7 }, /^member_id /],
  ['a member id of no kind', { member_id: noKind }, /^member_id must be a string$/],
  ['a misspelt key', { histroy: [] }, /^has an unknown key: "histroy"$/],
])('a line with %s is refused', (_what, given, reason) => {
  expect(read(given).reason).toMatch(reason);
});

test('points and the sum of the history differ by at most the points of one entry', () => {
  const history = [entry('x', -1_000_000_000)];
  expect(read({ points: 0, history }).reason).toBeUndefined();
  expect(read({ points: 1, history }).reason).toMatch(/^points and the sum of history lie more/);
});

test.each(['', '{', 'null', '[]', '7', '"text"', '{"id":7}'])('%j is refused without throwing', (text) => {
  expect(readExportLine(text, now).reason).toEqual(expect.any(String));
});

test('a refusal has the id if it is readable, and no values of the line', () => {
  const wrong = { email: 'secret@@example.com', password_hash: 'hunter2hunter2', points: 'many' };
  const { id, reason } = read(wrong) as { id: number; reason: string };
  expect(id).toBe(7);
  expect(reason).not.toMatch(/secret|hunter2|many/);
});

test('a line with a duplicate key at any depth is refused', () => {
  const line = JSON.stringify(exportedUser(7));
  for (const twice of [
    line.replace('"points":850', '"points":5,"points":850'),
    line.replace('{"points":700', '{"points":7,"points":700'),
  ]) {
    expect(readExportLine(twice, now)).toEqual({ id: 7, reason: 'has a key twice' });
  }
});

test('the reason of a refusal is short, for any number and length of wrong keys', () => {
  const wrong = Object.fromEntries([1, 2, 3, 4, 5].map((n) => [`${n}`.repeat(10_000), n]));
  const { reason } = read({ ...wrong, id: 0, points: -1, email: 'x', member_id: '' }) as { reason: string };
  expect(reason.split('; ')).toHaveLength(3);
  expect(reason.length).toBeLessThanOrEqual(3 * 100 + 4);
  const alone = read({ ['k'.repeat(10_000)]: 1 }) as { reason: string };
  expect(alone.reason).toMatch(/^has an unknown key: "k+$/);
  expect(alone.reason).toHaveLength(100);
});

test('the line hash ignores key order and whitespace, and depends on all other content', () => {
  const user = exportedUser(7);
  const hashOf = (text: string) => (readExportLine(text, now) as { lineHash: string }).lineHash;
  const turned = JSON.stringify(Object.fromEntries(Object.entries(user).reverse()), null, 1);
  expect(hashOf(turned)).toBe(hashOf(JSON.stringify(user)));
  for (const change of [{ points: 851 }, { email: 'b@example.com' }, { history: [] }, { tokens: [] }]) {
    expect(hashOf(JSON.stringify({ ...user, ...change }))).not.toBe(hashOf(JSON.stringify(user)));
  }
});

test.each([
  ['{"id":7}', 7],
  ['{"id":7,"email":"wrong"}', 7],
  ['{"id":2000000001}', null],
  ['{"id":"7"}', null],
  ['null', null],
  ['{', null],
])('the id of %s is %s', (text, id) => {
  expect(v1IdOf(text)).toBe(id);
});

test('a line whose time is completed is the same line in a later run', () => {
  for (const given of [{ created_at: undefined }, { created_at: '2026-03-01T10:00:05Z' }]) {
    const line = JSON.stringify(exportedUser(7, given));
    const [first, later] = [now, new Date(now.getTime() + 3_600_000)].map((time) =>
      readExportLine(line, time),
    );
    expect(later).toMatchObject({ lineHash: (first as { lineHash: string }).lineHash });
  }
});

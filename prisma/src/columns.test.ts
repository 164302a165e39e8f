import { expect, test } from 'vitest';
import { columnList, snakeOf } from './columns.js';

test.each([
  ['email', 'email'],
  ['photoUrl', 'photo_url'],
  ['v1LastUsedAt', 'v1_last_used_at'],
  ['passwordFromV1', 'password_from_v1'],
])('%s is the column %s', (name, column) => {
  expect(snakeOf(name)).toBe(column);
});

test('a list names each column that differs from the name in TypeScript', () => {
  expect(columnList(['email', 'photoUrl']).text).toBe('email, photo_url AS "photoUrl"');
  const columns = { uid: 'user_id' };
  expect(columnList(['uid', 'amr'], { of: 's', columns }).text).toBe('s.user_id AS "uid", s.amr');
});

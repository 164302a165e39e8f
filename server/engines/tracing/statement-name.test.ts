import { expect, test } from 'vitest';
import { statementName } from './statement-name.js';

test.each([
  ['SELECT "public"."users"."id" FROM "public"."users" WHERE ("public"."users"."id" = $1)', 'SELECT users'],
  ['INSERT INTO sessions (app_id) VALUES ($1)', 'INSERT sessions'],
  [
    'WITH due AS (SELECT id FROM first) UPDATE webhook_deliveries AS w SET a = $1',
    'UPDATE webhook_deliveries',
  ],
  ['DELETE FROM codes WHERE id = $1', 'DELETE codes'],
  ['SELECT min(start_after) FROM pgboss.job', 'SELECT pgboss.job'],
  ['SELECT id FROM codes WHERE id = $1 FOR UPDATE', 'SELECT codes'],
  ['SELECT id FROM events LIMIT 1 FOR UPDATE SKIP LOCKED', 'SELECT events'],
  ['SELECT r.id FROM replays AS r, users FOR UPDATE OF r SKIP LOCKED', 'SELECT replays'],
  ['SELECT id FROM users\n  FOR NO KEY UPDATE NOWAIT', 'SELECT users'],
  ['WITH due AS (SELECT id FROM jobs FOR UPDATE SKIP LOCKED) DELETE FROM files', 'DELETE files'],
  ['INSERT INTO apps (id) VALUES ($1) ON CONFLICT (id) DO UPDATE SET id = $1', 'INSERT apps'],
  ['BEGIN', 'BEGIN'],
  ['SELECT 1', 'SELECT'],
])('%s is %s', (sql, name) => {
  expect(statementName(sql)).toBe(name);
});

// What the reader of each service concludes from single values of a record.
import { expect, test } from 'vitest';
import { auth0 } from './auth0.js';
import { betterAuth } from './better-auth.js';
import { supabase } from './supabase.js';

const now = new Date('2026-03-01T10:00:00.000Z');

test.each([
  ['2026-03-01T10:00:00.000Z', false],
  ['2026-03-01T10:00:00.001Z', true],
])('a ban until %s disables the user at 10:00: %s', (end, disabled) => {
  expect(betterAuth.read({ banned: true, banExpires: end }, now).disabled).toBe(disabled);
  expect(supabase.read({ banned_until: end }, now).disabled).toBe(disabled);
});

test.each([
  [[], []],
  [['guardian'], ['second factor']],
])('of a user of Auth0 with the factors %j, the import leaves out %j', (multifactor, leftOut) => {
  expect(auth0.read({ user_id: 'auth0|1', multifactor }, now).leftOut).toEqual(leftOut);
});

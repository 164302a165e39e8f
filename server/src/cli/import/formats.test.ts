// What the reader of each service concludes from single values of a record.
import { expect, test } from 'vitest';
import { auth0 } from './auth0.js';
import { betterAuth } from './better-auth.js';
import { clerk } from './clerk.js';
import { firebase } from './firebase.js';
import { foyer } from './foyer.js';
import { supabase } from './supabase.js';

const formats = { auth0, betterAuth, clerk, firebase };
const now = new Date('2026-03-01T10:00:00.000Z');

test.each([
  ['2026-03-01T10:00:00.000Z', false],
  ['2026-03-01T10:00:00.001Z', true],
])('a ban until %s disables the user at 10:00: %s', (end, disabled) => {
  expect(betterAuth.read({ banned: true, banExpires: end }, now).disabled).toBe(disabled);
  expect(supabase.read({ banned_until: end }, now).disabled).toBe(disabled);
});

test.each<[keyof typeof formats, object, string[]]>([
  ['auth0', { multifactor: [] }, []],
  ['auth0', { multifactor: ['guardian'] }, ['second factor']],
  ['auth0', { identities: [{ provider: 'sms', user_id: '1' }] }, []],
  ['auth0', { custom_password_hash: { algorithm: 'md5' } }, ['password hash (md5)']],
  ['auth0', { custom_password_hash: { algorithm: 'a b' } }, ['password hash (unknown)']],
  ['auth0', { identities: [{ provider: 'samlp', user_id: '1' }] }, ['identity of samlp']],
  ['auth0', { identities: [{ provider: 'saml-acme', user_id: '1' }] }, ['identity of single sign-on']],
  ['auth0', { identities: [{ provider: 'a b', user_id: '1' }] }, ['identity of another provider']],
  ['betterAuth', { accounts: [], username: 'ada' }, ['username']],
  ['betterAuth', { accounts: [], username: '' }, []],
  ['clerk', { enterprise_accounts: [{}] }, ['identity of single sign-on']],
  ['clerk', { saml_accounts: [{}] }, ['identity of single sign-on']],
  ['clerk', { enterprise_accounts: [], saml_accounts: [], passkeys: [] }, []],
  ['clerk', { passkeys: [{}] }, ['passkey']],
  ['clerk', { totp_enabled: true }, ['second factor']],
  ['clerk', { totp_enabled: false, password_enabled: true }, ['password (not in the file)']],
  ['clerk', { password_digest: 'x', password_hasher: 'md5' }, ['password hash (md5)']],
  ['clerk', { password_digest: '$2a$10$x', password_hasher: 'a b' }, ['password hash (bcrypt)']],
  ['firebase', { customAttributes: '{"a":1}' }, []],
  ['firebase', { customAttributes: '[1]' }, ['claims that are not a JSON object']],
])('of a user of %s with %j, the import leaves out %j', (name, record, leftOut) => {
  expect(formats[name].read({ ...record }, now).leftOut).toEqual(leftOut);
});

test.each<[keyof typeof formats, object, boolean]>([
  ['auth0', { identities: [{ provider: 'sms', user_id: '1' }] }, true],
  ['auth0', { identities: [{ provider: 'email', user_id: '1' }] }, false],
  ['clerk', { phone_numbers: [{}] }, true],
  ['clerk', { phone_numbers: [] }, false],
])('a user of %s with %j has a phone number: %s', (name, record, hasPhone) => {
  expect(formats[name].read({ ...record }, now).hasPhone).toBe(hasPhone);
});

test('of Clerk, the default picture of a user without one is none', () => {
  const image_url = 'https://img.clerk.com/default';
  expect(clerk.read({ image_url, has_image: false }, now).photoUrl).toBeNull();
  expect(clerk.read({ image_url, has_image: true }, now).photoUrl).toBe(image_url);
});

test.each<[object, string | null]>([
  [{ localId: 'a' }, 'is anonymous'],
  [{ localId: 'a', email: 'ada@example.com' }, null],
  [{ localId: 'a', phoneNumber: '+15550100' }, null],
  [{ localId: 'a', providerUserInfo: [{ providerId: 'google.com', rawId: '1' }] }, null],
])('whether a user of Firebase is anonymous: %j', (record, refusal) => {
  expect(firebase.read({ ...record }, now).refusal).toBe(refusal);
});

test('of a line of Foyer, a second factor, passkeys and the id of v1 are left out', () => {
  const line = {
    ...{
      uid: '01JC4Q7M0RZ9X2V5T8W3Y6K1NB',
      email: 'ada@example.com',
      email_verified: true,
      email_proven: true,
    },
    ...{
      disabled: false,
      member_id: '4302918857',
      language: null,
      has_password: false,
      points: 0,
      ledger: [],
    },
  };
  const leftOut = (more: object) => foyer.read({ ...line, ...more }, now).leftOut;
  expect(leftOut({ second_factor: false, passkeys: [], v1_id: null })).toEqual([]);
  expect(leftOut({ second_factor: true, passkeys: [{}], v1_id: 7 })).toEqual([
    'second factor',
    'passkeys',
    'numeric id of v1',
  ]);
});

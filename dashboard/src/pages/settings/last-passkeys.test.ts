// Where the inputs of passkeys start after they were switched off.
import { expect, test } from 'vitest';
import { lastPasskeys } from './last-passkeys.ts';

const passkeys = { rp_id: 'example.com', rp_name: 'Orchard', origins: ['https://app.example.com'] };
const other = { details: { changes: { sign_up: { from: 'open', to: 'closed' } } } };
const off = { details: { changes: { passkeys: { from: passkeys, to: null } } } };
const on = { details: { changes: { passkeys: { from: null, to: passkeys } } } };
const cut = { details: { changes: { passkeys: { from: '{"rp_id":"exam…', to: null } } } };

test.each([
  ['the values before they were switched off', [other, off, on], passkeys],
  ['nothing if they never were on', [other, { details: {} }], null],
  ['nothing if the log has cut the values', [cut, off], null],
])('passkeys start with %s', (_, entries, expected) => {
  expect(lastPasskeys(entries)).toEqual(expected);
});

// Limits on custom claims: size in bytes and reserved names.
import { expect, test } from 'vitest';
import { checkClaims, reservedClaims } from './claims-rules.js';

/** An object with the given size as JSON. */
const ofBytes = (bytes: number, letter = 'x') => {
  const value = letter.repeat((bytes - '{"a":""}'.length) / new TextEncoder().encode(letter).length);
  return { a: value };
};

test.each([
  [999, 'fit'],
  [1_000, 'fit'],
  [1_001, 'too-large'],
])('%i bytes are %s', (bytes, verdict) => {
  expect(JSON.stringify(ofBytes(bytes))).toHaveLength(bytes);
  expect(checkClaims(ofBytes(bytes))).toBe(verdict);
});

test('bytes are counted, not characters', () => {
  expect(checkClaims(ofBytes(1_000, '€'))).toBe('fit');
  expect(checkClaims({ ...ofBytes(1_000, '€'), b: '' })).toBe('too-large');
});

test('the names of the service’s own claims are reserved, and others are not', () => {
  const own = 'iss sub aud exp nbf iat jti sid client_id auth_time amr acr'.split(' ');
  expect(reservedClaims).toEqual(expect.arrayContaining(own));
  for (const name of reservedClaims)
    expect(checkClaims({ [name]: 1, role: 'x' })).toEqual({ reserved: [name] });
  expect(checkClaims({ role: 'x', Sub: 1, nested: { sub: 1 } })).toBe('fit');
  expect(checkClaims({})).toBe('fit');
});

import { describe, expect, test } from 'vitest';
import { checkIdToken, clientIdOf, emailOf, isEmailVerified, profileOf } from './id-token-rules.js';

const now = new Date('2026-03-01T10:00:00.500Z');
const seconds = now.getTime() / 1_000;
const right = { aud: 'web', sub: 'person', iat: seconds, exp: seconds + 60, nonce: 'n' };
const expected = { clientIds: ['web', 'phone'], nonce: 'n' };

test.each<[string, Record<string, unknown>, ReturnType<typeof checkIdToken>]>([
  ['as it should be', {}, 'valid'],
  ['for the other client of the app', { aud: 'phone' }, 'valid'],
  ['for another app', { aud: 'other' }, 'foreign-audience'],
  ['of no audience', { aud: undefined }, 'foreign-audience'],
  ['expiring this very moment', { exp: seconds }, 'expired'],
  ['expiring in a millisecond', { exp: seconds + 0.001 }, 'valid'],
  ['that never expires', { exp: undefined }, 'expired'],
  ['that expires at infinity', { exp: Number.POSITIVE_INFINITY }, 'expired'],
  ['whose expiry is a string', { exp: String(seconds + 60) }, 'expired'],
  ['made an hour ago', { iat: seconds - 3_600 }, 'valid'],
  ['made an hour and a millisecond ago', { iat: seconds - 3_600.001 }, 'too-old'],
  ['made at no time', { iat: undefined }, 'too-old'],
  ['made by a clock a minute ahead', { iat: seconds + 60 }, 'valid'],
  ['made by a clock further ahead', { iat: seconds + 60.001 }, 'not-yet-issued'],
  ['of nobody', { sub: undefined }, 'no-subject'],
  ['of an empty somebody', { sub: '' }, 'no-subject'],
  ['of a number', { sub: 7 }, 'no-subject'],
  ['of a name too long', { sub: 'x'.repeat(256) }, 'no-subject'],
  ['of a name with a line break', { sub: 'a\nb' }, 'no-subject'],
  ['with another nonce', { nonce: 'm' }, 'wrong-nonce'],
  ['without a nonce', { nonce: undefined }, 'wrong-nonce'],
])('a token %s', (_name, change, verdict) => {
  expect(checkIdToken({ ...right, ...change }, expected, now)).toBe(verdict);
});

test.each<[string, Record<string, unknown>, string | null]>([
  ['one audience', { aud: 'web' }, 'web'],
  ['one audience in a list', { aud: ['web'] }, 'web'],
  ['asked for by a client of ours', { aud: 'web', azp: 'phone' }, 'web'],
  ['asked for by a client of others', { aud: 'web', azp: 'other' }, null],
  ['asked for by nobody that is text', { aud: 'web', azp: null }, null],
  ['no audience in a list', { aud: [] }, null],
  ['two audiences and nobody who asked', { aud: ['web', 'phone'] }, null],
  ['two audiences of ours, asked for by one', { aud: ['web', 'phone'], azp: 'phone' }, 'phone'],
  ['two audiences, one of others', { aud: ['web', 'other'], azp: 'web' }, null],
  ['a list in a list', { aud: [['web']] }, null],
])('the client of a token: %s', (_name, claims, clientId) => {
  expect(clientIdOf(claims, expected.clientIds)).toBe(clientId);
});

describe('the profile in a token', () => {
  test.each([
    [' Ada@Example.COM ', 'ada@example.com'],
    ['ada@example.com\r\nBcc: eve@example.com', null],
    ['a@b@example.com', null],
    ['ada@example.com, bob@example.com', null],
    [['ada@example.com'], null],
    [undefined, null],
  ])('maps the email %j to %j', (email, ours) => {
    expect(emailOf({ email })).toBe(ours);
  });

  test.each<[unknown, boolean, boolean]>([
    [true, true, true],
    ['true', false, true],
    ['false', false, false],
    [false, false, false],
    [1, false, false],
    [undefined, false, false],
  ])('maps email_verified %j to %j for A and %j for B', (verified, ofA, ofB) => {
    const claims = { email_verified: verified };
    expect([isEmailVerified(claims, 'provider-a'), isEmailVerified(claims, 'provider-b')]).toEqual([
      ofA,
      ofB,
    ]);
  });

  test('omits values that the database cannot store', () => {
    expect(
      profileOf({ given_name: 'A\u0000', family_name: '\udc00', picture: 'https://example.com/\u0000' }),
    ).toEqual({ firstName: null, lastName: null, photoUrl: null });
  });
});

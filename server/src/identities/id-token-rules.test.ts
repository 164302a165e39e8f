import { describe, expect, test } from 'vitest';
import { checkIdToken, clientIdOf, emailOf, isEmailVerified, profileOf } from './id-token-rules.js';

const now = new Date('2026-03-01T10:00:00.500Z');
const seconds = now.getTime() / 1_000;
const right = { aud: 'web', sub: 'person', iat: seconds, exp: seconds + 60, nonce: 'n' };
const expected = { clientIds: ['web', 'phone'], nonce: 'n' };

test.each<[string, Record<string, unknown>, ReturnType<typeof checkIdToken>]>([
  ['as it should be', {}, 'valid'],
  ['for the other client of the app', { aud: 'phone' }, 'valid'],
  ['for another app', { aud: 'other' }, 'wrong-audience'],
  ['of no audience', { aud: undefined }, 'wrong-audience'],
  ['expiring this very moment', { exp: seconds }, 'expired'],
  ['expiring in a millisecond', { exp: seconds + 0.001 }, 'valid'],
  ['that never expires', { exp: undefined }, 'expired'],
  ['that expires at infinity', { exp: Number.POSITIVE_INFINITY }, 'expired'],
  ['whose expiry is a string', { exp: String(seconds + 60) }, 'expired'],
  ['made an hour ago', { iat: seconds - 3_600 }, 'valid'],
  ['made an hour and a millisecond ago', { iat: seconds - 3_600.001 }, 'too-old'],
  ['made at no time', { iat: undefined }, 'too-old'],
  ['made by a clock a minute ahead', { iat: seconds + 60 }, 'valid'],
  ['made by a clock further ahead', { iat: seconds + 60.001 }, 'not-yet-valid'],
  ['of nobody', { sub: undefined }, 'no-subject'],
  ['of an empty somebody', { sub: '' }, 'no-subject'],
  ['of a name of two words', { sub: 'Ada Lovelace' }, 'valid'],
  ['of a name with a space before it', { sub: ' person' }, 'no-subject'],
  ['of a name with a space after it', { sub: 'person ' }, 'no-subject'],
  ['of the longest name', { sub: 'x'.repeat(255) }, 'valid'],
  ['of a number', { sub: 7 }, 'no-subject'],
  ['of an object', { sub: { toString: 'person' } }, 'no-subject'],
  ['of a name too long', { sub: 'x'.repeat(256) }, 'no-subject'],
  ['of a name with a line break', { sub: 'a\nb' }, 'no-subject'],
  ['with another nonce', { nonce: 'm' }, 'wrong-nonce'],
  ['without a nonce', { nonce: undefined }, 'no-nonce'],
  ['with an empty nonce', { nonce: '' }, 'no-nonce'],
  ['with a nonce in a list', { nonce: ['n'] }, 'wrong-nonce'],
])('a token %s', (_name, change, verdict) => {
  expect(checkIdToken({ ...right, ...change }, expected, now)).toBe(verdict);
});

test.each<[string, Record<string, unknown>, string | null]>([
  ['one audience', { aud: 'web' }, 'web'],
  ['one audience in a list', { aud: ['web'] }, 'web'],
  ['no audience in a list', { aud: [] }, null],
  ['two audiences and nobody who asked', { aud: ['web', 'phone'] }, null],
  ['two audiences of ours, asked for by one', { aud: ['web', 'phone'], azp: 'phone' }, 'phone'],
  ['two audiences of ours, asked for by another', { aud: ['web', 'phone'], azp: 'other' }, null],
  [
    'audiences of ours and of others, asked for by ours',
    { aud: ['web', 'other', 'project'], azp: 'web' },
    'web',
  ],
  ['audiences of ours and of others, asked for by another', { aud: ['web', 'other'], azp: 'other' }, null],
  [
    'audiences of ours and of others, asked for by one of ours beside them',
    { aud: ['web', 'other'], azp: 'phone' },
    null,
  ],
  ['audiences of others, asked for by ours', { aud: ['other', 'project'], azp: 'web' }, null],
  ['audiences of ours and what is none', { aud: ['web', 7], azp: 'web' }, null],
  ['a list in a list', { aud: [['web']] }, null],
  ['an object with the text of ours', { aud: { toString: 'web' } }, null],
])('the client of a token: %s', (_name, claims, clientId) => {
  expect(clientIdOf(claims, expected.clientIds)).toBe(clientId);
});

const ofGoogle = (name: string) => `${name}.apps.googleusercontent.com`;
const ours = ofGoogle('1234-web');

test.each<[string, unknown, string, ReturnType<typeof checkIdToken>]>([
  ['another client of ours', 'phone', 'web', 'valid'],
  ['a client that is not registered, where client ids name no project', 'debug', 'web', 'valid'],
  ['a client of the same project', ofGoogle('1234-debug'), ours, 'valid'],
  ['a client of the same project, in the old form', ofGoogle('1234'), ours, 'valid'],
  ['a client of another project', ofGoogle('12345-web'), ours, 'wrong-authorized-party'],
  [
    'a client of another project that begins alike',
    ofGoogle('1234.5678-web'),
    ours,
    'wrong-authorized-party',
  ],
  ['a client of another provider', '1234-web', ours, 'wrong-authorized-party'],
  ['a client of another project, registered', 'phone', ours, 'valid'],
  ['a client of a project, for one of ours without', ofGoogle('1234-debug'), 'web', 'wrong-authorized-party'],
  ['nobody', '', 'web', 'wrong-authorized-party'],
  ['null', null, 'web', 'wrong-authorized-party'],
  ['a list', ['web'], 'web', 'wrong-authorized-party'],
])('a token asked for by %s', (_name, azp, aud, verdict) => {
  const clientIds = [...expected.clientIds, ours];
  expect(checkIdToken({ ...right, aud, azp }, { ...expected, clientIds }, now)).toBe(verdict);
});

describe('the profile in a token', () => {
  test.each([
    [' Ada@Example.COM ', 'ada@example.com'],
    ['ada@example.com\r\nBcc: eve@example.com', null],
    ['a@b@example.com', null],
    ['ada@example.com, bob@example.com', null],
    ['mailto:ada@example.com', null],
    ['"ada@example.com"', null],
    [['ada@example.com'], null],
    [undefined, null],
  ])('maps the email %j to %j', (email, ours) => {
    expect(emailOf({ email })).toBe(ours);
  });

  // Apple, Amazon Cognito, LinkedIn and PayPal send a string.
  test.each<[unknown, boolean, boolean]>([
    [true, true, true],
    ['true', false, true],
    ['false', false, false],
    ['TRUE', false, false],
    [false, false, false],
    [1, false, false],
    ['1', false, false],
    [undefined, false, false],
  ])('maps email_verified %j to %j for A and %j for others', (verified, ofA, ofOthers) => {
    const of = (provider: string) => isEmailVerified({ email_verified: verified }, provider);
    expect(['provider-a', 'provider-b', 'contoso'].map(of)).toEqual([ofA, ofOthers, ofOthers]);
  });

  test.each<[object, string | null, string | null]>([
    [{ name: 'Ada Lovelace' }, 'Ada', 'Lovelace'],
    [{ name: 'Ada Lovelace', given_name: '', family_name: null }, 'Ada', 'Lovelace'],
    [{ name: 'Ada King Lovelace', given_name: 'Ada', family_name: 'King' }, 'Ada', 'King'],
    [{ name: 'Ada Lovelace', given_name: 'Augusta' }, 'Augusta', null],
    [{ name: 'Ada Lovelace', family_name: 'King' }, null, 'King'],
    [{ name: 'Lovelace, Ada' }, 'Ada', 'Lovelace'],
    [{ name: 'ada@example.com' }, null, null],
    [{ name: ' ' }, null, null],
    [{ name: ['Ada'] }, null, null],
    [{ name: `${'x'.repeat(101)} Lovelace` }, null, 'Lovelace'],
    [{ name: 'x'.repeat(100_000) }, null, null],
  ])('maps the names of %j to %j and %j', (claims, firstName, lastName) => {
    expect(profileOf({ ...claims })).toEqual({ firstName, lastName, photoUrl: null });
  });

  test('omits control characters of names, and values that the database cannot store', () => {
    expect(
      profileOf({ given_name: 'A\u0000', family_name: '\udc00', picture: 'https://example.com/\u0000' }),
    ).toEqual({ firstName: 'A', lastName: null, photoUrl: null });
  });
});

// The ids of providers and platforms that teams paste into the settings.
import { AppSettingsPatch, errorMap } from '@foyer/contract';
import { describe, expect, test } from 'vitest';

const oneIdentifier = 'must be one identifier, without spaces, commas and quotation marks';
const foreign = (character: string) => `must not contain ${character}, which is invisible or not ASCII`;
const contoso = { kind: 'oidc', name: 'Contoso', issuer: 'https://login.example.com', trusts_email: false };

describe.each<[string, (id: unknown) => object, string]>([
  [
    'a client id of provider A',
    (id) => ({ provider_a: { client_ids: { ios: [id] } } }),
    'provider_a.client_ids.ios.0',
  ],
  [
    'a client id of an OpenID provider',
    (id) => ({ providers: { contoso: { ...contoso, client_ids: [id] } } }),
    'providers.contoso.client_ids.0',
  ],
  ['a Services ID', (id) => ({ provider_b: { services_ids: [id] } }), 'provider_b.services_ids.0'],
  ['a bundle id', (id) => ({ provider_b: { bundle_ids: [id] } }), 'provider_b.bundle_ids.0'],
  ['a team id', (id) => ({ provider_b: { team_id: id } }), 'provider_b.team_id'],
  ['a key id', (id) => ({ provider_b: { key_id: id } }), 'provider_b.key_id'],
  ['a key id for APNs', (id) => ({ push: { apns: { key_id: id } } }), 'push.apns.key_id'],
  ['a team id for APNs', (id) => ({ push: { apns: { team_id: id } } }), 'push.apns.team_id'],
  ['a bundle id for APNs', (id) => ({ push: { apns: { bundle_id: id } } }), 'push.apns.bundle_id'],
])('%s', (_what, bodyOf, field) => {
  test.each<[string, unknown, string]>([
    ['empty', '', 'must not be empty'],
    ['of white space only', ' \u00a0\u200b\ufeff', 'must not be empty'],
    ['with a space inside', 'a b', oneIdentifier],
    ['with a line end inside', 'a\nb', oneIdentifier],
    ['with a no-break space inside', 'a\u00a0b', oneIdentifier],
    ['with a comma', 'a,b', oneIdentifier],
    ['with a semicolon', 'a;b', oneIdentifier],
    ['in quotation marks', '"a"', oneIdentifier],
    ['with a zero-width space inside', 'a\u200bb', foreign('U+200B')],
    ['with a soft hyphen inside', 'a\u00adb', foreign('U+00AD')],
    ['with a control character inside', 'a\u0007b', foreign('U+0007')],
    ['with a Cyrillic letter', '\u0430pp', foreign('U+0430')],
    ['with an emoji', 'a😀', foreign('U+1F600')],
    ['of 256 characters', 'x'.repeat(256), 'must have at most 255 characters'],
    ['that is too long to look at', ' '.repeat(2_000), 'must have at most 255 characters'],
    ['of another type', 7, 'must be a string'],
  ])('%s is refused with a sentence', (_name, id, message) => {
    const { error } = AppSettingsPatch.safeParse(bodyOf(id), { error: errorMap });
    expect(error?.issues.map((issue) => [issue.path.join('.'), issue.message])).toEqual([[field, message]]);
  });

  test('is trimmed, invisible characters included', () => {
    const given = AppSettingsPatch.parse(bodyOf('\ufeff \u200bcom.example-App_1\u2060\r\n'));
    expect(given).toEqual(bodyOf('com.example-App_1'));
  });
});

test('a platform has 50 client ids at most', () => {
  const ids = Array.from({ length: 51 }, (_, place) => `client-${place}`);
  const issuesOf = (web: unknown) =>
    AppSettingsPatch.safeParse({ provider_a: { client_ids: { web } } }).error?.issues;
  expect(issuesOf(ids.slice(1))).toBeUndefined();
  expect(issuesOf(ids)?.map(({ path }) => path.join('.'))).toEqual(['provider_a.client_ids.web']);
  expect(issuesOf(7)?.map(({ path }) => path.join('.'))).toEqual(['provider_a.client_ids.web']);
});

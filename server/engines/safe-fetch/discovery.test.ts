// What is wrong with the answers of an issuer, each named by a sentence.
import { expect, test } from 'vitest';
import { providerKey } from '../../test/identity-provider.js';
import { discoverKeys } from './discovery.js';
import type { SsrfSafeFetch } from './ssrf-safe-fetch.js';

const issuer = 'https://issuer.example/tenant/';
const jwksUrl = 'https://keys.example/jwks';
const { publicJwk: jwk } = await providerKey('first', 'ES256');

type Answer = { status?: number; body: unknown };

/** Answers the discovery document and the key set; other URLs are not asked. */
function keysOf(document: Answer, keySet: Answer) {
  const answers: Record<string, Answer> = {
    'https://issuer.example/tenant/.well-known/openid-configuration': document,
    [jwksUrl]: keySet,
  };
  const send: SsrfSafeFetch['send'] = async (url) => {
    const { status = 200, body } = answers[url] as Answer;
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    return { status, headers: {}, body: Buffer.from(text) };
  };
  return discoverKeys({ ssrfSafeFetch: { send } as SsrfSafeFetch }, issuer);
}

const document = { issuer, jwks_uri: jwksUrl };

test('the keys are those that the document of the issuer leads to', async () => {
  expect(await keysOf({ body: document }, { body: { keys: [jwk] } })).toEqual({ keys: [jwk] });
});

test.each<[string, Answer, Answer]>([
  ['the discovery document was answered with status 500', { status: 500, body: document }, { body: {} }],
  [
    'the discovery document is not a JSON object, or has more than 131072 bytes',
    { body: '[]' },
    { body: {} },
  ],
  [
    'the discovery document names another issuer',
    { body: { ...document, issuer: 'https://issuer.example/tenant' } },
    { body: {} },
  ],
  ['the discovery document has no jwks_uri', { body: { issuer } }, { body: {} }],
  ['the key set was answered with status 404', { body: document }, { status: 404, body: { keys: [jwk] } }],
  ['the key set is not a JSON object, or has more than 131072 bytes', { body: document }, { body: '{' }],
  ['the key set contains no key for RS256 or ES256', { body: document }, { body: { keys: [] } }],
])('%s', async (sentence, first, second) => {
  await expect(keysOf(first, second)).rejects.toThrow(sentence);
});

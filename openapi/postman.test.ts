// The Postman collection has every call with both of its credentials, and keeps tokens.
import { expect, test } from 'vitest';
import { document, operations } from './committed-v2.js';
import { documents } from './generator/documents.js';
import { collectionText, items } from './postman-runner.js';

test('the committed collection is what the generator makes of the contract', () => {
  expect(collectionText).toBe(documents()['v2.postman.json']);
});

test('it has every call, with the credentials that the call takes as variables', () => {
  expect(items).toHaveLength(operations.length);
  for (const { name, request } of items) {
    const path = request.url.raw.replace('{{base_url}}', '').replace(/:(\w+)/g, '{$1}');
    const { security } = document.paths[path]?.[request.method.toLowerCase()] ?? { security: [] };
    const names = security.flatMap((each) => Object.keys(each));
    const sent = request.header.find(({ key }) => key === 'X-App-Key')?.value;
    expect(sent, name).toBe(names.includes('appKey') ? '{{app_key}}' : undefined);
    const takesToken = names.some((each) => each !== 'appKey');
    expect(request.auth.type, name).toBe(takesToken ? 'bearer' : 'noauth');
    if (request.auth.type === 'bearer')
      expect(['{{access_token}}', '{{secret_key}}']).toContain(request.auth.bearer[0]?.value);
  }
});

test('signing up, in and refreshing keep the tokens', () => {
  const keeping = items
    .filter(({ event }) => event)
    .map(({ request }) => request.url.raw.replace('{{base_url}}', ''));
  expect(keeping).toEqual(
    expect.arrayContaining(['/auth/sign-up', '/auth/sign-in', '/auth/token/refresh', '/auth/reauthenticate']),
  );
});

// The key set and the discovery document: made once, with an entity tag.
import { expect, test } from 'vitest';
import { statementLog, testService } from '../../test/harness.js';
import { shared } from '../../test/shared.js';
import { rotateSigningKeys } from './rotate-signing-keys.js';

const statements = statementLog();
const service = shared(() => testService({ onStatement: statements.onStatement }));

const keySet = '/.well-known/jwks.json';
const discovery = () => `/apps/${service.app.app.id}/.well-known/openid-configuration`;
const read = (path: string, ifNoneMatch?: string) =>
  service.call('GET', path, {
    appKey: null,
    ...(ifNoneMatch !== undefined && { headers: { 'if-none-match': ifNoneMatch } }),
  });

test.each([
  ['key set', () => keySet],
  ['discovery document', discovery],
])('the %s has a strong entity tag, which answers 304 with the same headers', async (_name, path) => {
  const whole = await read(path());
  const tag = whole.headers.get('etag') as string;
  expect(tag).toMatch(/^"[\w-]{43}"$/);
  expect(whole.headers.get('cache-control')).toMatch(/^public, max-age=(300|29\d)$/);
  expect(whole.headers.get('content-length')).toBe(String(Buffer.byteLength(whole.text)));
  const known = await read(path(), `"other", ${tag}`);
  expect([known.status, known.text, known.headers.get('etag')]).toEqual([304, '', tag]);
  expect(known.headers.get('cache-control')).toBe(whole.headers.get('cache-control'));
  const other = await read(path(), '"other"');
  expect([other.status, other.text]).toEqual([200, whole.text]);
});

test('the key set has another tag and the new key after a rotation', async () => {
  const before = await read(keySet);
  await rotateSigningKeys(service.deps, 'ES256', {});
  service.clock.advance(1_000);
  const after = await read(keySet, before.headers.get('etag') as string);
  expect(after.status).toBe(200);
  expect(after.json.keys.length).toBeGreaterThan(before.json.keys.length);
});

test('a discovery document is queried once in five seconds, and that of an unknown app once in one', async () => {
  service.clock.advance(5_000);
  const sent = (path: string) => statements.during(() => read(path));
  expect(await sent(discovery())).toHaveLength(1);
  service.clock.advance(4_999);
  expect(await sent(discovery())).toHaveLength(0);
  service.clock.advance(1);
  expect(await sent(discovery())).toHaveLength(1);
  const unknown = `/apps/${service.deps.random.ulid(service.clock.now())}/.well-known/openid-configuration`;
  for (let round = 0; round < 2; round += 1) {
    expect(await sent(unknown)).toHaveLength(1);
    expect(await sent(unknown)).toHaveLength(0);
    service.clock.advance(1_000);
  }
});

// HTTP of the remote config as apps read it: values, entity tags, and the cost of a read.
import { expect, test } from 'vitest';
import { manualClock, statementLog, testService } from '../../test/harness.js';
import { shared } from '../../test/shared.js';
import type { NewApp } from '../apps/create-app.js';
import type { VersionTag } from '../deps.js';
import { recentValues } from '../lib/recent-values.js';
import { deliveredValues, firstParameters } from './config-rules.js';
import { currentConfig, recentConfigTags, rememberNewestTag } from './current-config.js';

const statements = statementLog();
const service = shared(() => testService({ onStatement: statements.onStatement }));

const read = (app: NewApp, headers: Record<string, string> = {}, from = service) =>
  from.call<Record<string, unknown>>('GET', '/config', { appKey: app.app.appKey, headers });

/** Writes the whole set; a value's type is that of JavaScript. */
async function write(app: NewApp, values: Record<string, unknown>, from = service) {
  const parameters = Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      { type: typeof value === 'object' ? 'json' : typeof value, value },
    ]),
  );
  const answer = await from.call('PUT', '/admin/config', {
    appKey: app.app.appKey,
    token: app.secretKey,
    headers: { 'if-match': '*' },
    body: { parameters },
  });
  expect([answer.status, answer.code]).toEqual([200, undefined]);
  return answer;
}

async function tagOf(app: NewApp): Promise<string> {
  const tag = (await read(app)).headers.get('etag');
  expect(tag).toMatch(/^"[\x21\x23-\x7e]+"$/);
  return tag as string;
}

test('a new app answers the nine names of v1, with a strong entity tag, whatever the token', async () => {
  const app = await service.newApp();
  expect((await read(app, { authorization: 'Bearer nonsense' })).status).toBe(200);
  const answer = await read(app);
  expect(answer.status).toBe(200);
  expect(answer.data).toEqual(deliveredValues(firstParameters));
  expect(answer.headers.get('etag')).toMatch(/^"\d+-[0-9a-f]{16}"$/);
  expect(answer.headers.get('cache-control')).toBe('no-cache');
  expect(answer.headers.get('vary')).toContain('X-App-Key');
});

test('a JSON string preserves key order, every character and every number, and other values are unchanged', async () => {
  const app = await service.newApp();
  const raw =
    '{"z":1,"a":{"é":"\\ud83d\\ude00\\u0001\\u2028\\/\\"","":[]},"__proto__":{"constructor":null},' +
    '"n":[9007199254740991,-9007199254740991,0.1,1e-7,1.7976931348623157e-300,5e-324,123456.789],"t":[true,false,null]}';
  const others = { rate: -0.25, open: false, text: '{"a":1}' };
  const parameters = Object.entries(others).map(
    ([name, value]) => `"${name}":${JSON.stringify({ type: typeof value, value })}`,
  );
  const body = `{"parameters":{"x":{"type":"json","value":${raw}},${parameters.join()}}}`;
  const { appKey } = app.app;
  const headers = { 'if-match': '*' };
  const put = await service.call('PUT', '/admin/config', { appKey, token: app.secretKey, headers, body });
  expect(put.status).toBe(200);
  const { data } = await read(app);
  expect(data).toEqual({ ...others, x: expect.any(String) });
  expect(JSON.parse(data.x as string)).toEqual(JSON.parse(raw));
  expect(Object.keys(JSON.parse(data.x as string))).toEqual(['z', 'a', '__proto__', 'n', 't']);
  // v1 returns real JSON.
  const { values } = await currentConfig(service.deps, app.app);
  expect(values).toEqual({ ...others, x: JSON.parse(raw) });
});

test('If-None-Match with the tag is answered 304, without a body and with the tag; with another, with the values', async () => {
  const app = await service.newApp();
  const tag = await tagOf(app);
  const answer = await read(app, { 'if-none-match': `W/${tag}` });
  expect([answer.status, answer.text]).toEqual([304, '']);
  expect(answer.headers.get('etag')).toBe(tag);
  expect(answer.headers.get('cache-control')).toBe('no-cache');
  expect(answer.headers.get('vary')).toContain('X-App-Key');
  for (const header of ['"other"', '']) {
    expect((await read(app, { 'if-none-match': header })).status).toBe(200);
  }
});

test('a change is in the next response of its own instance and within five seconds in those of the others', async () => {
  const app = await service.newApp();
  const other = await service.secondInstance();
  let tag = await tagOf(app);
  for (let round = 0; round < 4; round += 1) {
    const [writer, reader] = round % 2 ? [service, other] : [other, service];
    expect((await read(app, { 'if-none-match': tag }, reader)).status).toBe(304);
    await write(app, { round }, writer);
    const changed = await read(app, { 'if-none-match': tag }, writer);
    expect([changed.status, changed.data]).toEqual([200, { round }]);
    service.clock.advance(4_999);
    expect((await read(app, { 'if-none-match': tag }, reader)).status).toBe(304);
    service.clock.advance(1);
    expect((await read(app, { 'if-none-match': tag }, reader)).data).toEqual({ round });
    tag = changed.headers.get('etag') as string;
    for (const instance of [service, other]) {
      expect((await read(app, { 'if-none-match': tag }, instance)).status).toBe(304);
    }
  }
  await other.stop();
});

test('values that are newer than the version last queried have the tag of their own version', async () => {
  const app = await service.newApp();
  const other = await service.secondInstance();
  await tagOf(app);
  const written = await write(app, { round: 1 }, other);
  service.deps.configMemory.clear();
  const answer = await read(app);
  expect([answer.data, answer.headers.get('etag')]).toEqual([{ round: 1 }, written.headers.get('etag')]);
  await other.stop();
});

test('the newest version is queried every five seconds, and its content once', async () => {
  const app = await service.newApp();
  await write(app, { big: 'x'.repeat(90_000) });
  const tag = await tagOf(app);
  for (const headers of [{ 'if-none-match': tag }, {}] as Record<string, string>[]) {
    expect(await statements.during(() => read(app, headers))).toEqual([]);
    service.clock.advance(5_000);
    // The app, which is cached for as long, is read by another call.
    await service.call('GET', '/me', { appKey: app.app.appKey });
    const sent = await statements.during(() => read(app, headers));
    expect(sent).toHaveLength(1);
    expect(sent[0]).toMatch(/^SELECT version, content_hash .* FROM config_versions\s+WHERE app_id/);
  }
});

test('a database restored to an earlier time is not served from the cache', async () => {
  const app = await service.newApp();
  await write(app, { banner: 'lost' });
  const lost = await tagOf(app);
  await service.database.prisma.configVersion.deleteMany({ where: { appId: app.app.id, version: 2 } });
  await write(app, { banner: 'another' });
  const answer = await read(app, { 'if-none-match': lost });
  expect([answer.status, answer.data]).toEqual([200, { banner: 'another' }]);
});

test('the cache is bounded: the least recently used app is evicted first', async () => {
  const { configMemory } = service.deps;
  configMemory.clear();
  const filling = { content: {} as never, characters: 16_000_000 };
  configMemory.set('first', filling).set('second', filling);
  const app = await service.newApp();
  await read(app);
  expect([...configMemory.keys()]).toEqual(['second', app.app.id]);
  configMemory.set('third', filling);
  await write(app, { banner: 'new' });
  await read(app);
  expect([...configMemory.keys()]).toEqual(['third', app.app.id]);
});

test('of two changes that end in the opposite order the newer one remains', () => {
  const tags = recentValues<VersionTag>(manualClock(), recentConfigTags);
  const [second, third] = [
    { version: 2, contentHash: 'two' },
    { version: 3, contentHash: 'three' },
  ];
  expect(rememberNewestTag(tags, 'app', third)).toBe(third);
  expect(rememberNewestTag(tags, 'app', second)).toBe(third);
  expect(tags.get('app')).toBe(third);
  expect(rememberNewestTag(tags, 'other', second)).toBe(second);
});

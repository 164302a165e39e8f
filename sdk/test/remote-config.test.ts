// Remote config: ETags, offline values, parsing, and values typed by their fallback.
import { expect, test } from 'vitest';
import type { Client } from '../src/api.js';
import { remoteConfig } from '../src/features/remote-config.js';
import {
  codeOf,
  locked,
  movingClock,
  newClient,
  stopClock,
  useScriptedService,
  watchedStorage,
} from './harness.js';
import { answers, lostRequest, refuses } from './mishaps.js';
import { configRoute } from './scripted-service.js';

const service = useScriptedService();
const values = {
  url: 'https://t.me/x',
  rate: 0.5,
  open: false,
  cards: '[{"id":1}]',
  more: '{"a":null}',
  text: '[not json',
};
const once = { maxRetries: 0 };

function setValues(next: Record<string, unknown>): void {
  Object.assign(service.config, { version: service.config.version + 1, values: next });
}

const askedFor = () => service.sent(configRoute);

test('values are delivered signed out, with JSON parsed, and changes are visible at once', async () => {
  setValues(values);
  const config = remoteConfig(newClient());
  expect(await config.get()).toEqual({ ...values, cards: [{ id: 1 }], more: { a: null } });
  setValues({ url: 'changed' });
  expect(await config.get()).toEqual({ url: 'changed' });
  expect(await config.value('url', '')).toBe('changed');
  expect(askedFor()).toHaveLength(2);
  for (const { authorization, headers } of askedFor()) {
    expect(authorization).toBeUndefined();
    expect(headers['x-app-key']).toBe('app_test');
  }
});

test('the ETag is sent, and a 304 returns the values again, as fresh copies', async () => {
  setValues(values);
  const config = remoteConfig(newClient());
  const first = await config.get();
  (first.cards as unknown[]).push('spoilt');
  expect((await config.get()).cards).toEqual([{ id: 1 }]);
  expect(askedFor().map(({ headers }) => headers['if-none-match'])).toEqual([undefined, '"2"']);
});

test('a late response of an earlier call replaces nothing of a later one, in memory and in the storage', async () => {
  setValues({ a: 'old' });
  const storage = watchedStorage();
  const config = remoteConfig(newClient(), { storage });
  const { call: slow, open: letGo } = await service.holding(configRoute, () => config.get());
  setValues({ a: 'new' });
  expect(await config.get()).toEqual({ a: 'new' });
  letGo();
  expect(await slow).toEqual({ a: 'new' });
  expect(await config.value('a', '')).toBe('new');
  expect([...storage.values.values()].join()).not.toContain('old');
});

test('offline the last values are returned; without any, get rejects', async () => {
  setValues(values);
  const config = remoteConfig(newClient());
  service.next(configRoute, lostRequest);
  expect(await codeOf(config.get(once))).toBe('client/network');
  await config.get();
  service.next(configRoute, lostRequest, refuses(503, 'request/unavailable'), answers(502, '<html>'));
  for (let round = 0; round < 3; round += 1) expect(await config.get(once)).toHaveProperty('url', values.url);
});

test('a client error is not treated as offline', async () => {
  setValues(values);
  const config = remoteConfig(newClient({ appKey: 'app_other' }));
  expect(await codeOf(config.get())).toBe('request/invalid-app-key');
  expect(await codeOf(config.value('url', ''))).toBe('request/invalid-app-key');
  const known = remoteConfig(newClient());
  await known.get();
  service.next(configRoute, refuses(403, 'request/forbidden'));
  expect(await codeOf(known.get())).toBe('request/forbidden');
});

test('a transient failure is retried', async () => {
  setValues(values);
  service.next(configRoute, refuses(503, 'request/unavailable'));
  stopClock();
  const read = remoteConfig(newClient()).get();
  expect(await movingClock(read)).toHaveProperty('rate', 0.5);
});

test('a failure that lasts is retried twice', async () => {
  service.always.set(configRoute, refuses(503, 'request/unavailable'));
  stopClock();
  expect(await movingClock(codeOf(remoteConfig(newClient()).get()))).toBe('request/unavailable');
  expect(askedFor()).toHaveLength(3);
});

test('a value has the type of its fallback, or is the fallback', async () => {
  setValues(values);
  const config = remoteConfig(newClient());
  const url: string = await config.value('url', 'none');
  const rate: number = await config.value('rate', 1);
  const open: boolean = await config.value('open', true);
  const cards: { id: number }[] = await config.value('cards', [] as { id: number }[]);
  const more: { a: unknown } = await config.value('more', { a: 1 });
  expect([url, rate, open, cards, more]).toEqual([values.url, 0.5, false, [{ id: 1 }], { a: null }]);
  expect(await config.value('rate', 'none')).toBe('none');
  expect(await config.value('url', 7)).toBe(7);
  expect(await config.value('cards', { a: 1 })).toEqual({ a: 1 });
  expect(await config.value('more', [7])).toEqual([7]);
  expect(await config.value('text', {})).toEqual({});
  expect(await config.value('text', '')).toBe('[not json');
  expect(await config.value('cards', '')).toBe('[{"id":1}]');
  for (const name of ['missing', 'constructor', 'toString', '__proto__']) {
    expect(await config.value(name, 'none')).toBe('none');
  }
});

test('concurrent first values share one request, later ones send none, and get fetches again', async () => {
  setValues(values);
  const config = remoteConfig(newClient());
  await Promise.all(Array.from({ length: 20 }, () => config.value('url', '')));
  await config.value('rate', 0);
  expect(askedFor()).toHaveLength(1);
  setValues({ url: 'changed' });
  expect(await config.value('url', '')).toBe(values.url);
  await config.get();
  expect(await config.value('url', '')).toBe('changed');
});

test('offline without values the fallback is returned, until the service is reachable', async () => {
  setValues(values);
  const config = remoteConfig(newClient({ maxRetries: 0 }));
  service.next(configRoute, lostRequest);
  expect(await config.value('url', 'none')).toBe('none');
  expect(await config.value('url', 'none')).toBe(values.url);
});

test('a storage preserves the values for the next start, which costs a 304 or works offline', async () => {
  setValues(values);
  const storage = watchedStorage();
  const started = () => remoteConfig(newClient({ maxRetries: 0 }), { storage });
  await started().get();
  expect([...storage.values.keys()]).toEqual(['foyer.config.app_test']);
  await started().get();
  expect(askedFor()[1]?.headers['if-none-match']).toBe('"2"');
  service.next(configRoute, lostRequest, lostRequest);
  expect((await started().get()).cards).toEqual([{ id: 1 }]);
  expect(await started().value('rate', 1)).toBe(0.5);
});

test('a storage failure or foreign content has no effect', async () => {
  setValues(values);
  for (const stored of ['nonsense', 'null', '{"etag":1}', '{"etag":"\\"2\\""}', '[]']) {
    const storage = watchedStorage(new Map([['foyer.config.app_test', stored]]));
    expect(await remoteConfig(newClient(), { storage }).get()).toHaveProperty('rate');
  }
  const broken = watchedStorage();
  broken.before.get = broken.before.set = locked;
  expect(await remoteConfig(newClient(), { storage: broken }).get()).toHaveProperty('rate');
});

test('remoteConfig throws for an object that is not a client', () => {
  expect(() => remoteConfig({} as Client)).toThrow(
    expect.objectContaining({ code: 'client/invalid-argument' }),
  );
});

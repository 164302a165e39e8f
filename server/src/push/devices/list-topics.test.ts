// The topics of an app with the number of their devices.
import type { PushTopic } from '@foyer/contract';
import { beforeAll, expect, test } from 'vitest';
import { testService } from '../../../test/harness.js';
import { shared } from '../../../test/shared.js';
import { listTopicRows } from './store.js';

const service = shared(() => testService());
const devices = { news: 3, 'news.sports': 1, offers: 2 };

async function insertDevices(appId: string, count: number): Promise<void> {
  await service.database.prisma.$executeRaw`INSERT INTO push_devices
      (app_id, id, provider, token_hash, token, platform, environment, created_at, last_registered_at)
    SELECT ${appId}, '01JC' || lpad(n::text, 22, '0'), 'fcm', decode(md5(n::text), 'hex'), '\\x00', 'android',
      'production', now(), now() FROM generate_series(1, ${count}::int) AS n`;
}

async function insertTopic(appId: string, topic: string, count: number): Promise<void> {
  await service.database.prisma.$executeRaw`INSERT INTO push_topics (app_id, topic, device_id)
    SELECT ${appId}, ${topic}, '01JC' || lpad(n::text, 22, '0') FROM generate_series(1, ${count}::int) AS n`;
}

beforeAll(async () => {
  const other = await service.newApp();
  for (const appId of [service.app.app.id, other.app.id]) {
    await insertDevices(appId, 3);
  }
  const topics = { [service.app.app.id]: devices, [other.app.id]: { secret: 3 } };
  for (const [appId, counts] of Object.entries(topics)) {
    for (const [topic, count] of Object.entries(counts)) {
      await insertTopic(appId, topic, count);
    }
  }
});

async function list(query: string): Promise<{ items: PushTopic[]; next_cursor: string | null }> {
  const answer = await service.call('GET', `/admin/push/topics?${query}`, { token: service.app.secretKey });
  expect(answer.status).toBe(200);
  return answer.json.data;
}

test('are listed in order, page by page, without those of other apps', async () => {
  const expected = Object.entries(devices).map(([topic, device_count]) => ({
    topic,
    device_count,
    is_exact: true,
  }));
  expect(await list('')).toEqual({ items: expected, next_cursor: null });
  const first = await list('limit=2');
  expect(first.items).toEqual(expected.slice(0, 2));
  const rest = await list(`limit=2&cursor=${first.next_cursor}`);
  expect(rest).toEqual({ items: expected.slice(2), next_cursor: null });
});

test.each([
  ['n', ['news', 'news.sports']],
  ['news.', ['news.sports']],
  ['p', []],
  ['%25', []],
])('that begin with %s are %j', async (prefix, topics) => {
  expect((await list(`prefix=${prefix}`)).items.map(({ topic }) => topic)).toEqual(topics);
});

test('a count of up to 2,000 devices is exact', async () => {
  const { app, secretKey } = await service.newApp();
  await insertDevices(app.id, 2_001);
  await insertTopic(app.id, 'all', 2_001);
  await insertTopic(app.id, 'most', 2_000);
  const answer = await service.call('GET', '/admin/push/topics', { appKey: app.appKey, token: secretKey });
  expect(answer.json.data.items).toEqual([
    { topic: 'all', device_count: 2_000, is_exact: false },
    { topic: 'most', device_count: 2_000, is_exact: true },
  ]);
});

test('a count ends at its limit', async () => {
  const page = { prefix: '', after: '', limit: 10, counted: 1 };
  const rows = await listTopicRows(service.database.prisma, service.app.app.id, page);
  expect(rows).toEqual([
    { topic: 'news', devices: 2 },
    { topic: 'news.sports', devices: 1 },
    { topic: 'offers', devices: 2 },
  ]);
});

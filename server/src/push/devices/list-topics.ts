// GET /admin/push/topics: the topics of an app with the number of their devices, each read from the primary key.
import { limits, type PushTopic } from '@foyer/contract';
import * as z from 'zod';
import type { Deps } from '../../deps.js';
import { decodeCursor } from '../../lib/cursor.js';
import { type Page, type PageInput, pageOf } from '../../lib/page.js';
import { listTopicRows } from './store.js';

export async function listTopics(
  deps: Pick<Deps, 'prisma'>,
  appId: string,
  { prefix = '', ...page }: PageInput & { prefix?: string | undefined },
): Promise<Page<PushTopic>> {
  const after = page.cursor === undefined ? '' : decodeCursor(page.cursor, z.string())[0];
  const rows = await listTopicRows(deps.prisma, appId, {
    prefix,
    after,
    limit: page.limit + 1,
    counted: limits.countedTopicDevices,
  });
  return pageOf(
    rows,
    page.limit,
    ({ topic }) => [topic],
    ({ topic, devices }) => ({
      topic,
      device_count: Math.min(devices, limits.countedTopicDevices),
      is_exact: devices <= limits.countedTopicDevices,
    }),
  );
}

// Errors of devices, their topics, and messages to them.
import { ulidWithTime } from '../../src/lib/crypto/ulid-bytes.js';
import { unknownId } from '../contract-routes.js';
import type { Context, ReachedOf } from './context.js';

export function pushErrors({ service, asBackend, send, on }: Context): ReachedOf<'push'> {
  const device = (more: object) => ({ body: { provider: 'fcm', platform: 'android', ...more } });
  const message = (more: object) => ({ ...asBackend, body: { all: true, data: { order: '1' }, ...more } });

  const inSeconds = (seconds: number) =>
    new Date(service.clock.now().getTime() + seconds * 1_000).toISOString();
  const messageAt = async (send_at: string): Promise<string> =>
    (await send('pushMessages.send', message({ send_at }))).json.data.id;

  return {
    'push/device-not-found': on('push.delete', { params: { id: unknownId } }),
    'push/invalid-token': on('push.register', device({ provider: 'apns', token: 'not hex' })),
    'push/invalid-topic': on('push.subscribe', { params: { id: unknownId, topic: 'no%20topic' } }),
    'push/too-many-topics': on('push.subscribe', async () => {
      const { id } = (await send('push.register', device({ token: 'has-many-topics' }))).json.data;
      const row = { appId: service.app.app.id, deviceId: id };
      await service.database.prisma.pushTopic.createMany({
        data: Array.from({ length: 2_000 }, (_, place) => ({ ...row, topic: `topic-${place}` })),
      });
      return { params: { id, topic: 'one-more' } };
    }),
    'push/invalid-target': on('pushMessages.send', message({ topic: 'news' })),
    'push/payload-too-large': on('pushMessages.send', message({ data: { text: 'x'.repeat(3_500) } })),
    'push/invalid-send-time': on('pushMessages.send', async () =>
      message({ send_at: inSeconds(30 * 86_400 + 1) }),
    ),
    'push/too-many-scheduled': on('pushMessages.send', async () => {
      const given = await messageAt(inSeconds(3_600));
      const { id: _, ...row } = await service.database.prisma.pushMessage.findFirstOrThrow({
        where: { id: given },
      });
      await service.database.prisma.pushMessage.createMany({
        data: Array.from({ length: 999 }, () => ({
          ...row,
          target: { all: true },
          content: {},
          id: ulidWithTime(service.deps.random.ulid(service.clock.now()), new Date(inSeconds(3_600))),
        })),
      });
      return message({ send_at: inSeconds(7_200) });
    }),
    'push/not-scheduled': on('pushMessages.cancel', async () => ({
      ...asBackend,
      params: { id: await messageAt(inSeconds(-1)) },
    })),
    'push/message-not-found': on('pushMessages.get', { ...asBackend, params: { id: unknownId } }),
    'push/provider-not-configured': on('push.webKey', {}),
  };
}

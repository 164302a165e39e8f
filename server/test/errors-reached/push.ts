// Errors of devices, their topics, and messages to them.
import type { Context, ReachedOf } from './context.js';

export function pushErrors({ service }: Context): ReachedOf<'push'> {
  const registerDevice = (more: object) =>
    service.call('POST', '/push/devices', { body: { provider: 'fcm', platform: 'android', ...more } });
  const sendPush = (body: object) =>
    service.call('POST', '/admin/push/send', {
      token: service.app.secretKey,
      body: { data: { order: '1' }, ...body },
    });

  return {
    'push/device-not-found': {
      route: 'push.delete',
      ask: () => service.call('DELETE', '/push/devices/01JC4Q7M0RZ9X2V5T8W3Y6K1NB'),
    },
    'push/invalid-token': {
      route: 'push.register',
      ask: () => registerDevice({ provider: 'apns', token: 'not hex' }),
    },
    'push/invalid-topic': {
      route: 'push.subscribe',
      ask: () => service.call('PUT', '/push/devices/01JC4Q7M0RZ9X2V5T8W3Y6K1NB/topics/no%20topic'),
    },
    'push/too-many-topics': {
      route: 'push.subscribe',
      async ask() {
        const { id: deviceId } = (await registerDevice({ token: 'has-many-topics' })).json.data;
        const appId = service.app.app.id;
        const data = Array.from({ length: 2_000 }, (_, place) => ({
          appId,
          deviceId,
          topic: `topic-${place}`,
        }));
        await service.database.prisma.pushTopic.createMany({ data });
        return service.call('PUT', `/push/devices/${deviceId}/topics/one-more`);
      },
    },
    'push/invalid-target': { route: 'pushMessages.send', ask: () => sendPush({ all: true, topic: 'news' }) },
    'push/payload-too-large': {
      route: 'pushMessages.send',
      ask: () => sendPush({ all: true, data: { text: 'x'.repeat(3_500) } }),
    },
    'push/message-not-found': {
      route: 'pushMessages.get',
      ask: () =>
        service.call('GET', '/admin/push/messages/01JC4Q7M0RZ9X2V5T8W3Y6K1NB', {
          token: service.app.secretKey,
        }),
    },
    'push/provider-not-configured': {
      route: 'push.webKey',
      ask: () => service.call('GET', '/push/web-key'),
    },
  };
}

// A service whose app sends through local push providers, and the calls that tests of messages share.
import { randomUUID } from 'node:crypto';
import type { PushDevice, PushMessage, PushReceipt } from '@foyer/contract';
import { expect } from 'vitest';
import type { NewApp } from '../src/apps/create-app.js';
import { manualClock, type TestServiceOptions, type TestUser, testService } from './harness.js';
import { apnsSettings, pushProviders } from './push-providers.js';

export type PushScenario = Awaited<ReturnType<typeof pushScenario>>;
export type Device = { id: string; token: string };
export type Result = { message: PushMessage; receipts: Map<string, PushReceipt> };

export const hello = { notification: { title: 'Hello', body: 'How are you?' } };

export async function pushScenario(options: TestServiceOptions = {}) {
  const clock = options.clock ?? manualClock();
  const providers = await pushProviders(clock.now);
  const service = await testService({
    ...options,
    clock,
    config: { push: providers.addresses, outboundLoopback: true, ...options.config },
  });
  const admin = (method: string, path: string, body?: object, app = service.app) =>
    service.call(method, path, { appKey: app.app.appKey, token: app.secretKey, ...(body && { body }) });
  await service.changeSettings({
    push: {
      fcm: { service_account: providers.fcm.serviceAccount },
      apns: { ...apnsSettings, private_key: providers.apns.privateKey },
      web_push: { subject: 'mailto:push@example.com' },
    },
  });

  async function result(id: string): Promise<Result> {
    const message = (await admin('GET', `/admin/push/messages/${id}`)).json.data as PushMessage;
    const page = (await admin('GET', `/admin/push/messages/${id}/receipts?limit=100`)).json.data;
    const receipts = (page.items as PushReceipt[]).map((receipt) => [receipt.device_id, receipt] as const);
    return { message, receipts: new Map(receipts) };
  }

  const send = (body: object, app?: NewApp) => admin('POST', '/admin/push/send', body, app);

  return {
    service,
    providers,
    send,
    result,
    async register(
      provider: 'fcm' | 'apns' | 'webpush',
      { user, environment }: { user?: TestUser; environment?: string } = {},
    ): Promise<Device> {
      const given =
        provider === 'webpush'
          ? { ...providers.web.subscription(), platform: 'web' }
          : provider === 'apns'
            ? { token: randomUUID().replaceAll('-', '').repeat(2), platform: 'ios' }
            : { token: `token-${randomUUID()}`, platform: 'android' };
      const answer = await service.call<PushDevice>('POST', '/push/devices', {
        body: { provider, ...given, ...(environment && { environment }) },
        token: user?.tokens.access_token,
      });
      expect(answer.status).toBe(201);
      return { id: answer.data.id, token: given.token };
    },
    /** Sends, runs the queue, and returns the message with its receipts by device. */
    async sent(body: object) {
      const answer = await send(body);
      expect([answer.status, answer.text]).toEqual([202, expect.any(String)]);
      await service.deps.queue.runNow();
      return result((answer.json.data as { id: string }).id);
    },
    async statusOf({ id }: Device) {
      const row = await service.database.prisma.pushDevice.findFirst({ where: { id } });
      return row === null ? 'gone' : row.invalidAt ? 'invalid' : 'active';
    },
    async stop() {
      await service.stop();
      await providers.stop();
    },
  };
}

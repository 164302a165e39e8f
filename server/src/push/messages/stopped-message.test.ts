// A message that is stopped while devices await their second attempt.
import { beforeEach, describe, expect, test } from 'vitest';
import { fcmRefusal, type Said } from '../../../test/push-providers.js';
import { type Device, hello, pushScenario } from '../../../test/push-scenario.js';
import { shared } from '../../../test/shared.js';

const scenario = shared(() => pushScenario());
beforeEach(() => scenario.service.database.prisma.pushDevice.deleteMany());

describe('a message that is stopped in its second pass', () => {
  const says = ({ token }: Device, said: Said) => scenario.providers.fcm.says(token, said);
  const switchOn = (enabled: boolean) =>
    scenario.service.database.prisma.app.update({
      where: { id: scenario.service.app.app.id },
      data: { enabled },
    });
  const refuse = (said: Said | null) => {
    scenario.providers.fcm.forgetTokens();
    scenario.providers.fcm.refuseAccount = said;
  };

  test.each<[string, string, () => unknown, () => unknown]>([
    ['the app is switched off', 'app-switched-off', () => switchOn(false), () => switchOn(true)],
    [
      'the credentials are refused',
      'credentials-refused',
      () => refuse({ status: 400, body: { error: 'invalid_grant' } }),
      () => refuse(null),
    ],
  ])('because %s, retries no device and counts every attempted one', async (_, error, stop, undo) => {
    const accepting = await scenario.register('fcm');
    const gone = await scenario.register('fcm');
    says(gone, fcmRefusal(404, 'NOT_FOUND', 'UNREGISTERED'));
    // They await their second attempt when the message is stopped.
    const waiting = await Promise.all(Array.from({ length: 10 }, () => scenario.register('fcm')));
    for (const device of waiting) says(device, fcmRefusal(503, 'UNAVAILABLE', 'UNAVAILABLE'));
    const first = await scenario.sent({ ...hello, all: true });
    const again = await scenario.sent({ ...hello, device_ids: waiting.map(({ id }) => id) });
    expect(first.message).toMatchObject({ status: 'sending', accepted_count: 1, failed_count: 0 });
    // A message that no device is retried for ends before.
    const ended = await scenario.sent({ ...hello, device_ids: [accepting.id] });
    expect(ended.message).toMatchObject({ status: 'done', accepted_count: 1 });
    await stop();
    await scenario.service.advance(61_000);
    await undo();
    await scenario.service.advance(3_600_000);
    const { message, receipts } = await scenario.result(first.message.id);
    const counts = { target_count: 12, accepted_count: 1, invalid_count: 1, failed_count: 10 };
    expect(message).toMatchObject({ status: 'failed', error, finished_at: expect.any(String), ...counts });
    expect(receipts.size).toBe(12);
    for (const { id } of waiting) expect(receipts.get(id)?.status).toBe('failed');
    // Another message to the same devices has receipts and counts of its own.
    const other = await scenario.result(again.message.id);
    expect(other.message).toMatchObject({ status: 'failed', error, target_count: 10, failed_count: 10 });
    expect([...other.receipts.values()].map(({ status }) => status)).toEqual(Array(10).fill('failed'));
    const tokens = waiting.map(({ token }) => token);
    const called = scenario.providers.fcm.received.map(({ token }) => token);
    // Once each by each message.
    expect(called.filter((token) => tokens.includes(token)).sort()).toEqual([...tokens, ...tokens].sort());
  });
});

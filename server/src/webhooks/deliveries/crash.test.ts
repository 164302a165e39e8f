// kill -9 between commit and delivery: every committed event arrives, interrupted attempts are repeated.
import type { TokenAnswer } from '@foyer/contract';
import { openDatabase } from '@foyer/prisma';
import { createTestPlace, type TestPlace } from '@foyer/prisma/testing';
import { Webhook as Verifier } from 'standardwebhooks';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type FoyerProcess, startFoyer } from '../../../test/foyer-process.js';
import { freePort } from '../../../test/free-port.js';
import {
  cheapPasswordHasher,
  type TestService,
  testEncryptionKey,
  testService,
} from '../../../test/harness.js';
import { type Receiver, startReceiver, type WebhookWithSecret } from '../../../test/webhook-scenario.js';
import { systemClock } from '../../lib/clock.js';

// Starts a process twice: seconds on an idle machine, minutes on a busy one.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 60_000 });

const usersPerProcess = 12;

let place: TestPlace;
let receiver: Receiver;
let running: FoyerProcess | undefined;
beforeAll(async () => {
  place = await createTestPlace();
  receiver = await startReceiver();
});
afterAll(async () => {
  await running?.kill('SIGKILL');
  await receiver.close();
  await place.remove();
});

async function serviceHere(firstApp?: TestService['app']): Promise<TestService> {
  return testService({
    database: await openDatabase(place),
    config: { outboundLoopback: true },
    overrides: { clock: systemClock, passwordHasher: await cheapPasswordHasher() },
    ...(firstApp && { firstApp }),
  });
}

test('a killed service loses no pending event', async () => {
  const prepared = await serviceHere();
  const { app } = prepared;
  const body = { url: receiver.url, types: ['user.created'] };
  const token = app.secretKey;
  const made = await prepared.call<WebhookWithSecret>('POST', '/admin/webhooks', { token, body });
  await prepared.stop();

  // The receiver never answers: the kill interrupts running attempts, and most are not started.
  receiver.answer(() => {});
  const port = String(await freePort());
  running = await startFoyer({
    ...place.env,
    PORT: port,
    HOST: '127.0.0.1',
    ENCRYPTION_KEYS: testEncryptionKey,
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'fatal',
    OUTBOUND_LOOPBACK: 'on',
  });
  const signUp = async (place: number): Promise<string> => {
    const response = await fetch(`http://127.0.0.1:${port}/api/v2/auth/sign-up`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-app-key': app.app.appKey },
      body: JSON.stringify({ email: `user${place}@example.com`, password: 'correct horse battery staple' }),
    });
    expect(response.status).toBe(201);
    return ((await response.json()) as { data: TokenAnswer }).data.user.uid;
  };
  const uids = [];
  for (let count = 0; count < usersPerProcess; count += 1) uids.push(await signUp(count));
  await vi.waitFor(() => expect(receiver.received.length).toBeGreaterThan(0), { timeout: 30_000 });
  // Killed after the response and before the next poll.
  uids.push(await signUp(usersPerProcess));
  await running.kill('SIGKILL');
  const cutOff = receiver.received.map(({ payload }) => payload.id);

  receiver.answer(204);
  receiver.received.length = 0;
  const next = await serviceHere(app);
  const { prisma } = next.database;
  // Expires the leases of the interrupted attempts, and the pause after one that timed out on a slow machine:
  // this service uses the real clock.
  await prisma.webhookDelivery.updateMany({
    where: { nextAttemptAt: { not: null } },
    data: { nextAttemptAt: systemClock.now() },
  });
  await next.advance(0);
  const got = receiver.received.map(({ payload }) => (payload.data as { user: { uid: string } }).user.uid);
  expect(got.toSorted()).toEqual(uids.toSorted());
  const again = receiver.received.map(({ payload }) => payload.id);
  expect(again).toEqual(expect.arrayContaining(cutOff));
  for (const { body: text, headers } of receiver.received) {
    expect(new Verifier(made.data.secret).verify(text, headers)).toBeTruthy();
  }
  expect(await prisma.event.count({ where: { pending: true } })).toBe(0);
  await next.stop();
});

// kill -9 during a message to 10,000 devices: each of them gets it, twice only if a provider's answer was lost, and the
// process needs no more memory before the kill than at the beginning.
import type { PushMessage } from '@foyer/contract';
import { openDatabase } from '@foyer/prisma';
import { createTestPlace, type TestPlace } from '@foyer/prisma/testing';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { encryptToken, hashToken } from '../src/push/devices/encrypted-tokens.js';
import { startFoyer } from './foyer-process.js';
import { freePort } from './free-port.js';
import {
  manualClock,
  type TestService,
  type TestServiceOptions,
  testEncryptionKey,
  testService,
} from './harness.js';
import { type PushProviders, pushProviders } from './push-providers.js';
import { inFull, thorough } from './thorough.js';

vi.setConfig({ testTimeout: 600_000, hookTimeout: 120_000 });

const deviceCount = inFull(10_000, 500);
const blowAfter = inFull(8_000, 200);
const sendsAtOnce = 100;
/**
 * All tokens together are 40 MB in the full run, and as much again encrypted: holding them all would show in the heap.
 */
const tokenCharacters = 4_000;
const maxGrowthBytes = 40 * 1_024 * 1_024;

let place: TestPlace;
let providers: PushProviders;
let prepared: TestService;
beforeAll(async () => {
  place = await createTestPlace();
  providers = await pushProviders(() => new Date());
  prepared = await testService({
    database: await openDatabase(place),
    clock: manualClock(new Date()),
    config: { push: providers.addresses },
  });
});
afterAll(async () => {
  await providers.stop();
  await place.remove();
});

/** A service in this process on the database of the other, while that is not running. */
async function serviceHere(options: TestServiceOptions = {}): Promise<TestService> {
  const database = await openDatabase(place);
  return testService({
    ...options,
    database,
    clock: manualClock(new Date()),
    config: { push: providers.addresses },
  });
}

const tokenOf = (number: number) => `device-${number}-`.padEnd(tokenCharacters, 'x');
const idOf = (number: number) => `01JC4Q7M0R${String(number).padStart(16, '0')}`;

async function subscribeDevices(): Promise<void> {
  const { prisma, keyRing } = { ...prepared.deps, ...prepared.database };
  const appId = prepared.app.app.id;
  const now = prepared.clock.now();
  for (let from = 0; from < deviceCount; from += 500) {
    const numbers = Array.from({ length: 500 }, (_, place) => from + place);
    const data = numbers.map((number) => {
      const tokenHash = new Uint8Array(hashToken(tokenOf(number)));
      const key = { appId, provider: 'fcm', tokenHash } as const;
      const token = new Uint8Array(encryptToken(keyRing, key, { token: tokenOf(number), keys: null }));
      const more = { platform: 'android', environment: 'production', createdAt: now, lastRegisteredAt: now };
      return { ...key, ...more, id: idOf(number), token };
    });
    await prisma.pushDevice.createMany({ data });
    await prisma.pushTopic.createMany({
      data: numbers.map((number) => ({ appId, topic: 'news', deviceId: idOf(number) })),
    });
  }
}

test(`${deviceCount} devices on a topic get one message each, although the process is killed midway`, async () => {
  const as = { token: prepared.app.secretKey };
  await prepared.changeSettings({ push: { fcm: { service_account: providers.fcm.serviceAccount } } });
  await subscribeDevices();
  const sent = await prepared.call<{ id: string; target_count: number }>('POST', '/admin/push/send', {
    ...as,
    body: { topic: 'news', data: { text: 'hello' } },
  });
  expect(sent.data.target_count).toBe(deviceCount);
  await prepared.stop();

  const [port, metricsPort] = [String(await freePort()), String(await freePort())];
  const env = {
    ...place.env,
    PORT: port,
    METRICS_PORT: metricsPort,
    HOST: '127.0.0.1',
    ENCRYPTION_KEYS: testEncryptionKey,
    LOG_LEVEL: 'fatal',
    // Little more heap than the process needs at rest: a leak shows soon, or ends the process.
    NODE_OPTIONS: '--max-old-space-size=112',
    FCM_URL: providers.addresses.fcmUrl,
    FCM_TOKEN_URL: providers.addresses.fcmTokenUrl,
  };
  const { received } = providers.fcm;
  const killed = await startFoyer(env);
  onTestFinished(async () => void (await killed.kill('SIGKILL')));
  const memory: number[] = [];
  while (received.length < blowAfter && killed.isRunning()) {
    if (thorough) memory.push(await memoryOf(metricsPort));
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  await killed.kill('SIGKILL');
  const receivedAtKill = received.length;
  expect(receivedAtKill).toBeLessThan(deviceCount);

  const after = await serviceHere({ firstApp: prepared.app });
  const { prisma } = after.database;
  const receipts = await prisma.pushReceipt.findMany();
  expect(receipts.length).toBeGreaterThanOrEqual(blowAfter - sendsAtOnce);
  /** Whether the message was received before the kill and is not due again: its answer may have been read too late. */
  const isWritten = new Map(receipts.map(({ deviceId, status }) => [deviceId, status !== 'retrying']));
  // After two minutes the batch of a dead process is taken over; what a busy machine answers late is sent again later.
  const state = async () =>
    (await after.call<PushMessage>('GET', `/admin/push/messages/${sent.data.id}`, as)).data;
  for (let round = 0; round < 10 && (await state()).status !== 'done'; round += 1) {
    await after.advance(121_000);
  }
  expect(await state()).toMatchObject({ status: 'done', accepted_count: deviceCount, failed_count: 0 });
  await after.stop();

  const tokens = received.map(({ token }) => token);
  expect(new Set(tokens).size).toBe(deviceCount);
  const beforeKill = new Set(tokens.slice(0, receivedAtKill));
  const repeated = new Set(tokens.slice(receivedAtKill).filter((token) => beforeKill.has(token)));
  const wasWritten = [...repeated].map((token) => isWritten.get(idOf(Number(token.split('-')[1]))));
  // A device whose receipt was written gets no second message.
  expect(wasWritten.filter((is) => is === true)).toEqual([]);
  // What had no receipt at the kill was repeated because of it.
  expect(wasWritten.filter((is) => is === undefined).length).toBeLessThanOrEqual(sendsAtOnce);

  // A short run ends before there is anything to compare.
  if (!thorough) return;
  const third = Math.floor(memory.length / 3);
  const growth = Math.min(...memory.slice(-third)) - Math.min(...memory.slice(0, third));
  expect(growth).toBeLessThan(maxGrowthBytes);
});

/** The heap and the external memory of the process. */
async function memoryOf(port: string): Promise<number> {
  // A new connection: the server may close a keep-alive one just as it is used again.
  const headers = { connection: 'close' };
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`, { headers })).text();
  const figure = (name: string) => Number(new RegExp(`^foyer_nodejs_${name} (\\S+)`, 'm').exec(text)?.[1]);
  return figure('heap_size_used_bytes') + figure('external_memory_bytes');
}

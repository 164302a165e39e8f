// A Redis that never answers; server/test/redis-refusals.test.ts has one that answers again.
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { pino } from 'pino';
import { expect, onTestFinished, test, vi } from 'vitest';
import { type RedisAddress, redisAddress } from './redis-address.js';
import { redisWindows } from './redis-windows.js';

test('a Redis that does not answer is asked once in each interval, and holds one connection', async () => {
  const accepted: Socket[] = [];
  const server = createServer((socket) => {
    accepted.push(socket.resume().on('error', () => {}));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  let passed = 0;
  const now = performance.now.bind(performance);
  const time = vi.spyOn(performance, 'now').mockImplementation(() => now() + passed);
  const restMilliseconds = 3_600_000;
  const address = redisAddress(`redis://127.0.0.1:${(server.address() as AddressInfo).port}`) as RedisAddress;
  const patience = { answerMilliseconds: 20, connectMilliseconds: 200, restMilliseconds };
  const windows = await redisWindows(address, pino({ level: 'silent' }), patience);
  onTestFinished(async () => {
    time.mockRestore();
    await windows.close();
    for (const socket of accepted) socket.destroy();
    server.close();
  });
  const window = { policy: 'client', key: 'app key', limit: 10, windowMilliseconds: 60_000 };
  const connectionsAfterCalls = async () => {
    for (let calls = 0; calls < 5; calls += 1) await windows.consume([window], 0);
    await expect.poll(() => accepted.filter(({ destroyed }) => !destroyed)).toHaveLength(1);
    return accepted.length;
  };
  expect(await connectionsAfterCalls()).toBe(1);
  passed += restMilliseconds;
  await expect.poll(connectionsAfterCalls).toBe(2);
  expect(await connectionsAfterCalls()).toBe(2);
});

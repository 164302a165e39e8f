// How much memory unauthenticated attackers can make a small process hold, measured on a real one with a heap of 512
// MB.
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import type { TestPlace } from '@foyer/prisma/testing';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { NewApp } from '../src/apps/create-app.js';
import { type FoyerProcess, startFoyer } from './foyer-process.js';
import { freePort } from './free-port.js';
import { testEncryptionKey } from './harness.js';
import { placeWithApp } from './place-with-app.js';
import { inFull } from './thorough.js';

const mebibyte = 1_024 * 1_024;
const attackMilliseconds = inFull(4_000, 1_500);

let place: TestPlace;
let foyer: FoyerProcess;
let port: number;
let app: NewApp;
beforeAll(async () => {
  ({ place, app } = await placeWithApp());
  port = await freePort();
  foyer = await startFoyer({
    ...place.env,
    PORT: String(port),
    HOST: '127.0.0.1',
    ENCRYPTION_KEYS: testEncryptionKey,
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'fatal',
    NODE_OPTIONS: '--max-old-space-size=512',
  });
  // Warm-up: what the first calls load and compile stays in memory.
  for (let i = 0; i < 20; i += 1) await fetch(`http://127.0.0.1:${port}/api/v2/openapi.json`);
});
afterAll(async () => {
  await foyer?.kill('SIGKILL');
  await place.remove();
});

const resident = () => {
  const [, kibibytes] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${foyer.pid}/status`, 'utf8')) ?? [];
  return Number(kibibytes) * 1_024;
};

/** The peak memory of the process during the work, less what it held before. */
async function growth(work: () => Promise<unknown>): Promise<number> {
  const before = resident();
  let most = before;
  const look = setInterval(() => {
    most = Math.max(most, resident());
  }, 10);
  try {
    await work();
  } finally {
    clearInterval(look);
  }
  return most - before;
}

function attacker(): Socket {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  return socket;
}

function headOf(path: string, ...more: string[]): string {
  const headers = ['Host: a', `X-App-Key: ${app.app.appKey}`, 'Content-Type: application/json', ...more];
  return [`POST /api/v2${path} HTTP/1.1`, ...headers, '\r\n'].join('\r\n');
}

const onLinux = test.runIf(process.platform === 'linux');
const alive = async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).status;
const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

onLinux(
  'a connection that requests the OpenAPI document 1,300 times and reads nothing costs less than 50 MB',
  async () => {
    const request = 'GET /api/v2/openapi.json HTTP/1.1\r\nHost: a\r\n\r\n';
    const grown = await growth(async () => {
      const socket = attacker();
      socket.pause();
      socket.write(request.repeat(1_300));
      await pause(attackMilliseconds);
      expect(await alive()).toBe(200);
      socket.destroy();
    });
    expect(grown).toBeLessThan(50 * mebibyte);
  },
);

onLinux(
  '100 connections that send bodies of 1.1 MiB to /data without a token cost less than 300 MB',
  async () => {
    const body = Buffer.from(`{"fields":{"a":[${'[],'.repeat(380_000)}0]}}`);
    const head = headOf('/data/anything', `Content-Length: ${body.length}`);
    const request = Buffer.concat([Buffer.from(head), body]);
    let ended = false;
    const grown = await growth(async () => {
      const sockets = Array.from({ length: 100 }, attacker);
      for (const socket of sockets) {
        const send = () => {
          while (!ended && socket.writable && socket.write(request));
        };
        socket.resume();
        socket.on('drain', send);
        socket.on('connect', send);
      }
      await pause(attackMilliseconds);
      expect(await alive()).toBe(200);
      ended = true;
      for (const socket of sockets) socket.destroy();
    });
    expect(grown).toBeLessThan(300 * mebibyte);
  },
);

onLinux('100 connections that send bodies in chunks of one byte cost less than 300 MB', async () => {
  const head = headOf('/push/devices', 'Transfer-Encoding: chunked');
  // The last chunk is missing, so that each body stays in memory.
  const request = Buffer.from(head + '1\r\n \r\n'.repeat(100_000));
  const grown = await growth(async () => {
    const sockets = Array.from({ length: 100 }, attacker);
    for (const socket of sockets) {
      socket.resume();
      socket.write(request);
    }
    await vi.waitUntil(() => sockets.every((socket) => socket.destroyed || socket.writableLength === 0), {
      timeout: 60_000,
      interval: 100,
    });
    expect(await alive()).toBe(200);
    for (const socket of sockets) socket.destroy();
  });
  expect(grown).toBeLessThan(300 * mebibyte);
});

// A slow body: timed out after thirty checks, except an upload that progresses.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { Readable } from 'node:stream';
import { contract } from '@foyer/contract';
import { afterEach, expect, test, vi } from 'vitest';
import { type RawConnection, rawConnection } from '../../test/raw-http.js';
import { refuseBrokenRequests } from './broken-request.js';
import { cutSlowRequests } from './slow-requests.js';

const lookMilliseconds = 10;
const longestMilliseconds = 31 * lookMilliseconds;
let server: Server;
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/** Sends the head of a request that promises 1,000 bytes. */
async function begun(route: object, onRequest = (_res: ServerResponse) => {}): Promise<RawConnection> {
  server = createServer((req: IncomingMessage & { tsRestRoute?: object }, res) => {
    req.tsRestRoute = route;
    req.resume();
    onRequest(res);
  });
  refuseBrokenRequests(server);
  cutSlowRequests(server, lookMilliseconds);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const connection = await rawConnection((server.address() as AddressInfo).port);
  connection.send('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n');
  return connection;
}

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** A byte at a time, for longer than a request may take. */
async function trickle(connection: RawConnection): Promise<void> {
  for (let sent = 0; sent < 3 * longestMilliseconds; sent += 50) {
    if (connection.socket.destroyed) return;
    connection.send('x');
    await pause(50);
  }
}

test('a body that stalls is answered request/timeout', async () => {
  const connection = await begun(contract.signIn.withPassword);
  expect(await connection.answer()).toMatchObject({
    status: 408,
    json: { error: { code: 'request/timeout' } },
  });
  await connection.closed();
});

test('a body that trickles gets no extra time', async () => {
  const connection = await begun(contract.signIn.withPassword);
  const [answer] = await Promise.all([connection.answer(), trickle(connection).catch(() => {})]);
  expect(answer.status).toBe(408);
});

test('an upload continues while it progresses, and times out when it stalls', async () => {
  const connection = await begun(contract.files.upload);
  await trickle(connection);
  expect(connection.socket.destroyed).toBe(false);
  expect((await connection.answer()).status).toBe(408);
});

test('a refused upload gets no extra time', async () => {
  const connection = await begun(contract.files.upload, (res) => res.writeHead(413).end());
  expect((await connection.answer()).status).toBe(413);
  await Promise.all([connection.closed(), trickle(connection).catch(() => {})]);
});

test('a complete request is not timed out, however long its answer takes', async () => {
  const connection = await begun(contract.signIn.withPassword, (res) => {
    setTimeout(() => res.end('"late"'), 2 * longestMilliseconds);
  });
  connection.send('x'.repeat(1_000));
  expect((await connection.answer()).text).toBe('"late"');
});

/** Answers every request on a server with the given check interval; 60 checks without progress end a connection. */
async function answering(lookMilliseconds: number, answer: (res: ServerResponse) => void) {
  const unfinished = new Set<ServerResponse>();
  server = createServer((_, res) => {
    unfinished.add(res);
    res.on('close', () => unfinished.delete(res));
    answer(res);
  });
  cutSlowRequests(server, lookMilliseconds);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    unfinished,
    ask() {
      const socket = connect(port, '127.0.0.1');
      socket.on('error', () => {});
      socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
      return socket;
    },
  };
}

test('an answer that is not read is cut off, and one that is read continues', async () => {
  const { unfinished, ask } = await answering(5, (res) => {
    const zeros = Buffer.alloc(65_536);
    const endless: Readable = new Readable({ read: () => void setTimeout(() => endless.push(zeros), 1) });
    endless.pipe(res);
  });
  const [stalled, reading] = [ask(), ask()];
  stalled.pause();
  reading.resume();
  await vi.waitUntil(() => unfinished.size === 2, { timeout: 15_000, interval: 5 });
  await vi.waitUntil(() => unfinished.size === 1, { timeout: 30_000 });
  const { bytesRead } = reading;
  await vi.waitUntil(() => reading.bytesRead > bytesRead, { timeout: 15_000 });
  stalled.destroy();
  reading.destroy();
});

test('an answer written at once and read slowly, for longer than the stall limit, arrives complete', async () => {
  const bytes = 48 * 1_024 * 1_024;
  const look = 10;
  const { unfinished, ask } = await answering(look, (res) => res.end(Buffer.alloc(bytes)));
  const socket = ask();
  const startedAt = performance.now();
  let read = 0;
  for await (const chunk of socket) {
    const steps = Math.floor(read / 4_194_304);
    read += (chunk as Buffer).length;
    if (read >= bytes) break;
    // Twelve pauses together take longer than the sixty checks.
    if (Math.floor(read / 4_194_304) > steps) await pause(10 * look);
  }
  expect(read).toBeGreaterThanOrEqual(bytes);
  expect(performance.now() - startedAt).toBeGreaterThan(60 * look);
  await vi.waitUntil(() => unfinished.size === 0);
});

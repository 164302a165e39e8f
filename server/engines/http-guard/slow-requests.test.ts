// A slow body: timed out after thirty checks, except an upload that progresses at 1 KiB a check. The tests make the checks.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { contract } from '@foyer/contract';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type RawConnection, rawConnection } from '../../test/raw-http.js';
import { until } from '../../test/until.js';
import { refuseBrokenRequests } from './broken-request.js';
import { cutSlowRequests } from './slow-requests.js';

let server: Server;
const exchanges: { req: IncomingMessage; res: ServerResponse }[] = [];
const unfinished = () => exchanges.filter(({ res }) => !res.closed).length;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
  vi.useRealTimers();
  exchanges.length = 0;
});

const check = (times: number) => void vi.advanceTimersByTime(times * 1_000);

/** Answers the requests to all routes with `answer`. */
async function listening(answer: (res: ServerResponse) => void, route?: object): Promise<RawConnection> {
  server = createServer((req: IncomingMessage & { tsRestRoute?: object | undefined }, res) => {
    exchanges.push({ req, res });
    req.tsRestRoute = route;
    req.resume();
    answer(res);
  });
  refuseBrokenRequests(server);
  cutSlowRequests(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return connected();
}

async function connected(): Promise<RawConnection> {
  const connection = await rawConnection((server.address() as AddressInfo).port);
  connection.socket.on('error', () => {});
  return connection;
}

/** Sends the head of a request that promises `length` bytes. */
async function begun(
  route: object,
  answer = (_res: ServerResponse) => {},
  length = 1_000,
): Promise<RawConnection> {
  const connection = await listening(answer, route);
  connection.send(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n\r\n`);
  await until(() => exchanges.length === 1);
  return connection;
}

/** So many bytes before each check. */
async function trickle(connection: RawConnection, checks: number, bytes = 1): Promise<void> {
  const { socket } = exchanges[0]!.req;
  for (let sent = 0; sent < checks && !socket.destroyed; sent += 1) {
    const { bytesRead } = socket;
    connection.send('x'.repeat(bytes));
    await until(() => socket.destroyed || socket.bytesRead >= bytesRead + bytes);
    check(1);
  }
}

test('a body that stalls for 30 checks is answered request/timeout', async () => {
  const connection = await begun(contract.signIn.withPassword);
  check(30);
  expect(exchanges[0]!.req.socket.writableEnded).toBe(false);
  check(1);
  expect(await connection.answer()).toMatchObject({
    status: 408,
    json: { error: { code: 'request/timeout' } },
  });
  await connection.closed();
});

test('a body that trickles gets no extra time', async () => {
  const connection = await begun(contract.signIn.withPassword);
  await trickle(connection, 31);
  expect((await connection.answer()).status).toBe(408);
});

test('an upload of 1 KiB a check continues, and times out when it stalls', async () => {
  const connection = await begun(contract.files.upload, undefined, 1_000_000);
  await trickle(connection, 90, 1_024);
  check(30);
  expect(exchanges[0]!.req.socket.writableEnded).toBe(false);
  check(1);
  expect((await connection.answer()).status).toBe(408);
});

test('an upload of less than 1 KiB a check times out', async () => {
  const connection = await begun(contract.files.upload, undefined, 1_000_000);
  await trickle(connection, 31, 990);
  expect((await connection.answer()).status).toBe(408);
});

test('a refused upload gets no extra time', async () => {
  const connection = await begun(contract.files.upload, (res) => res.writeHead(413).end());
  expect((await connection.answer()).status).toBe(413);
  check(31);
  await connection.closed();
});

test('a complete request is not timed out, however long its answer takes', async () => {
  const connection = await begun(contract.signIn.withPassword);
  const { req, res } = exchanges[0]!;
  connection.send('x'.repeat(1_000));
  await until(() => req.complete);
  check(100);
  res.end('"late"');
  expect((await connection.answer()).text).toBe('"late"');
});

test('an answer that is not read for 60 checks is cut off, and one that is read continues', async () => {
  const stalled = await listening((res) => {
    const zeros = Buffer.alloc(65_536);
    const endless: Readable = new Readable({ read: () => void setTimeout(() => endless.push(zeros), 1) });
    endless.pipe(res);
  });
  const reading = await connected();
  for (const { socket, send } of [stalled, reading]) {
    socket.removeAllListeners('data');
    send('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  }
  stalled.socket.pause();
  reading.socket.resume();
  await until(() => exchanges.length === 2);
  for (let checks = 0; unfinished() === 2 && checks < 5_000; checks += 1) {
    const { bytesRead } = reading.socket;
    await until(() => reading.socket.bytesRead > bytesRead);
    check(1);
  }
  expect(unfinished()).toBe(1);
  const { bytesRead } = reading.socket;
  await until(() => reading.socket.bytesRead > bytesRead);
  for (const { socket } of [stalled, reading]) socket.destroy();
});

test('an answer of which nothing is read is cut off after the sixtieth check', async () => {
  const connection = await listening((res) => void res.write('x'));
  connection.send('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await until(() => exchanges.length === 1);
  const { socket } = exchanges[0]!.req;
  check(1);
  Object.defineProperty(socket, 'writableLength', { get: () => 1 });
  Object.defineProperty(socket, 'bytesWritten', { get: () => 0 });
  check(60);
  expect(socket.destroyed).toBe(false);
  check(1);
  expect(socket.destroyed).toBe(true);
});

test.each([
  ['1,000 bytes a check is cut off', 1_000, true],
  ['1 KiB a check continues', 1_024, false],
])('an answer that is read at %s', async (_, bytesPerCheck, isCut) => {
  const connection = await listening((res) => void res.write('x'));
  connection.send('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await until(() => exchanges.length === 1);
  const { socket } = exchanges[0]!.req;
  // The kernel accepts as much as the client reads, in pieces that no test can determine.
  let read = 0;
  Object.defineProperty(socket, 'writableLength', { get: () => 1 });
  Object.defineProperty(socket, 'bytesWritten', { get: () => read });
  for (let checks = 0; checks < 200 && !socket.destroyed; checks += 1) {
    read += bytesPerCheck;
    check(1);
  }
  expect(socket.destroyed).toBe(isCut);
});

test('an answer written at once and read slowly, for longer than the stall limit, arrives complete', async () => {
  const bytes = 48 * 1_024 * 1_024;
  const { socket, send } = await listening((res) => res.end(Buffer.alloc(bytes)));
  socket.removeAllListeners('data');
  send('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  let read = 0;
  for await (const chunk of socket) {
    const steps = Math.floor(read / 4_194_304);
    read += (chunk as Buffer).length;
    if (read >= bytes) break;
    // Twelve pauses of ten checks, together longer than sixty.
    if (Math.floor(read / 4_194_304) > steps) check(10);
  }
  expect(read).toBeGreaterThanOrEqual(bytes);
  await until(() => unfinished() === 0);
});

test('a connection that has closed is checked no more, and after the last one no check is made', async () => {
  const connection = await listening((res) => res.end('quick'));
  connection.send('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await connection.answer();
  const { socket } = exchanges[0]!.req;
  connection.close();
  await until(() => socket.destroyed);
  let checks = 0;
  Object.defineProperty(socket, 'writableLength', {
    get: () => {
      checks += 1;
      return 0;
    },
  });
  check(1);
  expect(checks).toBe(0);
  await new Promise((resolve) => server.close(resolve));
  expect(vi.getTimerCount()).toBe(0);
});

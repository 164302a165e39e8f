// Broken bodies of requests that are already being answered. test/broken-requests.test.ts has the refusals of the service.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { Request, Response } from 'express';
import { expect, onTestFinished, test, vi } from 'vitest';
import { rawConnection } from '../../test/raw-http.js';
import { until } from '../../test/until.js';
import { refuseBrokenRequests, requireHost } from './broken-request.js';

test('an answer that is sent before the refusal of its broken body is ready is the last on its connection', async () => {
  const server = createServer((_req, res) => void setTimeout(() => res.end('early'), 50));
  onTestFinished(() => void server.close());
  let refused = false;
  refuseBrokenRequests(server, {
    answer: () => {
      refused = true;
      return { status: 400, body: {}, headers: {} };
    },
    ready: () => new Promise((resolve) => setTimeout(resolve, 200)),
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const connection = await rawConnection((server.address() as AddressInfo).port);
  connection.send('POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n');
  const answer = await connection.answer();
  expect([answer.status, answer.headers.get('connection')]).toEqual([200, 'close']);
  await connection.closed();
  expect(refused).toBe(false);
});

test('a request that is followed by no request is answered, as the last on its connection', async () => {
  const answers: (() => void)[] = [];
  const server = createServer((_req, res) => void answers.push(() => res.end('whole')));
  onTestFinished(() => void server.close());
  refuseBrokenRequests(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const connection = await rawConnection((server.address() as AddressInfo).port);
  const broken = new Promise((resolve) => server.once('clientError', resolve));
  connection.send('GET / HTTP/1.1\r\nHost: x\r\n\r\nno request\r\n\r\n');
  await broken;
  answers[0]?.();
  const answer = await connection.answer();
  expect([answer.status, answer.headers.get('connection')]).toEqual([200, 'close']);
  await connection.closed();
});

test('a client that does not close its side after a refusal is disconnected a second later', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const server = createServer();
  onTestFinished(() => void server.close());
  refuseBrokenRequests(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const accepted = once(server, 'connection') as Promise<[Socket]>;
  const client = connect({ port: (server.address() as AddressInfo).port, allowHalfOpen: true });
  onTestFinished(() => void client.destroy());
  const [socket] = await accepted;
  client.resume().write('no request\r\n\r\n');
  await once(client, 'end');
  vi.advanceTimersByTime(999);
  expect(socket.destroyed).toBe(false);
  vi.advanceTimersByTime(1);
  expect(socket.destroyed).toBe(true);
});

test('a response that has begun is cut off by a broken body, and nothing else is written into it', async () => {
  const server = createServer(
    (_req, res) => void res.writeHead(200, { 'Content-Length': 100 }).write('begun'),
  );
  onTestFinished(() => void server.close());
  refuseBrokenRequests(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { socket, ...connection } = await rawConnection((server.address() as AddressInfo).port);
  let received = '';
  socket.on('data', (chunk) => {
    received += chunk;
  });
  connection.send('POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n');
  await until(() => received.endsWith('begun'));
  connection.send('ZZ\r\n');
  await connection.closed();
  expect(received).toMatch(/begun$/);
});

test.each([
  [['Host', 'x', 'From', 'ada@example.com'], undefined],
  [['hOST', 'x'], undefined],
  [['From', 'ada@example.com'], 'request/malformed-http'],
  [['Host', 'x', 'host', 'y'], 'request/malformed-http'],
])('a request with the headers %j is refused with %s', (rawHeaders, code) => {
  const next = vi.fn();
  requireHost({ rawHeaders, httpVersionMinor: 1 } as Request, {} as Response, next);
  expect(next.mock.calls[0]?.[0]?.code).toBe(code);
});

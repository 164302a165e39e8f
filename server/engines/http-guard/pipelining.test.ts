// Pipelined requests: a few at a time, in order, and a flood closes the connection of its sender.
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { rawConnection } from '../../test/raw-http.js';
import { until } from '../../test/until.js';
import { type LimitedListener, limitPipelining } from './pipelining.js';

let server: Server;
let limited: LimitedListener;
let sockets: Socket[] = [];
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

async function listening(listener: Parameters<typeof limitPipelining>[0]): Promise<number> {
  limited = limitPipelining(listener);
  sockets = [];
  server = createServer(limited.listener).on('connection', (socket) => sockets.push(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

const requests = (count: number) =>
  Array.from({ length: count }, (_, i) => `GET /${i} HTTP/1.1\r\nHost: x\r\n\r\n`).join('');

test('256 pipelined requests are all answered in order, at most 16 handled at a time', async () => {
  const running: ServerResponse[] = [];
  let most = 0;
  const port = await listening((req, res) => {
    running.push(res);
    most = Math.max(most, running.length);
    res.prependListener('close', () => running.splice(running.indexOf(res), 1));
    const body = JSON.stringify(req.url);
    setImmediate(() => res.writeHead(200, { 'Content-Length': body.length }).end(body));
  });
  const connection = await rawConnection(port);
  connection.send(requests(256));
  for (let i = 0; i < 256; i += 1) expect((await connection.answer()).text).toBe(`"/${i}"`);
  expect(most).toBe(16);
  // It remains usable.
  connection.send(requests(1));
  expect((await connection.answer()).text).toBe('"/0"');
  connection.close();
});

test.each([257, 1_300])(
  'a connection that pipelines %i requests is closed after 16 were handled',
  async (count) => {
    let handled = 0;
    let closed = 0;
    const port = await listening((_req, res) => {
      handled += 1;
      res.on('close', () => {
        closed += 1;
      });
    });
    const connection = await rawConnection(port);
    connection.socket.on('error', () => {});
    connection.send(requests(count));
    await connection.closed();
    expect(handled).toBe(16);
    // The next response in line is closed; nothing is handled afterwards.
    await until(() => closed > 0);
    expect(handled).toBe(16);
    const other = await rawConnection(port);
    other.send(requests(1));
    await until(() => handled === 17);
    other.close();
  },
);

test('once connections are to be closed, a response announces that it is the last, and no request after it is handled', async () => {
  const running: ServerResponse[] = [];
  const port = await listening((_req, res) => void running.push(res));
  const [busy, idle] = [await rawConnection(port), await rawConnection(port)];
  busy.send(requests(1));
  await until(() => running.length === 1);
  limited.closeConnections(sockets);
  busy.send(requests(1));
  idle.send(requests(2));
  await until(() => running.length === 2);
  for (const response of running) response.end();
  for (const connection of [busy, idle]) {
    expect((await connection.answer()).headers.get('connection')).toBe('close');
    await connection.closed();
  }
  expect(running).toHaveLength(2);
});

test('requests that were pipelined before are all answered', async () => {
  const running: ServerResponse[] = [];
  const port = await listening((_req, res) => void running.push(res));
  const connection = await rawConnection(port);
  connection.send(requests(2));
  await until(() => running.length === 2);
  limited.closeConnections(sockets);
  for (const response of running) response.end();
  for (const _ of running) expect((await connection.answer()).status).toBe(200);
  connection.close();
});

test('a response that had begun before goes on, and the next one on its connection announces the close', async () => {
  const running: ServerResponse[] = [];
  const port = await listening((_req, res) => void running.push(res));
  const connection = await rawConnection(port);
  connection.send(requests(1));
  await until(() => running.length === 1);
  running[0]?.writeHead(200, { 'Content-Length': 2 }).write('o');
  limited.closeConnections(sockets);
  running[0]?.end('k');
  expect((await connection.answer()).text).toBe('ok');
  connection.send(requests(1));
  await until(() => running.length === 2);
  running[1]?.end();
  expect((await connection.answer()).headers.get('connection')).toBe('close');
  await connection.closed();
});

test('the requests that waited on a connection are not handled once it is closed', async () => {
  const running: ServerResponse[] = [];
  const port = await listening((_req, res) => void running.push(res));
  const connection = await rawConnection(port);
  connection.send(requests(20));
  await until(() => running.length === 16);
  connection.close();
  await until(() => running.some(({ closed }) => closed));
  expect(running).toHaveLength(16);
});

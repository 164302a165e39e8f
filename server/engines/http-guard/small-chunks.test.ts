// Bodies in many small chunks, over sockets: a few are read, too many close the connection.
import { once } from 'node:events';
import express from 'express';
import { expect, onTestFinished, test } from 'vitest';
import { testService } from '../../test/harness.js';
import { rawAnswer, rawConnection } from '../../test/raw-http.js';
import { shared } from '../../test/shared.js';
import { listen } from './listen.js';

const service = shared(() => testService());

function registration(chunkBytes: number, bytes: number): string {
  const body = JSON.stringify({ provider: 'fcm', platform: 'android', token: 'token' }).padEnd(bytes);
  const chunks = body.match(new RegExp(`.{1,${chunkBytes}}`, 'g')) ?? [];
  const head = [
    'POST /api/v2/push/devices HTTP/1.1',
    'Host: a',
    `X-App-Key: ${service.app.app.appKey}`,
    'Content-Type: application/json',
    'Transfer-Encoding: chunked',
    '\r\n',
  ].join('\r\n');
  return `${head}${chunks.map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`).join('')}0\r\n\r\n`;
}

const ask = (chunkBytes: number, bytes: number) =>
  rawAnswer(service.listening.port, registration(chunkBytes, bytes));

test('a body of fewer than 2,000 bytes is read in chunks of one byte', async () => {
  expect((await ask(1, 1_990)).status).toBeLessThan(202);
});

test('a body of 90 KB is read in chunks of 64 bytes', async () => {
  expect((await ask(64, 90_000)).status).toBeLessThan(202);
});

test('beyond 2,000 chunks a body has one for each 64 bytes', async () => {
  expect((await ask(14, 2_560 * 14)).status).toBeLessThan(202);
  expect((await ask(14, 2_561 * 14)).status).toBe(413);
});

test('a body of 90 KB in chunks of one byte is refused', async () => {
  let refusals = 0;
  const count = () => {
    refusals += 1;
  };
  service.listening.server.on('clientError', count);
  const answer = await ask(1, 90_000);
  service.listening.server.off('clientError', count);
  expect([answer.status, answer.json.error.code]).toEqual([413, 'request/too-large']);
  // The chunks that follow are dropped, so that nothing cuts off the answer.
  expect(refusals).toBe(1);
  expect(answer.headers.get('connection')).toBe('close');
});

test('a connection whose answer has begun is closed when too many chunks arrive', async () => {
  const app = express();
  app.post('/', (req, res) => {
    res.write('begun');
    req.resume();
  });
  const { port, stop } = await listen(app, 0, '127.0.0.1');
  onTestFinished(() => stop(0));
  const connection = await rawConnection(port);
  connection.socket.on('error', () => {});
  connection.send('POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n');
  await once(connection.socket, 'data');
  connection.send('1\r\nx\r\n'.repeat(2_100));
  await connection.closed();
  expect(connection.socket.destroyed).toBe(true);
});

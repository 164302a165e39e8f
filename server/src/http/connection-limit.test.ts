// Idle connections beyond the limit.
import { connect, type Socket } from 'node:net';
import express from 'express';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type RawConnection, rawConnection } from '../../test/raw-http.js';
import { until } from '../../test/until.js';
import { defaultMaxConnections } from './connection-limit.js';
import { type Listening, listen } from './listen.js';

const maxConnections = 10;
let listening: Listening;
let finish: (() => void) | undefined;
beforeEach(async () => {
  finish = undefined;
  const app = express();
  app.get('/', (_req, res) => void res.json('here'));
  app.get('/slow', (_req, res) => {
    finish = () => void res.json('done');
  });
  listening = await listen(app, 0, '127.0.0.1', undefined, maxConnections);
});
const opened: { close(): void }[] = [];
afterEach(async () => {
  for (const each of opened.splice(0)) each.close();
  await listening.stop(1_000);
});

async function open(): Promise<RawConnection> {
  const made = await rawConnection(listening.port);
  made.socket.on('error', () => {});
  opened.push(made);
  return made;
}

async function ask(connection: RawConnection, path = '/') {
  connection.send(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`);
  return connection.answer();
}

/** A connection of another network. */
function openFrom(localAddress: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port: listening.port, host: '127.0.0.1', localAddress }, () => resolve(socket));
    socket.on('error', reject);
    opened.push({ close: () => socket.destroy() });
  });
}

test('a new client is answered although others hold as many idle connections as there may be', async () => {
  const idle: RawConnection[] = [];
  for (let count = 0; count < maxConnections; count += 1) {
    const connection = await open();
    // Half of them have sent nothing yet.
    if (count % 2 === 0) expect((await ask(connection)).status).toBe(200);
    idle.push(connection);
  }
  const later = await open();
  expect((await ask(later)).json).toBe('here');
  // The second is the longest idle: the first was used after it connected.
  await until(() => idle.filter(({ socket }) => socket.closed).length === 1);
});

test.each([
  ['a request', ''],
  // Node reports it by another event.
  ['a request with an unknown expectation', 'Expect: 200-ok\r\n'],
])(
  'a connection with %s in progress stays, and one of the network with the most connections goes',
  async (_, header) => {
    const other = await openFrom('127.0.0.2');
    const busy = await open();
    busy.send(`GET /slow HTTP/1.1\r\nHost: a\r\n${header}\r\n`);
    await until(() => finish !== undefined);
    const flood: RawConnection[] = [];
    for (let count = 0; count < 3 * maxConnections; count += 1) flood.push(await open());
    await until(() => flood.filter(({ socket }) => !socket.closed).length <= maxConnections - 2);
    expect(other.closed).toBe(false);
    finish?.();
    expect((await busy.answer()).json).toBe('done');
    expect((await ask(flood.at(-1) as RawConnection)).json).toBe('here');
  },
);

test('the limit leaves file descriptors for files and the database', () => {
  expect(defaultMaxConnections()).toBeGreaterThanOrEqual(128);
  expect(defaultMaxConnections()).toBeLessThanOrEqual(10_000);
});

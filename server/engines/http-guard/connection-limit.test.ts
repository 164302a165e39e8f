// Connections beyond the limit, idle and in progress, of one network or through a proxy.
import type { Socket } from 'node:net';
import express from 'express';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type RawConnection, rawConnection } from '../../test/raw-http.js';
import { until } from '../../test/until.js';
import { defaultMaxConnections, openFilesIn } from './connection-limit.js';
import { type Listening, listen } from './listen.js';

const maxConnections = 10;
let listening: Listening;
let finish: (() => void) | undefined;
/** The connections, as the server has them. */
let accepted: Socket[];
/** Requests that are not answered. */
let slow: number;
beforeEach(async () => {
  finish = undefined;
  slow = 0;
  accepted = [];
  const app = express();
  app.get('/', (_req, res) => void res.json('here'));
  app.get('/slow', (_req, res) => {
    slow += 1;
    finish = () => void res.json('done');
  });
  app.post('/body', (_req, _res) => {
    slow += 1;
  });
  app.set('trust proxy', ['127.0.0.9']);
  listening = await listen(app, 0, '127.0.0.1', { maxConnections });
  listening.server.on('connection', (socket) => accepted.push(socket));
});
const opened: { close(): void }[] = [];
afterEach(async () => {
  for (const each of opened.splice(0)) each.close();
  await listening.stop(1_000);
});

/** Opens a connection; with a local address, from another network. */
async function open(localAddress?: string): Promise<RawConnection> {
  const made = await rawConnection(listening.port, localAddress);
  made.socket.on('error', () => {});
  opened.push(made);
  return made;
}

const head = (path: string, ...lines: string[]) =>
  [`${path} HTTP/1.1`, 'Host: a', ...lines, '\r\n'].join('\r\n');

async function ask(connection: RawConnection, path = '/', ...lines: string[]) {
  connection.send(head(`GET ${path}`, ...lines));
  return connection.answer();
}

/** A request that never ends. */
async function hold(connection: RawConnection, request: string): Promise<void> {
  const before = slow;
  connection.send(request);
  await until(() => slow > before || connection.socket.closed);
}

const isOpen = ({ socket }: RawConnection) => !socket.closed;
const halfBody = `${head('POST /body', 'Content-Length: 100')}half`;

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
  await until(() => idle.filter(({ socket }) => socket.closed).length === maxConnections / 2 + 1);
  expect(idle.at(-1)?.socket.closed).toBe(false);
});

test('connections that their clients closed no longer count for their network', async () => {
  const first = await open();
  expect((await ask(first)).json).toBe('here');
  for (let count = 0; count < maxConnections; count += 1) {
    const connection = await open();
    expect((await ask(connection)).json).toBe('here');
    const [socket] = accepted.splice(-1);
    connection.close();
    await until(() => socket?.destroyed);
  }
  expect(isOpen(first)).toBe(true);
});

test('a connection with a second request in progress stays once the first is answered', async () => {
  const busy = await open();
  busy.send(head('GET /') + head('GET /slow'));
  expect((await busy.answer()).json).toBe('here');
  await until(() => finish !== undefined);
  const flood: RawConnection[] = [];
  for (let count = 0; count < maxConnections; count += 1) flood.push(await open());
  await until(() => flood.some(({ socket }) => socket.closed));
  expect(isOpen(busy)).toBe(true);
});

test.each([
  ['a request', ''],
  // Node reports it by another event.
  ['a request with an unknown expectation', 'Expect: 200-ok\r\n'],
])(
  'a connection with %s in progress stays, and one of the network with the most connections goes',
  async (_, header) => {
    const other = await open('127.0.0.2');
    const busy = await open();
    busy.send(`GET /slow HTTP/1.1\r\nHost: a\r\n${header}\r\n`);
    await until(() => finish !== undefined);
    const flood: RawConnection[] = [];
    for (let count = 0; count < 3 * maxConnections; count += 1) flood.push(await open());
    await until(() => flood.filter(({ socket }) => !socket.closed).length <= maxConnections / 2 - 1);
    expect(isOpen(other)).toBe(true);
    finish?.();
    expect((await busy.answer()).json).toBe('done');
    expect((await ask(flood.at(-1) as RawConnection)).json).toBe('here');
  },
);

test.each([
  ['half-sent bodies', halfBody],
  ['pipelined requests', head('GET /slow').repeat(3)],
])('one network with %s holds half of the connections, and its oldest goes', async (_, request) => {
  const held: RawConnection[] = [];
  for (let count = 0; count < 8; count += 1) {
    const connection = await open();
    held.push(connection);
    await hold(connection, request);
  }
  await until(() => held.filter(isOpen).length === 5);
  expect(held.map(isOpen)).toEqual([false, false, false, true, true, true, true, true]);
});

test('newcomers are answered although a few networks hold all connections with requests that never end', async () => {
  const held: RawConnection[] = [];
  for (const network of ['127.0.0.2', '127.0.0.3', '127.0.0.2', '127.0.0.3', '127.0.0.4']) {
    for (let count = 0; count < 2; count += 1) {
      const connection = await open(network);
      held.push(connection);
      await hold(connection, halfBody);
    }
  }
  expect(held.filter(isOpen)).toHaveLength(10);
  for (let newcomer = 10; newcomer < 14; newcomer += 1) {
    expect((await ask(await open(`127.0.0.${newcomer}`))).json).toBe('here');
  }
  // The ones that go are the oldest of the networks with the most.
  await until(() => held.filter(isOpen).length === 6);
  expect(isOpen(held.at(-1) as RawConnection)).toBe(true);
});

test('requests of as many networks as there are connections all stay: a newcomer gives way', async () => {
  const held: RawConnection[] = [];
  for (let network = 20; network < 20 + maxConnections; network += 1) {
    const connection = await open(`127.0.0.${network}`);
    held.push(connection);
    await hold(connection, halfBody);
  }
  await (await open('127.0.0.50')).closed();
  expect(held.every(isOpen)).toBe(true);
});

describe('through a proxy', () => {
  const proxy = '127.0.0.9';
  const from = (client: string) => `X-Forwarded-For: ${client}`;

  test('its idle connections are not those of one network, and requests of many clients stay', async () => {
    const all: RawConnection[] = [];
    for (let count = 0; count < maxConnections; count += 1) all.push(await open(proxy));
    for (const [client, connection] of all.entries()) {
      expect((await ask(connection, '/', from(`198.51.100.${client}`))).json).toBe('here');
      await hold(connection, head('GET /slow', from(`203.0.113.${client}`)));
    }
    expect(all.every(isOpen)).toBe(true);
  });

  test('of idle connections of the proxy alone, one gives way to the newest', async () => {
    const all: RawConnection[] = [];
    for (let count = 0; count < maxConnections + 2; count += 1) all.push(await open(proxy));
    await until(() => all.filter(isOpen).length === maxConnections);
    expect(isOpen(all.at(-1) as RawConnection)).toBe(true);
  });

  test('requests that name no client, as of a proxy that checks health, stay', async () => {
    const all: RawConnection[] = [];
    for (let count = 0; count < maxConnections; count += 1) {
      const connection = await open(proxy);
      all.push(connection);
      await hold(connection, head('GET /slow', ...(count % 2 ? [] : [from('unknown')])));
    }
    expect(all.every(isOpen)).toBe(true);
  });

  test('requests of one client hold half of the connections, and only they are cut for others', async () => {
    const held: RawConnection[] = [];
    for (let count = 0; count < 7; count += 1) {
      const connection = await open(proxy);
      held.push(connection);
      await hold(connection, `${head('POST /body', from('198.51.100.1'), 'Content-Length: 100')}half`);
    }
    await until(() => held.filter(isOpen).length === 5);
    const others: RawConnection[] = [];
    for (let client = 2; client < 9; client += 1) {
      const connection = await open(proxy);
      others.push(connection);
      await hold(connection, head('GET /slow', from(`198.51.100.${client}`)));
    }
    await until(() => held.filter(isOpen).length === 3);
    expect(others.every(isOpen)).toBe(true);
  });

  test('idle connections that it closed give no way to a newcomer: one of the network with the most does', async () => {
    for (let count = 0; count < 6; count += 1) (await open(proxy)).close();
    await until(() => accepted.length === 6 && accepted.every(({ destroyed }) => destroyed));
    const held: RawConnection[] = [];
    for (const network of ['127.0.0.2', '127.0.0.3']) {
      for (let count = 0; count < 5; count += 1) {
        const connection = await open(network);
        held.push(connection);
        await hold(connection, halfBody);
      }
    }
    expect((await ask(await open('127.0.0.4'))).json).toBe('here');
    await until(() => held.filter(isOpen).length === 9);
  });

  test('a connection that was used for a client and is closed leaves the count of its other ones as it is', async () => {
    const used = await open(proxy);
    await ask(used, '/', from('198.51.100.1'));
    const request = `${head('POST /body', from('198.51.100.1'), 'Content-Length: 100')}half`;
    const held: RawConnection[] = [];
    for (let count = 0; count < 7; count += 1) {
      const connection = await open(proxy);
      held.push(connection);
      await hold(connection, request);
      if (count > 0) continue;
      used.close();
      await until(() => accepted[0]?.destroyed);
    }
    await until(() => held.filter(isOpen).length === 5);
  });

  test('once answered, a connection no longer counts for its client', async () => {
    const reused: RawConnection[] = [];
    for (let count = 0; count < 8; count += 1) {
      const connection = await open(proxy);
      reused.push(connection);
      for (let calls = 0; calls < 3; calls += 1) await ask(connection, '/', from('198.51.100.1'));
    }
    expect(reused.every(isOpen)).toBe(true);
  });
});

test.each([
  [200, 128],
  [256, 128],
  [257, 129],
  [1_024, 896],
  [10_127, 9_999],
  [1_048_576, 10_000],
  [Number.POSITIVE_INFINITY, 10_000],
])('of %i open files, the limit leaves 128 for files and the database', (openFiles, connections) => {
  expect(defaultMaxConnections(openFiles)).toBe(connections);
});

test('the limit is that of the system', () => {
  expect(defaultMaxConnections()).toBeGreaterThanOrEqual(128);
  expect(defaultMaxConnections()).toBeLessThanOrEqual(10_000);
});

test.each([
  ['Max open files            1024                 524288               files', 1_024],
  ['Max open files            unlimited            unlimited            files', Number.POSITIVE_INFINITY],
])('the soft limit in %j is %d', (line, openFiles) => {
  expect(
    openFilesIn(`Max cpu time              unlimited            unlimited            seconds\n${line}\n`),
  ).toBe(openFiles);
});

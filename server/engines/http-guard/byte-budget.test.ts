// The byte budget that all requests share: which are refused, and that all bytes are released however a request ends.
import type { Socket } from 'node:net';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { newCollection } from '../../test/data-scenario.js';
import { testService } from '../../test/harness.js';
import { type RawConnection, rawConnection } from '../../test/raw-http.js';
import { expectRefusal } from '../../test/refusal.js';
import { shared } from '../../test/shared.js';
import { until } from '../../test/until.js';

const mebibyte = 1_024 * 1_024;
let collection: string;
const sockets: Socket[] = [];
const service = shared(() =>
  testService({
    // One network may hold 4 MiB of it.
    config: { bufferBytes: 16 * mebibyte },
  }),
);
beforeAll(async () => {
  service.listening.server.on('connection', (socket) => sockets.push(socket));
  collection = await newCollection(service);
});

const open: RawConnection[] = [];
afterEach(async () => {
  for (const connection of open.splice(0)) connection.close();
  await until(() => held() === 0);
});

const held = () => service.deps.byteBudget.heldBytes;

async function connection(): Promise<RawConnection> {
  const made = await rawConnection(service.listening.port);
  made.socket.on('error', () => {});
  open.push(made);
  return made;
}

function head(method: string, path: string, ...lines: string[]): string {
  return [
    `${method} /api/v2/data/${path} HTTP/1.1`,
    'Host: a',
    `X-App-Key: ${service.app.app.appKey}`,
    `Authorization: Bearer ${service.app.secretKey}`,
    'Content-Type: application/json',
    ...lines,
    '\r\n',
  ].join('\r\n');
}

const body = `{"fields":{"a":"${'x'.repeat(mebibyte - 100)}"}}`;
const length = `Content-Length: ${body.length}`;
const firstHalf = body.slice(0, Math.floor(body.length / 2));
const secondHalf = body.slice(firstHalf.length);

/** A large write, half sent. */
async function half(): Promise<RawConnection> {
  const before = held();
  const made = await connection();
  made.send(head('POST', collection, length) + firstHalf);
  await until(() => held() > before);
  return made;
}

describe('bodies', () => {
  test('count once their headers arrive; one too many is answered 503, and small ones continue', async () => {
    const writes = [await half(), await half(), await half(), await half()];
    expect(held()).toBe(4 * body.length);
    for (const promise of [length, 'Transfer-Encoding: chunked']) {
      const beyond = await connection();
      beyond.send(head('POST', collection, promise));
      const refused = await beyond.answer();
      expectRefusal(refused, 'request/unavailable');
      expect(refused.headers.get('retry-after')).toBe('1');
    }
    expect((await service.signUp()).uid).toBeTypeOf('string');
    expect(held()).toBe(4 * body.length);
    for (const write of writes) {
      write.send(secondHalf);
      expect((await write.answer()).status).toBe(201);
    }
    await until(() => held() === 0);
  });

  test.each<[string, (write: RawConnection) => unknown]>([
    ['the client goes away', (write) => write.close()],
    ['the client ends its side', (write) => write.socket.end()],
    ['the body is not JSON', (write) => write.send('}'.repeat(secondHalf.length))],
    [
      'the body takes too long',
      () => {
        const error = Object.assign(new Error(), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
        service.listening.server.emit('clientError', error, sockets.at(-1) as Socket);
      },
    ],
  ])('are released when %s', async (_, end) => {
    end(await half());
    await until(() => held() === 0);
  });

  test('sent in chunks count as the maximum size until they are read', async () => {
    const write = await connection();
    write.send(`${head('POST', collection, 'Transfer-Encoding: chunked')}d\r\n{"fields":{}}\r\n`);
    await until(() => held() > mebibyte);
    write.send('0\r\n\r\n');
    expect((await write.answer()).status).toBe(201);
    await until(() => held() === 0);
  });
});

describe('answers', () => {
  beforeAll(async () => {
    const write = await connection();
    write.send(head('PUT', `${collection}/large`, length) + body);
    expect((await write.answer()).status).toBe(201);
  });

  /**
   * Asks twice on a connection whose answers the server does not hand to the kernel, simulating a full send buffer of
   * a client that reads nothing. Waits until as many of the answers as fit are held.
   */
  async function stalled(fitting = 1): Promise<{ reader: RawConnection; resume(): void }> {
    const before = held();
    const reader = await connection();
    await until(() => sockets.at(-1)?.remotePort === reader.socket.localPort);
    const serverSide = sockets.at(-1) as Socket;
    const resume = withoutWriting(serverSide);
    reader.send(head('GET', `${collection}/large`).repeat(2));
    await until(() => held() > before + fitting * mebibyte);
    return { reader, resume };
  }

  /** The first write waits, and others queue behind it in the stream, until the returned function is called. */
  function withoutWriting(socket: Socket): () => void {
    let write = () => {};
    for (const name of ['_write', '_writev'] as const) {
      const original = (socket[name] as (...args: unknown[]) => void).bind(socket);
      Object.assign(socket, {
        [name]: (...args: unknown[]) => {
          write = () => original(...args);
        },
      });
    }
    return () => {
      Reflect.deleteProperty(socket, '_write');
      Reflect.deleteProperty(socket, '_writev');
      write();
    };
  }

  /** Stalls two connections, so that no further answer fits. */
  async function full() {
    const readers = [await stalled(2), await stalled()];
    const other = await connection();
    other.send(head('GET', `${collection}/large`));
    expectRefusal(await other.answer(), 'request/unavailable');
    return readers;
  }

  test('count until the client has received them; one too many is answered 503', async () => {
    for (const { reader, resume } of await full()) {
      const before = held();
      resume();
      // Either of the two calls may be the one that still fits.
      const statuses = [(await reader.answer()).status, (await reader.answer()).status];
      expect([
        [200, 200],
        [200, 503],
        [503, 200],
      ]).toContainEqual(statuses);
      await until(() => held() < before - mebibyte);
    }
    expect(held()).toBe(0);
  });

  test('are released when the connection closes while they wait on it', async () => {
    for (const { reader, resume } of await full()) {
      reader.socket.resetAndDestroy();
      await reader.closed();
      // The kernel now refuses writes.
      resume();
    }
    await until(() => held() === 0);
  });

  test('are not counted if the client disconnected before they were built', async () => {
    const reader = await connection();
    reader.send(head('GET', `${collection}/large`).repeat(4));
    reader.close();
    await until(() => sockets.at(-1)?.destroyed);
    expect((await service.signUp()).uid).toBeTypeOf('string');
    await until(() => held() === 0);
  });
});

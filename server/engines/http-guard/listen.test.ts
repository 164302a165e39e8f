import { EventEmitter, once } from 'node:events';
import { createServer, IncomingMessage, type Server, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { constants } from 'node:os';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import express, { type Express, type Request, type Response } from 'express';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { rawConnection } from '../../test/raw-http.js';
import { type Listening, listen, startListening } from './listen.js';

/** An application that uses both added and inherited features of express requests and responses. */
function application(): Express {
  const app = express();
  app.set('trust proxy', 1);
  app.use((_req, res, next) => {
    res.setHeader('X-First', 'yes');
    next();
  });
  app.get('/json', (_req, res) => void res.json({ a: 1, ü: '€' }));
  app.get('/send', (_req, res) => void res.send('<p>text</p>'));
  app.get('/buffer', (_req, res) => void res.send(Buffer.from([1, 2, 3])));
  app.get('/status', (_req, res) => void res.sendStatus(418));
  app.get('/empty', (_req, res) => void res.status(204).end());
  app.get('/redirect', (_req, res) => res.redirect(303, '/json?a=b c'));
  app.get(
    '/cookie',
    (_req, res) => void res.cookie('a', 'b c', { httpOnly: true }).append('Vary', 'X').end(),
  );
  app.get('/type', (_req, res) => void res.type('html').vary('Accept').links({ next: '/2' }).send('x'));
  app.get('/format', (_req, res) => {
    res.format({ json: () => void res.json({ is: 'json' }), text: () => void res.send('text') });
  });
  app.all('/request', (req, res) => {
    res.json({
      ip: req.ip,
      ips: req.ips,
      protocol: req.protocol,
      secure: req.secure,
      host: req.host,
      hostname: req.hostname,
      path: req.path,
      query: req.query,
      xhr: req.xhr,
      fresh: req.fresh,
      method: req.method,
      originalUrl: req.originalUrl,
      custom: req.get('x-custom'),
      is: req.is('json'),
      accepts: req.accepts(['html', 'json']),
      languages: req.acceptsLanguages(),
      range: req.range(100),
      httpVersion: req.httpVersion,
      raw: req.rawHeaders.length,
      distinct: req.headersDistinct['x-custom'],
    });
  });
  app.post('/echo', express.json(), (req, res) => void res.json({ body: req.body, complete: req.complete }));
  app.post('/upload', async (req, res) => {
    let bytes = 0;
    for await (const chunk of req) bytes += (chunk as Buffer).length;
    res.json({ bytes, trailers: req.trailers });
  });
  app.get('/stream', async (_req, res) => {
    await pipeline(Readable.from(['one ', 'two ', 'three']), res.type('text/plain'));
  });
  app.get('/writes', (_req, res) => {
    res.writeHead(202, { 'X-Own': 'header' });
    res.write('a');
    setImmediate(() => res.end('b'));
  });
  app.get('/early', (_req, res) => {
    res.writeProcessing();
    res.json({ late: true });
  });
  app.get('/identity', (req, res) => {
    res.json({
      request: [req instanceof IncomingMessage, req instanceof Readable, req instanceof EventEmitter],
      response: [res instanceof ServerResponse, res instanceof EventEmitter],
      prototypes: [Object.getPrototypeOf(req) === app.request, Object.getPrototypeOf(res) === app.response],
      own: [Object.keys(req).sort(), Object.keys(res).sort()],
      tags: [String(req), String(res)],
      to: [req.res === res, res.req === req, req.app === app, res.app === app],
    });
  });
  app.get('/sync-error', () => {
    throw new Error('thrown');
  });
  app.get('/async-error', async () => {
    throw Object.assign(new Error('rejected'), { status: 422 });
  });
  app.get('/params/:id', (req, res) => void res.json(req.params));
  const inner = express();
  inner.get('/ip', (req, res) => void res.json({ ip: req.ip, baseUrl: req.baseUrl, url: req.url }));
  app.use('/inner', inner);
  app.use((error: Error & { status?: number }, _req: Request, res: Response, _next: unknown) => {
    res.status(error.status ?? 500).json({ error: error.message });
  });
  return app;
}

let ours: Listening;
let plain: Server;
beforeAll(async () => {
  ours = await listen(application(), 0, '127.0.0.1');
  plain = createServer(application()).listen(0, '127.0.0.1');
  await once(plain, 'listening');
});
afterAll(async () => {
  plain.closeAllConnections();
  plain.close();
  await ours.stop(100);
});

/** The whole response except dates and ports. */
async function exchange(port: number, bytes: string): Promise<string> {
  const connection = await rawConnection(port);
  let received = '';
  connection.socket.on('data', (chunk: Buffer) => {
    received += chunk.toString('latin1');
  });
  connection.send(bytes);
  await connection.closed();
  return received
    .replaceAll(/^Date: .*\r\n/gm, '')
    .replaceAll(/^Keep-Alive: .*\r\n/gm, '')
    .replaceAll(String(port), 'PORT');
}

const request = (line: string, ...headers: string[]) =>
  [`${line} HTTP/1.1`, 'Host: example.com:8080', 'Connection: close', ...headers, '', ''].join('\r\n');
const paths =
  'json send buffer status empty redirect cookie type format stream writes early identity sync-error async-error params/a%20b inner/ip nothing';
const body = '{"a":[1,"ü"]}';
const length = Buffer.byteLength(body);

describe('a server that creates requests and responses with their prototypes answers exactly like express', () => {
  test.each([
    ...paths.split(' ').flatMap((path) => [
      [`GET /${path}`, request(`GET /${path}`)],
      [`HEAD /${path}`, request(`HEAD /${path}`)],
    ]),
    [
      'GET with every kind of header',
      request(
        'GET /request?a=1&b[]=2',
        'X-Custom: one',
        'X-Custom: two',
        'X-Forwarded-For: 203.0.113.9, 198.51.100.7',
        'X-Forwarded-Proto: https',
        'X-Forwarded-Host: front.example',
        'Accept: application/json;q=0.9, text/html;q=0.8',
        'Accept-Language: de, en;q=0.5',
        'Range: bytes=0-9',
        'X-Requested-With: XMLHttpRequest',
      ),
    ],
    ['GET in absolute form', request('GET http://other.example/request?x=y')],
    [
      'POST of JSON',
      `${request('POST /echo', 'Content-Type: application/json', `Content-Length: ${length}`)}${body}`,
    ],
    [
      'POST of broken JSON',
      `${request('POST /echo', 'Content-Type: application/json', 'Content-Length: 3')}{a}`,
    ],
    ['POST of nothing', request('POST /echo', 'Content-Length: 0')],
    [
      'POST in chunks with trailers',
      `${request('POST /upload', 'Transfer-Encoding: chunked', 'Trailer: X-T')}3\r\nabc\r\n2\r\nde\r\n0\r\nX-T: v\r\n\r\n`,
    ],
    [
      'POST with Expect',
      `${request('POST /echo', 'Content-Type: application/json', 'Expect: 100-continue', `Content-Length: ${length}`)}${body}`,
    ],
    ['OPTIONS', request('OPTIONS /json')],
    ['OPTIONS *', request('OPTIONS *')],
    ['a conditional GET', request('GET /json', 'If-None-Match: *')],
    ['HTTP/1.0', 'GET /request HTTP/1.0\r\nHost: old\r\n\r\n'],
    ['two requests at once', `GET /json HTTP/1.1\r\nHost: a\r\n\r\n${request('GET /stream')}`],
  ] as [string, string][])('%s', async (_, bytes) => {
    const [own, expressAlone] = [
      await exchange(ours.port, bytes),
      await exchange((plain.address() as AddressInfo).port, bytes),
    ];
    expect(own).toBe(expressAlone);
    expect(own).toMatch(/^HTTP\/1\.1 \d{3} /);
  });
});

describe('a stop', () => {
  /** `started` resolves when /slow is requested; `finish` answers it. */
  async function slow() {
    const app = express();
    let finish = () => {};
    const started = new Promise<void>((resolve) => {
      app.get('/slow', (_req, res) => {
        finish = () => void res.json('done');
        resolve();
      });
    });
    app.get('/', (_req, res) => void res.json('quick'));
    const listening = await listen(app, 0, '127.0.0.1');
    return { listening, started, finish: () => finish() };
  }

  test('lets a running request finish, refuses new connections, and closes idle ones at once', async () => {
    const { listening, started, finish } = await slow();
    const connection = await rawConnection(listening.port);
    const idle = await rawConnection(listening.port);
    idle.send('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    await idle.answer();
    connection.send('GET /slow HTTP/1.1\r\nHost: a\r\n\r\n');
    await started;
    const stopped = listening.stop(10_000);
    await idle.closed();
    await expect(rawConnection(listening.port)).rejects.toThrow('ECONNREFUSED');
    const startedAt = performance.now();
    finish();
    const { json, headers } = await connection.answer();
    // The client must not send another request, which would be lost.
    expect([json, headers.get('connection')]).toEqual(['done', 'close']);
    await connection.closed();
    await stopped;
    // The server stops before the ten seconds are over.
    expect(performance.now() - startedAt).toBeLessThan(8_000);
  });

  test('closes a connection that has sent nothing at once', async () => {
    const { listening } = await slow();
    const silent = await rawConnection(listening.port);
    const startedAt = performance.now();
    await listening.stop(10_000);
    await silent.closed();
    expect(performance.now() - startedAt).toBeLessThan(8_000);
  });

  test('leaves no timer, which would keep the process from its end', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
    try {
      const { listening } = await slow();
      await listening.stop(10_000);
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });

  test('closes unfinished requests after the timeout', async () => {
    const { listening, started } = await slow();
    const [running, half] = [await rawConnection(listening.port), await rawConnection(listening.port)];
    half.send('GET / HT');
    running.send('GET /slow HTTP/1.1\r\nHost: a\r\n\r\n');
    await started;
    const startedAt = performance.now();
    await listening.stop(200);
    // Far below the keep-alive timeout.
    expect(performance.now() - startedAt).toBeLessThan(8_000);
    await Promise.all([running.closed(), half.closed()]);
  });
});

test('a head has ten seconds, a request as long as the slowest upload, and an idle connection 75 seconds', async () => {
  const { server, stop } = await listen(express(), 0, '127.0.0.1');
  const { headersTimeout, requestTimeout, keepAliveTimeout } = server;
  expect({ headersTimeout, requestTimeout, keepAliveTimeout }).toEqual({
    headersTimeout: 10_000,
    requestTimeout: 600_000,
    keepAliveTimeout: 75_000,
  });
  await stop(0);
});

test.each([
  ['of a trusted proxy', 'loopback', 620_000],
  ['of another client', '10.0.0.0/8', 75_000],
])('an idle connection %s is open longer than those of its side', async (_whose, proxies, milliseconds) => {
  const app = express();
  app.set('trust proxy', proxies);
  const duringRequests: unknown[] = [];
  app.get('/', ({ socket }, res) => {
    duringRequests.push(socket.timeout ?? 0);
    res.json('quick');
  });
  const { server, port, stop } = await listen(app, 0, '127.0.0.1');
  const opened = once(server, 'connection') as Promise<[Socket]>;
  const connection = await rawConnection(port);
  const [socket] = await opened;
  for (let request = 0; request < 2; request += 1) {
    connection.send('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    await connection.answer();
    // Node adds a second to its own.
    await expect.poll(() => Math.abs((socket.timeout ?? 0) - milliseconds)).toBeLessThanOrEqual(1_000);
  }
  expect(duringRequests).toEqual([0, 0]);
  await stop(0);
});

describe('an unavailable port', () => {
  test('is reported with the variable to change', async () => {
    const app = express();
    await expect(listen(app, ours.port, '127.0.0.1')).rejects.toThrow(
      `port ${ours.port} is in use by another process: stop that process, or set PORT to another port`,
    );
    await expect(
      startListening(createServer(), ours.port, '127.0.0.1', 'METRICS_PORT', 'METRICS_HOST'),
    ).rejects.toThrow('set METRICS_PORT to another port');
    await expect(
      startListening(createServer(), 0, '203.0.113.1', 'METRICS_PORT', 'METRICS_HOST'),
    ).rejects.toThrow('change METRICS_HOST');
    await expect(listen(app, 0, '203.0.113.1')).rejects.toThrow('203.0.113.1 is no address of this machine');
    await expect(listen(app, 0, 'no.such.name.invalid')).rejects.toThrow('HOST');
  });

  test('a connection that the system cannot accept does not end the process', async () => {
    const { server, stop } = await listen(application(), 0, '127.0.0.1');
    // libuv reports an error of accept(2) in this way.
    const { _handle: handle } = server as unknown as { _handle: { onconnection(status: number): void } };
    for (let i = 0; i < 2; i += 1) expect(() => handle.onconnection(-constants.errno.ENOBUFS)).not.toThrow();
    await stop(0);
  });
});

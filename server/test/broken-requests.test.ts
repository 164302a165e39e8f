// Invalid HTTP: refused in the envelope where an answer can still be read, without hanging, answering the wrong request
// or crashing.
import { afterEach, describe, expect, test } from 'vitest';
import { testService } from './harness.js';
import { rawAnswer, rawConnection } from './raw-http.js';
import { expectRefusal } from './refusal.js';
import { shared } from './shared.js';

const lines: string[] = [];
const service = shared(() => testService({ onLogLine: (line) => lines.push(line) }));
afterEach(async () => {
  expect((await rawAnswer(port(), health)).status).toBe(200);
});

const health = 'GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n';
const port = () => service.listening.port;
const signIn = (...headers: string[]) =>
  [
    'POST /api/v2/auth/sign-in HTTP/1.1',
    'Host: a',
    `X-App-Key: ${service.app.app.appKey}`,
    ...headers,
    '',
    '',
  ].join('\r\n');
const json = 'Content-Type: application/json';

describe('bytes that are not a request', () => {
  test.each([
    ['words', 'hello there\r\n\r\n'],
    ['a TLS hello', Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, 0xfc, 0x03])],
    ['zeros', Buffer.alloc(64)],
    ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['an unknown method', 'FETCH / HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['a method in small letters', 'get / HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['a space in the target', 'GET /a b HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['an unknown version', 'GET / HTTP/9.9\r\nHost: a\r\n\r\n'],
    ['a header without a colon', 'GET / HTTP/1.1\r\nHost: a\r\nnonsense\r\n\r\n'],
    ['a space before the colon', 'GET / HTTP/1.1\r\nHost: a\r\nX-App-Key : b\r\n\r\n'],
    ['a folded header', 'GET / HTTP/1.1\r\nHost: a\r\nX-A: b\r\n c\r\n\r\n'],
    ['a NUL in a header', 'GET / HTTP/1.1\r\nHost: a\r\nX-A: b\0c\r\n\r\n'],
    ['a bare line feed in a header', 'GET / HTTP/1.1\r\nHost: a\nX-A: b\r\n\r\n'],
    ['no Host', 'GET /healthz HTTP/1.1\r\nX-A: b\r\n\r\n'],
    ['two Hosts', 'GET /healthz HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n'],
    ['two equal Hosts in different case', 'GET /api/v2/openapi.json HTTP/1.1\r\nHost: a\r\nhOST: a\r\n\r\n'],
    ['two Hosts in HTTP/1.0', 'GET /healthz HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n'],
  ])('%s are answered request/malformed-http', async (_, bytes) => {
    expectRefusal(await rawAnswer(port(), bytes), 'request/malformed-http');
  });

  test('a request line or headers over 16 KiB are answered request/too-large', async () => {
    const long = 'x'.repeat(17_000);
    expectRefusal(await rawAnswer(port(), `GET /${long} HTTP/1.1\r\nHost: a\r\n\r\n`), 'request/too-large');
    expectRefusal(
      await rawAnswer(port(), `GET / HTTP/1.1\r\nHost: a\r\nX-A: ${long}\r\n\r\n`),
      'request/too-large',
    );
    const many = 'X-A: b\r\n'.repeat(6_000);
    expectRefusal(await rawAnswer(port(), `GET / HTTP/1.1\r\nHost: a\r\n${many}\r\n`), 'request/too-large');
  });

  test('a connection that sends nothing, or half a request, and closes leaves no state behind', async () => {
    for (const bytes of [
      '',
      'GET /healthz HT',
      signIn(json, 'Content-Length: 50'),
      `${signIn(json, 'Content-Length: 50')}{"em`,
    ]) {
      const connection = await rawConnection(port());
      if (bytes !== '') connection.send(bytes);
      connection.socket.end();
      await connection.closed();
    }
    await expect.poll(connections).toBe(0);
  });

  test('the refusal closes the connection, even if the client never closes it', async () => {
    const connection = await rawConnection(port());
    connection.socket.removeAllListeners('end');
    connection.socket.allowHalfOpen = true;
    connection.send('nonsense\r\n\r\n');
    const answer = await connection.answer();
    expectRefusal(answer, 'request/malformed-http');
    expect(answer.headers.get('connection')).toBe('close');
    await expect.poll(connections).toBe(0);
    connection.close();
  });

  test('HTTP/0.9 is answered like any other request', async () => {
    expectRefusal(await rawAnswer(port(), 'GET /nothing\r\n\r\n'), 'request/not-found');
  });

  test('an HTTP/1.0 request needs no Host, and its connection closes after the answer', async () => {
    const connection = await rawConnection(port());
    connection.send('GET /healthz HTTP/1.0\r\n\r\n');
    expect((await connection.answer()).status).toBe(200);
    await connection.closed();
  });

  test('each refusal has one log line with the request id that the client received', async () => {
    lines.length = 0;
    const answer = await rawAnswer(port(), 'nonsense\r\n\r\n');
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { request_id: answer.headers.get('x-request-id'), method: null, route: null, status: 400, ms: 0 },
    ]);
  });
});

describe('requests with an ambiguous end', () => {
  // Each of these has been used for request smuggling: two servers disagreed on the number of requests.
  test.each([
    ['Content-Length and Transfer-Encoding', ['Content-Length: 4', 'Transfer-Encoding: chunked']],
    ['Transfer-Encoding and Content-Length', ['Transfer-Encoding: chunked', 'Content-Length: 4']],
    ['two different lengths', ['Content-Length: 4', 'Content-Length: 5']],
    ['two equal lengths', ['Content-Length: 4', 'Content-Length: 4']],
    ['a list of lengths', ['Content-Length: 4, 4']],
    ['a length with a sign', ['Content-Length: +4']],
    ['a negative length', ['Content-Length: -4']],
    ['a length in hexadecimal', ['Content-Length: 0x4']],
    ['a length beyond all numbers', ['Content-Length: 99999999999999999999999']],
    ['chunked not last', ['Transfer-Encoding: chunked, identity']],
    ['chunked twice', ['Transfer-Encoding: chunked', 'Transfer-Encoding: chunked']],
    ['a misspelt encoding', ['Transfer-Encoding: xchunked']],
    ['an encoding of its own', ['Transfer-Encoding: gzip']],
  ])('%s are refused, and what follows is not read as a request', async (_, headers) => {
    const connection = await rawConnection(port());
    connection.send(`${signIn(json, ...headers)}0\r\n\r\n${health}`);
    expectRefusal(await connection.answer(), 'request/malformed-http');
    await expect(connection.answer()).rejects.toThrow('closed');
  });

  test.each([
    ['a size that is no number', 'zz\r\nabc\r\n'],
    ['a size with a sign', '+5\r\nhello\r\n0\r\n\r\n'],
    ['a size beyond all numbers', 'fffffffffffffffff\r\nabc\r\n'],
    ['a chunk longer than its size', '3\r\nabcdef\r\n0\r\n\r\n'],
    ['no line end after a chunk', '3\r\nabc0\r\n\r\n'],
  ])('chunks with %s are refused, and what follows is not read as a request', async (_, body) => {
    lines.length = 0;
    const connection = await rawConnection(port());
    connection.send(`${signIn(json, 'Transfer-Encoding: chunked')}${body}${health}`);
    const answer = await connection.answer();
    expectRefusal(answer, 'request/malformed-http');
    await expect(connection.answer()).rejects.toThrow('closed');
    await expect.poll(() => lines.length).toBe(1);
    expect(JSON.parse(lines[0] as string)).toMatchObject({
      request_id: answer.headers.get('x-request-id'),
      route: 'POST /auth/sign-in',
      status: 400,
    });
  });

  test('garbage after a complete request does not replace its answer, and closes the connection', async () => {
    const body = JSON.stringify({ email: 'a@b.cd', password: 'x' });
    const connection = await rawConnection(port());
    connection.send(`${signIn(json, `Content-Length: ${body.length}`)}${body}GARBAGE\r\n\r\n`);
    expectRefusal(await connection.answer(), 'auth/invalid-credential');
    await connection.closed();
  });
});

describe('requests for another protocol or method', () => {
  test('Expect: 100-continue is answered, and then the request', async () => {
    const body = JSON.stringify({ email: 'a@b.cd', password: 'x' });
    const connection = await rawConnection(port());
    connection.send(signIn(json, `Content-Length: ${body.length}`, 'Expect: 100-continue'));
    await expect.poll(() => connection.socket.bytesRead).toBeGreaterThan(0);
    connection.send(body);
    expectRefusal(await connection.answer(), 'auth/invalid-credential');
    connection.close();
  });

  test('any other expectation is ignored', async () => {
    const answer = await rawAnswer(port(), 'GET /healthz HTTP/1.1\r\nHost: a\r\nExpect: miracles\r\n\r\n');
    expect(answer.status).toBe(200);
  });

  test('an upgrade is not offered: the request is answered as is', async () => {
    for (const protocol of ['websocket', 'h2c', 'TLS/1.0']) {
      const upgrade = `Connection: Upgrade\r\nUpgrade: ${protocol}\r\nSec-WebSocket-Key: eA==\r\n\r\n`;
      expect((await rawAnswer(port(), `GET /healthz HTTP/1.1\r\nHost: a\r\n${upgrade}`)).status).toBe(200);
      const unknown = await rawAnswer(port(), `GET /socket HTTP/1.1\r\nHost: a\r\n${upgrade}`);
      expectRefusal(unknown, 'request/not-found');
    }
  });

  test('CONNECT opens no tunnel', async () => {
    lines.length = 0;
    const connection = await rawConnection(port());
    connection.send('CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n');
    const answer = await connection.answer();
    expectRefusal(answer, 'request/method-not-allowed');
    await connection.closed();
    await expect
      .poll(() => lines.map((line) => JSON.parse(line)))
      .toMatchObject([{ request_id: answer.headers.get('x-request-id'), method: 'CONNECT', status: 405 }]);
  });

  test('CONNECT to a path of the API is refused like any method that the path does not have', async () => {
    for (const path of ['/api/v2/me', '/healthz', '/docs']) {
      const answer = await rawAnswer(port(), `CONNECT ${path} HTTP/1.1\r\nHost: a\r\n\r\n`);
      expectRefusal(answer, 'request/method-not-allowed');
      expect(answer.headers.get('connection')).toBe('close');
    }
  });

  // An error on a socket without a listener would end the process.
  test('a client that resets after CONNECT does not crash the process', async () => {
    const errors: unknown[] = [];
    const note = (error: unknown) => errors.push(error);
    process.on('uncaughtExceptionMonitor', note);
    for (let i = 0; i < 20; i += 1) {
      const connection = await rawConnection(port());
      connection.send('CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n');
      if (i % 2 === 0) await connection.answer();
      connection.socket.resetAndDestroy();
    }
    await expect.poll(connections).toBe(0);
    process.off('uncaughtExceptionMonitor', note);
    expect(errors).toEqual([]);
  });

  test('TRACE does not echo the request', async () => {
    const answer = await rawAnswer(port(), 'TRACE / HTTP/1.1\r\nHost: a\r\nCookie: secret\r\n\r\n');
    expectRefusal(answer, 'request/method-not-allowed');
    expect(answer.text).not.toContain('secret');
  });

  test('hundreds of idle, reset or half-open connections do no harm', async () => {
    const many = await Promise.all(Array.from({ length: 200 }, () => rawConnection(port())));
    many.forEach((connection, place) => {
      if (place % 3 === 0) connection.send('GET /healthz HT');
      if (place % 3 === 1) connection.send(health);
    });
    expect((await rawAnswer(port(), health)).status).toBe(200);
    for (const connection of many) connection.socket.resetAndDestroy();
    await expect.poll(connections).toBe(0);
  });
});

describe('time', () => {
  test('headers that arrive too late are answered request/timeout', async () => {
    const { server } = service.listening;
    const { headersTimeout } = server;
    server.headersTimeout = 100;
    try {
      const connection = await rawConnection(port());
      connection.send('GET /healthz HTTP/1.1\r\nHost: a\r\n');
      expectRefusal(await connection.answer(), 'request/timeout');
      await connection.closed();
    } finally {
      server.headersTimeout = headersTimeout;
    }
  });

  test('a body that arrives too late is answered request/timeout, with one log line', async () => {
    const { server } = service.listening;
    const { requestTimeout, headersTimeout } = server;
    Object.assign(server, { requestTimeout: 200, headersTimeout: 100 });
    lines.length = 0;
    try {
      const connection = await rawConnection(port());
      connection.send(`${signIn(json, 'Content-Length: 50')}{"email":`);
      const answer = await connection.answer();
      expectRefusal(answer, 'request/timeout');
      await connection.closed();
      await expect.poll(() => lines.length).toBe(1);
      expect(JSON.parse(lines[0] as string)).toMatchObject({
        request_id: answer.headers.get('x-request-id'),
        status: 408,
      });
    } finally {
      Object.assign(server, { requestTimeout, headersTimeout });
    }
  });

  test('a client has 10 seconds for its headers and 30 for the whole request, checked every second', () => {
    const { server } = service.listening;
    expect(server.headersTimeout).toBe(10_000);
    // The limit of an upload; other requests are cut off earlier (slow-requests.test.ts).
    expect(server.requestTimeout).toBe(600_000);
    expect(server.keepAliveTimeout).toBe(75_000);
  });
});

function connections(): Promise<number> {
  return new Promise((resolve, reject) => {
    service.listening.server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
  });
}

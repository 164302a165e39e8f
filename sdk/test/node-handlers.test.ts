// The handlers of the sessions on Node's `http` without a framework, where a rejection would end the process.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect as connectHttp2, createServer as createHttp2Server } from 'node:http2';
import { type AddressInfo, connect } from 'node:net';
import express from 'express';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { createCookieSessions, type NodeResponse, nodeHandlers } from '../src/server/index.js';

const origin = 'https://app.example.com';
const fromPage = ['Host: app.example.com', `Origin: ${origin}`, 'Content-Type: application/json'];

const sessions = createCookieSessions({
  baseUrl: 'https://accounts.example.com/api/v2',
  appKey: 'pk_1',
  origin,
  fetch: async () => expect.fail('the service is asked'),
});
const { handle, renew } = nodeHandlers(sessions);
let handled: Promise<void>[];
const server = createServer((request, response) => {
  handled.push((request.method === 'GET' ? renew : handle)(request, response));
});

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
beforeEach(() => {
  handled = [];
});
afterAll(() => void server.close());

/** Sends the head of a request, and perhaps not all of its body. */
async function send(head: string[], body = '') {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  await once(socket, 'connect');
  socket.write([...head, '', body].join('\r\n'));
  await expect.poll(() => handled.length).toBe(1);
  return socket;
}

test.each([
  [403, 'a path without a host after two slashes', ['POST // HTTP/1.1', 'Host: a', 'Content-Length: 0']],
  [403, 'a path with an invalid host after them', ['POST //[/a HTTP/1.1', 'Host: a', 'Content-Length: 0']],
  [404, 'the URL of a request to a proxy', ['POST http://b/c HTTP/1.1', ...fromPage, 'Content-Length: 0']],
  [405, 'a method that `Request` refuses', ['TRACE /api/auth/sign-in HTTP/1.1', 'Host: a']],
])('are answered with %i: %s', async (status, _, head) => {
  const socket = await send(head);
  await Promise.all(handled);
  const [response] = await once(socket, 'data');
  expect(`${response}`).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  socket.destroy();
});

test('add to the `Vary` of an earlier handler', async () => {
  const varied = createServer((request, response) => {
    response.setHeader('Vary', 'Accept-Encoding');
    void handle(request, response);
  });
  onTestFinished(() => void varied.close());
  await once(varied.listen(0, '127.0.0.1'), 'listening');
  const answer = await fetch(`http://127.0.0.1:${(varied.address() as AddressInfo).port}/`, {
    method: 'POST',
  });
  expect(answer.headers.get('Vary')).toBe('Accept-Encoding, Cookie, Origin');
});

test('survive a client that disconnects within its body', async () => {
  const head = ['POST /api/auth/sign-in HTTP/1.1', ...fromPage, 'Content-Length: 1000'];
  const socket = await send(head, '{"em');
  socket.destroy();
  await Promise.all(handled);
});

test('leave an error to the handlers of Express, where there are some', async () => {
  const error = new Error('defect');
  const failing = async () => {
    throw error;
  };
  const handlers = nodeHandlers({ handle: failing, renew: failing, read: () => null });
  const request = Object.assign((async function* () {})(), { headers: {}, socket: {} });
  const told: unknown[] = [];
  const response = {} as NodeResponse;
  for (const handler of [handlers.handle, handlers.renew])
    await handler(request, response, (given) => told.push(given));
  expect([told, response]).toEqual([[error, error], {}]);
});

test('answer a token that cannot be converted to a string', async () => {
  const body = '{"refresh_token":{"toString":1,"valueOf":1}}';
  const head = ['POST /api/auth/token/refresh HTTP/1.1', ...fromPage, `Content-Length: ${body.length}`];
  const socket = await send([...head, 'Cookie: __Host-foyer.pk_1.refresh=01J.rt_1'], body);
  await Promise.all(handled);
  const [response] = await once(socket, 'data');
  expect(`${response}`).toMatch(/^HTTP\/1.1 401 /);
  socket.destroy();
});

test.each([
  ['no parser', (_request: unknown, _response: unknown, next: () => void) => next()],
  [
    'a parser of forms in Express 4, whose body for anything else is empty',
    (request: { body?: unknown }, _response: unknown, next: () => void) => {
      request.body = {};
      next();
    },
  ],
  ['express.json', express.json()],
  ['express.text', express.text({ type: 'application/json' })],
  ['express.raw, as webhooks need it', express.raw({ type: 'application/json' })],
])('pass on what the page has sent after %s', async (_, parser) => {
  const sent: unknown[] = [];
  const answer = async (_url: unknown, init?: RequestInit) => {
    sent.push(init?.body);
    return Response.json(
      { error: { code: 'auth/invalid-credential', message: '', fields: {} } },
      { status: 401 },
    );
  };
  const baseUrl = 'https://accounts.example.com/api/v2';
  const own = createCookieSessions({ baseUrl, appKey: 'pk_1', origin, fetch: answer });
  const app = express();
  app.use(parser);
  app.use('/api/auth', nodeHandlers(own).handle);
  const listening = app.listen(0, '127.0.0.1');
  onTestFinished(() => void listening.close());
  await once(listening, 'listening');
  const { port } = listening.address() as AddressInfo;
  const body = '{"email":"ada@example.com","password":"é"}';
  const headers = { Origin: origin, 'Content-Type': 'application/json' };
  const url = `http://127.0.0.1:${port}/api/auth/sign-in`;
  const answered = await fetch(url, { method: 'POST', headers, body });
  expect(answered.status).toBe(401);
  expect(answered.headers.get('Content-Type')).toBe('application/json');
  expect(answered.headers.get('Cache-Control')).toBe('no-store');
  expect(sent).toEqual([body]);
});

test('answer requests of HTTP/2, and let pages of it continue', async () => {
  const http2 = createHttp2Server((request, response) => {
    if (request.method === 'POST') return void handle(request, response);
    void renew(request, response, (error) => response.writeHead(error ? 500 : 204).end());
  });
  onTestFinished(() => void http2.close());
  await once(http2.listen(0, '127.0.0.1'), 'listening');
  const client = connectHttp2(`http://127.0.0.1:${(http2.address() as AddressInfo).port}`);
  onTestFinished(() => client.close());
  const fromOrigin = { origin, 'content-type': 'application/json' };
  for (const [method, path, status] of [
    ['POST', '/api/auth/sign-out', 204],
    ['GET', '/', 204],
  ] as const) {
    const stream = client.request({ ':method': method, ':path': path, ...fromOrigin });
    stream.end(method === 'POST' ? '{}' : undefined);
    const [headers] = await once(stream, 'response');
    expect(headers[':status'], path).toBe(status);
    stream.resume();
  }
});

test.each([
  ['handle', 'POST'],
  ['renew', 'GET'],
] as const)('report an unexpected error of %s, and answer 500', async (name, method) => {
  const report = vi.spyOn(console, 'error').mockImplementation(() => {});
  const error = new Error('unexpected');
  const asked = vi.spyOn(sessions, name).mockRejectedValueOnce(error);
  const socket = await send([`${method} /api/auth/sign-in HTTP/1.1`, 'Host: a', 'Content-Length: 0']);
  await Promise.all(handled);
  const [response] = await once(socket, 'data');
  expect(`${response}`).toMatch(/^HTTP\/1.1 500 /);
  expect(report).toHaveBeenCalledWith(error);
  socket.destroy();
  asked.mockRestore();
  report.mockRestore();
});

// The judge of answers itself: it hears of each way in which an answer may differ from the contract, and of nothing else.
import { contract, v1Contract } from '@foyer/contract';
import type { AppRoute } from '@ts-rest/core';
import express, { type Response } from 'express';
import { expect, test } from 'vitest';
import { requireContractAnswers } from './answer-findings.js';
import { unknownId } from './contract-routes.js';
import { judgeAnswers } from './judged-answers.js';
import { localServer } from './local-server.js';
import { shared } from './shared.js';

type Sent = (res: Response) => unknown;
let route: AppRoute | undefined;
let send: Sent = () => {};

const server = shared(() => {
  const app = express();
  judgeAnswers(app);
  app.use((req, res) => {
    if (route) req.tsRestRoute = route;
    send(res);
  });
  return localServer(app);
});

/** What the judge says of an answer of the route. */
async function verdictOn(of: AppRoute | undefined, path: string, sent: Sent): Promise<string[]> {
  route = of;
  send = sent;
  await (await fetch(`${server.origin}${path}`)).text();
  try {
    requireContractAnswers();
    return [];
  } catch (error) {
    return (error as Error).message.split('\n');
  }
}

const { history } = contract.loyalty;
const entry = { id: unknownId, points: 5, description: 'Visit', created_at: '2026-01-02T00:00:00.000000Z' };
const page = (more: object = {}) => ({ data: { items: [{ ...entry, ...more }], next_cursor: null } });
const error = { code: 'request/not-found', message: 'No.', fields: {} };
const json =
  (status: number, body: unknown): Sent =>
  (res) =>
    res.status(status).json(body);

test.each<[string, AppRoute | undefined, string, Sent]>([
  ['a page of the contract', history, '/api/v2/me', json(200, page())],
  ['nothing where nothing is declared', contract.sessions.end, '/api/v2/me', (res) => res.status(204).end()],
  [
    'the body in two parts',
    history,
    '/api/v2/me',
    (res) => {
      const text = JSON.stringify(page());
      res.type('json').write(text.slice(0, 9));
      res.end(text.slice(9));
    },
  ],
  ['a refusal', history, '/api/v2/me', json(404, { error })],
  ['a refusal of no route', undefined, '/api/v2/none', json(404, { error })],
  ['a refusal of v1', v1Contract.accounts.get, '/api/v1/me', json(401, { message: 'No.' })],
  ['a page that is not in the contract', undefined, '/docs', (res) => res.send('<p>')],
])('accepts %s', async (_, of, path, sent) => {
  expect(await verdictOn(of, path, sent)).toEqual([]);
});

test.each<[string, AppRoute | undefined, string, Sent, string]>([
  [
    'a key too many in an item',
    history,
    '/api/v2/me?limit=1',
    json(200, page({ password_hash: 'x' })),
    'GET /api/v2/me answered 200: data.items.0.password_hash is not in the contract',
  ],
  [
    'a key too many beside the data',
    history,
    '/api/v2/me',
    json(200, { ...page(), secret: 1 }),
    'GET /api/v2/me answered 200: secret is not in the contract',
  ],
  [
    'a key that is missing',
    history,
    '/api/v2/me',
    json(200, { data: { items: [] } }),
    'GET /api/v2/me answered 200: data.next_cursor Invalid input: expected string, received undefined',
  ],
  [
    'a text instead of JSON',
    history,
    '/api/v2/me',
    (res) => res.send('[]'),
    'GET /api/v2/me answered 200 without JSON',
  ],
  [
    'a status that is not declared',
    history,
    '/api/v2/me',
    json(202, page()),
    'GET /api/v2/me answered 202, which the contract does not declare',
  ],
  [
    'a body where none is declared',
    contract.sessions.end,
    '/api/v2/me',
    (res) => res.status(204).type('json').end(),
    'GET /api/v2/me answered 204 with a body',
  ],
  [
    'a key too many in a refusal',
    history,
    '/api/v2/me',
    json(404, { error: { ...error, stack: 'at' } }),
    'GET /api/v2/me answered 404: error.stack is not in the contract',
  ],
  [
    'a key too many in a refusal of no route',
    undefined,
    '/api/v2/none',
    json(404, { error, stack: 'at' }),
    'GET /api/v2/none answered 404: stack is not in the contract',
  ],
  [
    'a key too many in a refusal of v1',
    v1Contract.accounts.get,
    '/api/v1/me',
    json(401, { message: 'No.', code: 1 }),
    'GET /api/v1/me answered 401: code is not in the contract',
  ],
  [
    'a cookie',
    undefined,
    '/docs',
    (res) => res.cookie('sid', 1).send('<p>'),
    'GET /docs answered 200 with a cookie',
  ],
])('refuses %s', async (_, of, path, sent, verdict) => {
  expect(await verdictOn(of, path, sent)).toEqual([verdict]);
});

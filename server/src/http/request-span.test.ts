// What a trace says of a request.
import { EventEmitter } from 'node:events';
import type { Request, Response } from 'express';
import { expect, test } from 'vitest';
import type { RequestSpan } from '../../engines/tracing/index.js';
import { requestSpan } from './request-span.js';

test.each([
  [200, false],
  [499, false],
  [500, true],
  [503, true],
])('a request that is answered with %d has failed: %j', (statusCode, failed) => {
  const ended: Parameters<RequestSpan['end']>[] = [];
  const span: RequestSpan = { run: (work) => work(), end: (...given) => void ended.push(given) };
  const res = Object.assign(new EventEmitter(), { statusCode }) as unknown as Response;
  const req = { method: 'GET', headers: {}, requestId: 'a' } as unknown as Request;
  const tracing = { startRequest: () => span } as unknown as Parameters<typeof requestSpan>[0];
  let isHandled = false;
  requestSpan(tracing)(req, res, () => {
    isHandled = true;
  });
  expect([isHandled, ended]).toEqual([true, []]);
  res.emit('close');
  const attributes = {
    'http.request.method': 'GET',
    'http.response.status_code': statusCode,
    'foyer.request_id': 'a',
  };
  expect(ended).toEqual([['GET', attributes, failed]]);
});

// What a trace says of a request.
import { EventEmitter } from 'node:events';
import type { Request, Response } from 'express';
import { expect, test, vi } from 'vitest';
import type { RequestSpan, Tracing } from '../../engines/tracing/index.js';
import { inRequestSpan, requestSpan } from './request-span.js';

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

test('the span of a route is named after its pattern, and has the app', () => {
  const end = vi.fn();
  const tracing = { startRequest: () => ({ run: (work: () => void) => work(), end }) };
  const res = Object.assign(new EventEmitter(), { statusCode: 200 }) as unknown as Response;
  const tsRestRoute = { method: 'GET', path: '/admin/users/:uid' };
  const req = { method: 'GET', headers: {}, requestId: 'a', tsRestRoute, call: { app: { id: 'b' } } };
  requestSpan(tracing as unknown as Tracing)(req as unknown as Request, res, () => {});
  res.emit('close');
  const attributes = { 'http.route': '/admin/users/:uid', 'foyer.app_id': 'b' };
  expect(end).toHaveBeenCalledExactlyOnceWith(
    'GET /admin/users/:uid',
    expect.objectContaining(attributes),
    false,
  );
});

test('a request goes on in its span', () => {
  const run = vi.fn((work: () => void) => work());
  const next = vi.fn();
  inRequestSpan({ span: { run } } as unknown as Request, {} as Response, next);
  expect([run.mock.calls.length, next.mock.calls.length]).toEqual([1, 1]);
});

// Handlers that Express calls as one.
import type { Request, RequestHandler, Response } from 'express';
import { expect, test } from 'vitest';
import { inOrder } from './in-order.js';

/** What the combined handler passes to Express, and which handlers ran before. */
async function run(...handlers: [string, RequestHandler][]) {
  const ran: string[] = [];
  const noted = handlers.map(([name, handler]): RequestHandler => {
    return (req, res, next) => {
      ran.push(name);
      return handler(req, res, next);
    };
  });
  const passed = await new Promise((resolve) => {
    inOrder(...noted)({} as Request, {} as Response, (error?: unknown) => resolve(error));
  });
  return { ran, passed };
}

const goesOn: RequestHandler = (_req, _res, next) => next();
const goesOnLater: RequestHandler = (_req, _res, next) => void setImmediate(next);
const failure = new Error('refused');

test('each handler runs after the one before it, whether that goes on at once or later', async () => {
  const { ran, passed } = await run(['first', goesOnLater], ['second', goesOn], ['third', goesOn]);
  expect(ran).toEqual(['first', 'second', 'third']);
  expect(passed).toBeUndefined();
});

test.each<[string, RequestHandler]>([
  ['passed on', (_req, _res, next) => next(failure)],
  [
    'thrown',
    () => {
      throw failure;
    },
  ],
])(
  'an error %s after an asynchronous handler reaches Express, and no other handler runs',
  async (_, fails) => {
    const { ran, passed } = await run(['first', goesOnLater], ['second', fails], ['third', goesOn]);
    expect(ran).toEqual(['first', 'second']);
    expect(passed).toBe(failure);
  },
);

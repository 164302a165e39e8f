import express, { type NextFunction, type Request, type Response } from 'express';
import { expect, onTestFinished, test, vi } from 'vitest';
import { listen } from '../../engines/http-guard/listen.js';
import type { Deps } from '../deps.js';
import { ApiError } from '../lib/api-error.js';
import { jsonLogger } from '../lib/logger.js';
import { errorHandler, refusalOf } from './error-handler.js';

test('an error after the response has begun cuts it off, and is logged by the log alone', async () => {
  const print = vi.spyOn(console, 'error').mockImplementation(() => {});
  onTestFinished(() => print.mockRestore());
  const lines: string[] = [];
  const logger = jsonLogger('info', { write: (line) => void lines.push(line) });
  const app = express();
  // Elsewhere than in tests, Express prints every error that it handles itself, with its message.
  app.set('env', 'production');
  app.get('/', (_req: Request, res: Response, next: NextFunction) => {
    res.set('Content-Length', '10').write('begun');
    const error = new Error('Unique constraint failed: ada@example.com');
    next(Object.assign(error, { name: 'PrismaClientKnownRequestError', code: 'P2002' }));
  });
  app.use(errorHandler({ logger, dailyCounters: { count: () => {} } } as unknown as Deps));
  const { port, stop } = await listen(app, 0, '127.0.0.1');
  await expect(fetch(`http://127.0.0.1:${port}`).then((answer) => answer.text())).rejects.toThrow();
  await stop(0);
  expect(print).not.toHaveBeenCalled();
  expect(lines).toEqual([expect.stringContaining('P2002')]);
  expect(lines[0]).not.toContain('ada@example.com');
});

test.each([
  [400, 'request.size.invalid', 'request/malformed-json'],
  [400, 'request.aborted', 'request/timeout'],
  [413, 'entity.too.large', 'request/too-large'],
  [415, 'encoding.unsupported', 'request/unsupported-media-type'],
  [401, undefined, 'request/internal-error'],
  [404, undefined, 'request/internal-error'],
  [undefined, 'request.aborted', 'request/internal-error'],
])('an error with status %s and type %s of the parser of bodies is answered %s', (status, type, code) => {
  const error = Object.assign(new Error(), { ...(status && { status }), ...(type && { type }) });
  expect(refusalOf(error, {} as Request).code).toBe(code);
});

test.each([['a text'], [null], [undefined]])(
  '%j, which is no error, is answered request/internal-error',
  (thrown) => {
    expect(refusalOf(thrown, {} as Request).code).toBe('request/internal-error');
  },
);

test.each([
  ['Query read timeout', 'a database statement took too long'],
  ['connection refused', '"msg":"request failed"'],
])('the log of a request that failed with %s says: %s', (message, sentence) => {
  const lines: string[] = [];
  const logger = jsonLogger('info', { write: (line) => void lines.push(line) });
  const res = { set: () => {}, status: () => ({ json: () => {} }) } as unknown as Response;
  const failure = new ApiError('request/internal-error', { cause: new Error(message) });
  errorHandler({ logger } as unknown as Deps)(failure, {} as Request, res, () => {});
  expect(lines).toEqual([expect.stringContaining(sentence)]);
});

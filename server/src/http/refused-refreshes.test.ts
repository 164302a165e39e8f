// Which failed refreshes count against the network of the client.
import { contract } from '@foyer/contract';
import type { Request, Response } from 'express';
import { expect, test } from 'vitest';
import { ApiError } from '../lib/api-error.js';
import { countRefusedRefreshes } from './refused-refreshes.js';

const reading = (status: number, type: string) => Object.assign(new Error(), { status, type });

test.each<[string, unknown, boolean]>([
  ['a token of somebody else', new ApiError('auth/invalid-token'), true],
  ['a body that cannot be read', reading(415, 'encoding.unsupported'), true],
  ['a token with an unknown encryption key', new ApiError('request/unavailable'), true],
  ['a token of a session that has ended', new ApiError('auth/refresh-token-revoked'), false],
  ['a limit', new ApiError('request/rate-limited'), false],
  ['a fault of the service', new Error('a fault'), false],
  ['a database that is down', Object.assign(new Error(), { code: 'P1001' }), false],
])('%s counts: %j', async (_what, error, counts) => {
  let counted = 0;
  const consume = async () => {
    counted += 1;
    return null;
  };
  const req = {
    call: { app: {}, ip: '203.0.113.7' },
    tsRestRoute: contract.sessions.refresh,
  } as unknown as Request;
  const deps = { limiter: { consume } } as unknown as Parameters<typeof countRefusedRefreshes>[0];
  const passed = await new Promise((resolve) => {
    countRefusedRefreshes(deps)(error, req, {} as Response, resolve);
  });
  expect([passed, counted]).toEqual([error, counts ? 1 : 0]);
});

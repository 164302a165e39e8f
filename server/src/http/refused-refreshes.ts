// Counts refreshes with a foreign token or an invalid body by IP address, since the refresh limit is per session and these
// have none. Never refuses a token of this service.
import { type ErrorCode, metadataOf } from '@foyer/contract';
import type { NextFunction, Request, Response } from 'express';
import { rateLimitHeaders } from '../../engines/limiter/index.js';
import type { Deps } from '../deps.js';
import { ApiError } from '../lib/api-error.js';
import { refusalOf } from './error-handler.js';

/** Errors for tokens of this service, for limits that were already counted, and for slow networks. */
const uncounted: ErrorCode[] = [
  'auth/refresh-token-revoked',
  'auth/user-disabled',
  'request/rate-limited',
  'request/timeout',
];

export function countRefusedRefreshes({ limiter }: Pick<Deps, 'limiter'>) {
  return (error: unknown, req: Request, res: Response, next: NextFunction) => {
    const { call, tsRestRoute } = req;
    const isRefresh = tsRestRoute && metadataOf(tsRestRoute).rateLimit === 'refresh';
    if (!call || !isRefresh || !isCounted(error, req)) return next(error);
    limiter.consume('client', call.app, { ip: call.ip }).then((state) => {
      if (state) res.set(rateLimitHeaders(state));
      next(error);
    }, next);
  };
}

/** Server errors are not counted, except a token with an unknown encryption key. */
function isCounted(error: unknown, req: Request): boolean {
  const { code, status } = refusalOf(error, req);
  return (error instanceof ApiError || status < 500) && !uncounted.includes(code);
}

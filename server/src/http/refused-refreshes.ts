// Counts, by IP address, the refreshes that end with a token the service never gave or with a body it does not read. The
// limit of a refresh is counted by session, and these name none. A token of the service is never refused for them.
import { type ErrorCode, metadataOf } from '@foyer/contract';
import type { NextFunction, Request, Response } from 'express';
import type { Deps } from '../deps.js';
import { ApiError } from '../lib/api-error.js';
import { rateLimitHeaders } from '../lib/rate-limit/rate-limit.js';
import { refusalOf } from './error-handler.js';

/** Of tokens that were the service's own, of limits that were counted already, and of slow networks. */
const uncounted: ErrorCode[] = [
  'auth/refresh-token-revoked',
  'auth/user-disabled',
  'request/rate-limited',
  'request/timeout',
];

export function countRefusedRefreshes({ limiter }: Pick<Deps, 'limiter'>) {
  return (error: unknown, req: Request, res: Response, next: NextFunction): void => {
    const { caller, tsRestRoute } = req;
    if (
      !caller ||
      !tsRestRoute ||
      metadataOf(tsRestRoute).rateLimit !== 'refresh' ||
      !isCounted(error, req)
    ) {
      next(error);
      return;
    }
    limiter.consume('client', caller.app, { ipAddress: caller.ipAddress }).then((state) => {
      if (state) res.set(rateLimitHeaders(state));
      next(error);
    }, next);
  };
}

/** A failure of the service is not counted, but a token that names a key the service does not hold is. */
function isCounted(error: unknown, req: Request): boolean {
  const { code, status } = refusalOf(error, req);
  return error instanceof ApiError || status < 500 ? !uncounted.includes(code) : false;
}

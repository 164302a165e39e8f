// The span of each request, named after its route pattern. It has neither the URL nor headers: both may contain secrets.
import type { NextFunction, Request, Response } from 'express';
import type { RequestSpan, Tracing } from '../../engines/tracing/index.js';
import { routeName } from './request-log.js';

declare global {
  namespace Express {
    interface Request {
      span?: RequestSpan;
    }
  }
}

export function requestSpan(tracing: Tracing) {
  return (req: Request, res: Response, next: NextFunction): void => {
    const span = tracing.startRequest(req.method, req.headers);
    req.span = span;
    res.on('close', () => {
      const route = routeName(req);
      const { statusCode } = res;
      span.end(
        route ?? req.method,
        {
          'http.request.method': req.method,
          'http.response.status_code': statusCode,
          'foyer.request_id': req.requestId,
          ...(route && { 'http.route': route.slice(route.indexOf(' ') + 1) }),
          ...(req.call && { 'foyer.app_id': req.call.app.id }),
        },
        statusCode >= 500,
      );
    });
    span.run(next);
  };
}

/** Starts after the body: its bytes arrive outside of the span. */
export function inRequestSpan(req: Request, _res: Response, next: NextFunction): void {
  if (req.span) req.span.run(next);
  else next();
}

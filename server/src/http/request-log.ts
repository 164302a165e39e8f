// Logs one line per request and records metrics. Contains no headers, bodies, queries or raw paths, only the route pattern,
// and so no secrets.
import type { NextFunction, Request, Response } from 'express';
import type { Deps } from '../deps.js';

export function requestLog(deps: Deps) {
  // Redaction would cost a tenth of a small request; all fields of the line are listed here.
  const lines = deps.logger.child({}, { redact: [] });
  return (req: Request, res: Response, next: NextFunction): void => {
    const startedAt = performance.now();
    req.requestId = deps.random.ulid(deps.clock.now());
    res.setHeader('X-Request-Id', req.requestId);
    res.on('close', () => {
      const milliseconds = performance.now() - startedAt;
      const route = routeName(req);
      deps.metrics.observe(route ?? 'other', res.statusCode, milliseconds);
      lines.info(
        {
          request_id: req.requestId,
          method: req.method,
          route,
          status: res.statusCode,
          ms: Math.round(milliseconds * 10) / 10,
          ip: req.call?.ip,
          app_id: req.call?.app.id,
          uid: req.call?.uid ?? undefined,
          member: req.call?.member?.uid,
          ...(!res.writableFinished && { cut_off: true }),
        },
        'request',
      );
    });
    next();
  };
}

/** `GET /me`, and in v1 `GET /api/v1/me`: several paths exist in both versions. */
export function routeName({ tsRestRoute, apiVersion }: Request): string | null {
  if (!tsRestRoute) return null;
  return `${tsRestRoute.method} ${apiVersion ? `/api/${apiVersion}` : ''}${tsRestRoute.path}`;
}

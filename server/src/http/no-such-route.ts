// Unknown routes: 405 with `Allow` if the path has other methods, otherwise 404.
import { type AppRouter, isAppRoute } from '@ts-rest/core';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { ApiError } from '../lib/api-error.js';

export type Endpoint = { method: string; path: string };

export function noSuchRoute(known: readonly Endpoint[]) {
  const byPattern = new Map<string, { pattern: RegExp; methods: Set<string> }>();
  for (const { method, path } of known) {
    const entry = byPattern.get(path) ?? {
      pattern: new RegExp(`^${path.replaceAll('.', '\\.').replace(/:[^/]+/g, '[^/]+')}$`),
      methods: new Set<string>(),
    };
    entry.methods.add(method);
    if (method === 'GET') entry.methods.add('HEAD');
    byPattern.set(path, entry);
  }

  return (req: Request, _res: Response, next: NextFunction): void => {
    const methods = [...byPattern.values()].flatMap((entry) =>
      entry.pattern.test(req.path) ? [...entry.methods] : [],
    );
    if (methods.length === 0) next(new ApiError('request/not-found'));
    else
      next(
        new ApiError('request/method-not-allowed', { headers: { Allow: [...new Set(methods)].join(', ') } }),
      );
  };
}

/**
 * Mounted first in a router without other refusals: Express would answer OPTIONS requests for its paths without the
 * envelope.
 */
export const leaveOptions: RequestHandler = (req, _res, next) => {
  next(req.method === 'OPTIONS' ? 'router' : undefined);
};

export function endpointsOf(router: AppRouter): Endpoint[] {
  return Object.values(router).flatMap((route) => (isAppRoute(route) ? [route] : endpointsOf(route)));
}

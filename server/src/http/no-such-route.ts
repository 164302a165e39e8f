// Unknown routes: 405 with `Allow` if the path has other methods, otherwise 404.
import { type AppRouter, isAppRoute } from '@ts-rest/core';
import type { Request, RequestHandler } from 'express';
import { ApiError } from '../lib/api-error.js';

export type Endpoint = { method: string; path: string };

export function noSuchRoute(known: readonly Endpoint[]) {
  const endpoints = known.map(({ method, path }) => ({
    pattern: new RegExp(`^${path.replaceAll('.', '\\.').replace(/:[^/]+/g, '[^/]+')}$`),
    methods: method === 'GET' ? ['GET', 'HEAD'] : [method],
  }));

  return (req: Request): void => {
    const methods = endpoints.flatMap((endpoint) =>
      endpoint.pattern.test(req.path) ? endpoint.methods : [],
    );
    if (methods.length === 0) throw new ApiError('request/not-found');
    const Allow = [...new Set(methods)].join(', ');
    throw new ApiError('request/method-not-allowed', { headers: { Allow } });
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

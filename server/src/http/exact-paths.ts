// Finds the endpoints whose path has no parameters by their path. Express tries the patterns of all endpoints one after another.
import type { RequestHandler, Router } from 'express';

/** Mounted before `router`, which answers every other request to its endpoints. */
export function exactPaths(router: Router): RequestHandler {
  const handlers = new Map<string, RequestHandler>();
  for (const { route, handle } of router.stack) {
    if (!route || /[:*{]/.test(route.path)) continue;
    for (const { method } of route.stack) handlers.set(`${method.toUpperCase()} ${route.path}`, handle);
  }
  return (req, res, next) => {
    const handler = handlers.get(`${req.method} ${req.path}`);
    if (handler) handler(req, res, next);
    else next();
  };
}

// Wraps route handlers, for what applies to a handler and not to the middleware before it.
import { type AppRoute, type AppRouter, isAppRoute } from '@ts-rest/core';
import type { Request, Response } from 'express';

export type HandlerAnswer = { status: number; body: unknown };
export type Handler = (call: { req: Request; res: Response }) => Promise<HandlerAnswer>;

/** The same routers with each handler replaced; `wrap` may return it unchanged. */
export function wrapHandlers<Routers extends object>(
  routes: AppRouter,
  routers: Routers,
  wrap: (route: AppRoute, handler: Handler) => Handler,
): Routers {
  const wrapped = Object.entries(routers).map(([name, router]) => {
    const route = routes[name];
    if (!route) throw new Error(`the contract has no ${name}`);
    return [name, isAppRoute(route) ? wrap(route, router) : wrapHandlers(route, router, wrap)];
  });
  return Object.fromEntries(wrapped);
}

/** Identifies a route: `PATCH /me`. */
export function routeName({ method, path }: AppRoute): string {
  return `${method} ${path}`;
}

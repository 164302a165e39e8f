// Every route of the contract, for tests that iterate over them, and the check that a route answers only what it
// declares.
import { contract, type ErrorCode, errorsOf } from '@foyer/contract';
import { type AppRoute, type AppRouter, isAppRoute } from '@ts-rest/core';
import { expect } from 'vitest';
import type { CallOptions, TestService } from './harness.js';

export type ContractRoute = {
  /** `group.name`, as in the contract: the operationId. */
  id: string;
  route: AppRoute;
};

export const contractRoutes: ContractRoute[] = routesIn(contract, '');

export function routeOf(id: string): AppRoute {
  const found = contractRoutes.find((each) => each.id === id);
  if (!found) throw new Error(`the contract has no route ${id}`);
  return found.route;
}

/** The path with its parameters filled in. */
export function pathOf(route: AppRoute, params: Record<string, string> = {}): string {
  return route.path.replace(/:(\w+)/g, (_, name: string) => {
    const value = params[name];
    if (value === undefined) throw new Error(`${route.path} needs the parameter ${name}`);
    return value;
  });
}

/** An id that names nothing. */
export const unknownId = '01JC4Q7M0RZ9X2V5T8W3Y6K1NB';

/** Values for the parameters of every path, none of which names anything. */
export const unknownParams = {
  ...{ id: unknownId, app_id: unknownId, uid: unknownId, delivery_id: unknownId },
  ...{ provider: 'provider-a', version: '1', topic: 'news', collection: 'notes', name: 'notes' },
};

/** What a call of a route sends besides its method. */
export type Sent = CallOptions & { params?: Record<string, string>; query?: string | undefined };

export function callRoute<Data = unknown>(
  { call }: Pick<TestService, 'call'>,
  route: AppRoute,
  { params, query = '', ...options }: Sent = {},
) {
  return call<Data>(route.method, pathOf(route, params) + query, options);
}

/** Errors raised before or while a route is matched; no route declares them. */
const codesOfNoRoute: ErrorCode[] = [
  'request/not-found',
  'request/method-not-allowed',
  'request/malformed-http',
  'request/timeout',
];

export function expectDeclared({ id, route }: ContractRoute, code: ErrorCode): void {
  const declared = [...errorsOf(route), ...codesOfNoRoute];
  expect(declared, `${id} answered a code that its metadata does not declare`).toContain(code);
}

function routesIn(router: AppRouter, prefix: string): ContractRoute[] {
  return Object.entries(router).flatMap(([name, entry]) =>
    isAppRoute(entry) ? [{ id: `${prefix}${name}`, route: entry }] : routesIn(entry, `${prefix}${name}.`),
  );
}

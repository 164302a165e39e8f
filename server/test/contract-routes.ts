// Every route of the contract, for tests that iterate over them, and the check that a route answers only what it
// declares.
import { contract, type ErrorCode, errorsOf } from '@foyer/contract';
import { type AppRoute, type AppRouter, isAppRoute } from '@ts-rest/core';
import { expect } from 'vitest';

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

// The requests that reject unknown query parameters and unknown keys of the body, for every route.
import { type AppRoute, isAppRoute } from '@ts-rest/core';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { contract, v1Contract } from './index.js';

const typo = 'validateOnly';

function routesOf(groups: object): [string, AppRoute][] {
  return Object.entries(groups).flatMap(([group, routes]) =>
    Object.entries(routes as object)
      .filter(([, route]) => isAppRoute(route))
      .map(([name, route]): [string, AppRoute] => [`${group}.${name}`, route]),
  );
}

const routes = routesOf(contract);
const bodies = routes.filter(([, route]) => 'body' in route && route.body instanceof z.ZodType);
/** Called by backends and the dashboard, where a misspelt key would go unnoticed. */
const isAdmin = ([, { path }]: [string, AppRoute]) => /^\/(admin|console)\//.test(path);

/** Whether a schema names the key among the unknown ones. */
function refusesTypo(schema: unknown): boolean {
  const { error } = (schema as z.ZodType).safeParse({ [typo]: 'true' });
  return error !== undefined && JSON.stringify(error.issues).includes(typo);
}

test('there are routes and bodies of both kinds', () => {
  expect(routes.length).toBeGreaterThan(80);
  expect(bodies.filter(isAdmin).length).toBeGreaterThan(12);
  expect(bodies.filter((each) => !isAdmin(each)).length).toBeGreaterThan(15);
});

/** Documents for caches and other tools, and links that are shared: others append parameters of their own. */
const open = [
  ...['tokens.keySet', 'tokens.discovery', 'remoteConfig.get', 'fileBytes.read'],
  'signIn.redirectCallback',
];
const ignoresUnknown = ([name]: [string, AppRoute]) => open.includes(name);

test.each(routes.filter((route) => !ignoresUnknown(route)))(
  '%s refuses an unknown query parameter',
  (_name, route) => {
    expect(refusesTypo(route.query)).toBe(true);
  },
);

test.each(routes.filter(ignoresUnknown))('%s ignores an unknown query parameter', (_name, route) => {
  expect(refusesTypo(route.query)).toBe(false);
});

test.each(bodies.filter(isAdmin))('%s refuses an unknown key of its body, at every depth', (_name, route) => {
  const body = (route as { body: z.ZodType }).body;
  expect(refusesTypo(body)).toBe(true);
  expect(droppingObjects(z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' }))).toEqual([]);
});

test.each(bodies.filter((each) => !isAdmin(each)))(
  '%s accepts a body of an app with unknown keys, and drops them',
  (name, route) => {
    // The query language over records is strict.
    const isStrict = name === 'data.query';
    expect(refusesTypo((route as { body: z.ZodType }).body)).toBe(isStrict);
  },
);

test('v1 accepts unknown query parameters and keys', () => {
  for (const [, route] of routesOf(v1Contract)) {
    if (route.query) expect(refusesTypo(route.query)).toBe(false);
    if ('body' in route && route.body instanceof z.ZodType) expect(refusesTypo(route.body)).toBe(false);
  }
});

/** The paths of objects in a JSON schema that have named properties and accept others. */
function droppingObjects(schema: unknown, path = ''): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { type, properties, additionalProperties } = schema as Record<string, unknown>;
  const drops = type === 'object' && properties !== undefined && additionalProperties !== false;
  const inner = Object.entries(schema).flatMap(([name, part]) => droppingObjects(part, `${path}/${name}`));
  return drops ? [path, ...inner] : inner;
}

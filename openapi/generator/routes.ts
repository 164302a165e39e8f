// The contract as a flat list of operations, each under the name that generated clients know it by.
import { type errorsOf, hasForm } from '@foyer/contract';
import { z } from 'zod';

export type Route = Parameters<typeof errorsOf>[0];

/** `id` is `group.name` of the contract and never changes: generated clients name their functions after it. */
export type Operation = { id: string; group: string; route: Route };

export type Groups = Record<string, Record<string, Route>>;

export function operationsOf(groups: Groups): Operation[] {
  return Object.entries(groups).flatMap(([group, routes]) =>
    Object.entries(routes).map(([name, route]) => ({ id: `${group}.${name}`, group, route })),
  );
}

/** The answers that are no errors: status and schema, which is undefined where there is no body. */
export function successesOf(route: Route): [status: string, schema: z.ZodType | undefined][] {
  return Object.entries(route.responses)
    .filter(([status]) => Number(status) < 400)
    .map(([status, schema]) => [status, schema instanceof z.ZodType ? schema : undefined]);
}

export function bodyOf(route: Route): z.ZodType | undefined {
  if (!('body' in route) || !(route.body instanceof z.ZodType)) return undefined;
  // The service reads a form itself: to the contract's own validation it is no body.
  return route.body instanceof z.ZodOptional ? (route.body.unwrap() as z.ZodType) : route.body;
}

export function bodyTypeOf(route: Route): string {
  return hasForm(route) ? 'multipart/form-data' : 'application/json';
}

/** JSON, but for what the contract says to be bytes. */
export function answerTypeOf(schema: z.ZodType): string {
  return schema.meta()?.format === 'binary' ? 'application/octet-stream' : 'application/json';
}

/** A parameter schema of the route as the object it is written as in the contract. */
export function parametersOf(schema: unknown): z.ZodObject | undefined {
  return schema instanceof z.ZodObject ? schema : undefined;
}

/** The request headers that the contract names, written as they are usually written. */
export function headersOf(route: Route): z.ZodObject | undefined {
  if (!(route.headers instanceof z.ZodObject)) return undefined;
  const written = Object.entries(route.headers.shape as Record<string, z.ZodType>).map(([name, schema]) => [
    name.replace(/(?:^|-)[a-z]/g, (start) => start.toUpperCase()),
    schema,
  ]);
  return z.object(Object.fromEntries(written));
}

/** True for a call that gives its first refresh token to a client: what the client says of itself is kept with it. */
export function startsSession(route: Route): boolean {
  const answersToken = successesOf(route).some(([, schema]) =>
    keysOf(dataOf(schema)).includes('refresh_token'),
  );
  return answersToken && !keysOf(bodyOf(route)).includes('refresh_token');
}

/** What stands inside the envelope, or the schema itself where there is none. */
export function dataOf(schema: z.ZodType | undefined): z.ZodType | undefined {
  return schema instanceof z.ZodObject && schema.shape.data instanceof z.ZodType ? schema.shape.data : schema;
}

export function keysOf(schema: unknown): string[] {
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
}

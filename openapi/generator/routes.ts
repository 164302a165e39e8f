// The contract as a flat list of operations, each with its operation id.
import { type errorsOf, hasForm, hasUrlForm } from '@foyer/contract';
import * as z from 'zod';

export type Route = Parameters<typeof errorsOf>[0];

/** `id` is `group.name` of the contract. */
export type Operation = { id: string; group: string; route: Route };

export type Groups = Record<string, Record<string, Route>>;

export function operationsOf(groups: Groups): Operation[] {
  return Object.entries(groups).flatMap(([group, routes]) =>
    Object.entries(routes).map(([name, route]) => ({ id: `${group}.${name}`, group, route })),
  );
}

/**
 * `signIn.signUp` → `signInSignUp`, which never changes: generated clients name their functions after it, and neither
 * Swift nor a workflow in Arazzo can name one with a dot.
 */
export function operationIdOf(id: string): string {
  return id.replace(/\.(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** The successful responses: status and schema, undefined for responses without a body. */
export function successesOf(route: Route): [status: string, schema: z.ZodType | undefined][] {
  return Object.entries(route.responses)
    .filter(([status]) => Number(status) < 400)
    .map(([status, schema]) => [status, schema instanceof z.ZodType ? schema : undefined]);
}

export function bodyOf(route: Route): z.ZodType | undefined {
  if (!('body' in route) || !(route.body instanceof z.ZodType)) return undefined;
  // The service parses the form itself; the body is optional for the validation of ts-rest only.
  return route.body instanceof z.ZodOptional ? (route.body.unwrap() as z.ZodType) : route.body;
}

export function bodyTypeOf(route: Route): string {
  if (hasForm(route)) return 'multipart/form-data';
  return hasUrlForm(route) ? 'application/x-www-form-urlencoded' : 'application/json';
}

/** True for the bytes of a file. */
export function isBytes(schema: z.ZodType): boolean {
  return schema.meta()?.format === 'binary';
}

/**
 * The bytes of a file have the type of the file, which is any; generators of clients recognise bytes by
 * `application/octet-stream`.
 */
export function answerTypesOf(schema: z.ZodType): string[] {
  return isBytes(schema) ? ['application/octet-stream', '*/*'] : ['application/json'];
}

/** The schema of the parameters as an object, as declared in the contract. */
export function parametersOf(schema: unknown): z.ZodObject | undefined {
  return schema instanceof z.ZodObject ? schema : undefined;
}

/** The request headers of the contract, with their names in the usual capitalisation. */
export function headersOf(route: Route): z.ZodObject | undefined {
  if (!(route.headers instanceof z.ZodObject)) return undefined;
  const written = Object.entries(route.headers.shape as Record<string, z.ZodType>).map(([name, schema]) => [
    name.replace(/(?:^|-)[a-z]/g, (start) => start.toUpperCase()),
    schema,
  ]);
  return z.object(Object.fromEntries(written));
}

/**
 * True for a call that issues the first refresh token of a session: the device name and app version are stored with the
 * session.
 */
export function startsSession(route: Route): boolean {
  const answersToken = successesOf(route).some(([, schema]) =>
    keysOf(dataOf(schema)).includes('refresh_token'),
  );
  return answersToken && !keysOf(bodyOf(route)).includes('refresh_token');
}

/** The schema inside the envelope, or the schema itself without an envelope. */
export function dataOf(schema: z.ZodType | undefined): z.ZodType | undefined {
  return schema instanceof z.ZodObject && schema.shape.data instanceof z.ZodType ? schema.shape.data : schema;
}

export function keysOf(schema: unknown): string[] {
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
}

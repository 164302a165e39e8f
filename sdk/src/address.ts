// Path and query of a route with its parameters filled in and encoded.
import type { Route } from './generated/routes.js';

/** The path parameters that a route needs. */
export type ParamsOf<R extends string> = R extends `${string}/:${infer Name}/${infer Rest}`
  ? Record<Name, string> & ParamsOf<`/${Rest}`>
  : R extends `${string}/:${infer Name}`
    ? Record<Name, string>
    : Record<never, string>;

export interface RequestInput<R extends string = Route> {
  params?: ParamsOf<R>;
  query?: object;
  body?: object;
}

export function addressOf(path: string, { params, query }: RequestInput<string>): string {
  let url = path.replace(/:(\w+)/g, (_, name: string) => {
    const value: unknown = (params as Record<string, unknown>)[name];
    // An empty or dotted segment would reach another endpoint.
    if (typeof value !== 'string' || /^\.{0,2}$/.test(value)) throw new TypeError(`${name} is no id`);
    return encodeURIComponent(value);
  });
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value !== undefined) url += `${url.includes('?') ? '&' : '?'}${name}=${encodeURIComponent(value)}`;
  }
  return url;
}

// Builds the path and query string of a route from its parameters, URL-encoded.
import type { Route } from '../generated/routes.js';

/** The path parameters of a route. */
export type ParamsOf<R extends string> = R extends `${string}/:${infer Name}/${infer Rest}`
  ? Record<Name, string> & ParamsOf<`/${Rest}`>
  : R extends `${string}/:${infer Name}`
    ? Record<Name, string>
    : Record<never, string>;

export interface RequestInput<R extends string = Route> {
  /** The parameters of the path, not yet encoded. */
  params?: ParamsOf<R>;
  /** The query; properties that are undefined are not sent. */
  query?: object;
  /** The JSON body. */
  body?: object | undefined;
}

export function urlOf(path: string, { params, query }: RequestInput<string>): string {
  let url = path.replace(/:(\w+)/g, (_, name: string) => {
    const value: unknown = (params as Record<string, unknown>)[name];
    // An empty or dot segment would be normalized to a different endpoint.
    if (typeof value !== 'string' || /^\.{0,2}$/.test(value)) throw new TypeError(`${name} is invalid`);
    return encodeURIComponent(value);
  });
  let separator = '?';
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value === undefined) continue;
    url += `${separator}${name}=${encodeURIComponent(value)}`;
    separator = '&';
  }
  return url;
}

// Makes the methods of a client from a generated table of routes. The caller sends the requests: a backend with its secret
// key, the dashboard as the signed-in team member.
import type { RepeatableCallOptions } from '../api.js';
import type { PageQuery } from '../generated/models.js';
import type { RequestInput } from '../http/request-url.js';
import type { Page } from '../models.js';

/** How the arguments of a method become a request. */
export interface CallSpec {
  /** The endpoint, as `METHOD /path`. */
  readonly route: string;
  /** Where the argument after those of the path is sent: `query`, `body`, or `body.name` for one property. */
  readonly input?: string;
  /** Where the options of the call are sent: `body.name`, `query.name` or `headers.name`. */
  readonly options?: Readonly<Record<string, string>>;
  /** The answer is a page of a list, and its query is the argument. */
  readonly pages?: true;
  /** The answer has an `ETag`. */
  readonly etag?: true;
  /** The service accepts an idempotency key; the codes with which the operation itself refuses a call. */
  readonly once?: readonly string[];
  /** A POST that changes nothing. */
  readonly safe?: true;
}

/** The calls of a client, by namespace and method. */
export type CallTable = Readonly<Record<string, Readonly<Record<string, CallSpec>>>>;

/** Options of a request with an idempotency key. */
export interface OnceOptions extends RepeatableCallOptions {
  /**
   * The service processes a key once and repeats the response for 24 hours. Default: a random key for each call, which
   * covers its retries; pass a stable one, such as an order number, to cover your own retries.
   */
  idempotencyKey?: string | undefined;
}

/** An answer with its `ETag`. */
export type Tagged<T> = T & {
  /** The value for the `ifMatch` of a change. */
  etag: string;
};

/** Sends a request and returns the `data` of the response and its headers. */
export type Perform = (
  spec: CallSpec,
  input: RequestInput<string>,
  options: OnceOptions,
) => Promise<{ data: unknown; headers: Headers }>;

/** Reads the pages of a list, from the one of the query on. */
export type ReadPages = (read: (query: PageQuery) => Promise<Page<unknown>>, query?: PageQuery) => unknown;

/** @internal The client of a table, whose methods send their requests with `perform`. */
export function createTypedClient<Client>(table: CallTable, perform: Perform, readPages: ReadPages): Client {
  const methodsOf = (specs: Readonly<Record<string, CallSpec>>) =>
    mapped(specs, (spec) => createMethod(spec, perform, readPages));
  return mapped(table, methodsOf) as Client;
}

function createMethod(spec: CallSpec, perform: Perform, readPages: ReadPages) {
  const place = spec.pages ? 'query' : spec.input;
  const names = [...spec.route.matchAll(/:(\w+)/g)].map(([, name]) => name!);
  const inputAt = names.length;
  return (...given: unknown[]) => {
    const input = place ? given[inputAt] : undefined;
    const options = (given[place ? inputAt + 1 : inputAt] ?? {}) as OnceOptions;
    const send = async (value: unknown) => {
      const params = Object.fromEntries(names.map((name, index) => [name, paramOf(given[index])]));
      const { headers, ...request } = requestOf(spec, place, value, options);
      const answer = await perform(spec, { params, ...request }, { ...options, headers });
      const { data } = answer;
      return spec.etag ? { ...(data as object), etag: answer.headers.get('ETag') ?? '' } : data;
    };
    if (!spec.pages) return send(input);
    return readPages((page) => send(page) as Promise<Page<unknown>>, input as PageQuery | undefined);
  };
}

/** Any other value is refused with the request. */
function paramOf(value: unknown): string {
  return typeof value === 'number' ? String(value) : (value as string);
}

interface Request {
  body?: object;
  query?: object;
  headers: Record<string, string>;
}

function requestOf(
  { options: places = {} }: CallSpec,
  input: string | undefined,
  value: unknown,
  options: OnceOptions,
): Request {
  const request: Request = { headers: { ...options.headers } };
  const put = (place: string, sent: unknown) => {
    const [part, name] = place.split('.') as [keyof Request, string | undefined];
    if (sent !== undefined)
      Object.assign(request, { [part]: name ? { ...request[part], [name]: sent } : sent });
  };
  if (input) put(input, value);
  for (const [name, place] of Object.entries(places)) put(place, options[name as keyof OnceOptions]);
  return request;
}

function mapped<From, To>(values: Readonly<Record<string, From>>, map: (value: From) => To) {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, map(value)]));
}

// Builds the request of a route: path, query string and body.
import { ApiProblem } from './api-problem.ts';

export type RouteInBrief = {
  method: string;
  path: string;
  idempotencyKey?: boolean;
  /** With `idempotencyKey`: the codes with which the operation itself refuses a call. */
  errors?: readonly string[];
};

/** What a call of the typed client is given. */
export type CallInput = {
  params?: Record<string, unknown>;
  query?: Record<string, unknown>;
  headers?: Record<string, unknown>;
  extraHeaders?: Record<string, string | undefined>;
  body?: unknown;
  fetchOptions?: { signal?: AbortSignal | null };
};

export function pathOf({ path }: RouteInBrief, { params = {}, query = {} }: CallInput): string {
  const filled = path.replace(/:([A-Za-z_]+)/g, (_, name: string) => segmentOf(params[name]));
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return text === '' ? filled : `${filled}?${text}`;
}

/** Ids come from the address bar: they must not lead to another path. */
function segmentOf(value: unknown): string {
  const text = String(value ?? '');
  if (text === '' || text === '.' || text === '..') {
    throw new ApiProblem('request/not-found', 'There is no such address.', { status: 404 });
  }
  return encodeURIComponent(text);
}

export function initOf({ method }: RouteInBrief, input: CallInput): RequestInit & { headers: Headers } {
  const headers = new Headers({ Accept: 'application/json' });
  for (const [name, value] of Object.entries({ ...input.extraHeaders, ...input.headers })) {
    if (value !== undefined) headers.set(name, String(value));
  }
  const init: RequestInit & { headers: Headers } = { method, headers };
  if (input.body instanceof FormData) init.body = input.body;
  else if (input.body !== undefined) {
    init.body = JSON.stringify(input.body);
    headers.set('Content-Type', 'application/json');
  }
  if (input.fetchOptions?.signal) init.signal = input.fetchOptions.signal;
  return init;
}

// The sessions of an app's backend as request handlers of Node and Express.
import type { CookieSessions } from './cookie-sessions.js';

/** The used subset of a request of Node. */
export interface NodeRequest extends AsyncIterable<Uint8Array> {
  /** The HTTP method. */
  method?: string | undefined;
  /** The path and query. */
  url?: string | undefined;
  /** The headers, with names in lower case. */
  headers: Record<string, string | string[] | undefined>;
  /** The connection. */
  socket: { remoteAddress?: string | undefined };
  /** The browser's IP address, which Express takes from the proxies that it trusts. */
  ip?: string | undefined;
  /** The body, if a middleware such as `express.json()` or `express.raw()` has read it. */
  body?: unknown;
  /** False while nothing has read the body. */
  readableDidRead?: boolean | undefined;
}

/** The used subset of a response of Node. */
export interface NodeResponse {
  /** The status of the response. */
  statusCode: number;
  /** Sets a header. */
  setHeader(name: string, value: string | string[]): unknown;
  /** Adds a value to a header. */
  appendHeader(name: string, value: string | string[]): unknown;
  /** Sends the response. */
  end(body: string): unknown;
}

/** A request handler of Node's `http` or, with `next`, of Express. */
export type NodeHandler = (
  request: NodeRequest,
  response: NodeResponse,
  next?: (error?: unknown) => void,
) => Promise<void>;

export interface NodeHandlers {
  /** `sessions.handle`: mount it at the path that `cookieSession` calls. */
  handle: NodeHandler;
  /** `sessions.renew`: call it before the handlers of pages, which then use `sessions.read(request.headers)`. */
  renew: NodeHandler;
}

/**
 * Returns the sessions of an app's backend as handlers of Node's `http` and of Express.
 *
 * @example
 * const { handle, renew } = nodeHandlers(sessions);
 * app.use('/api/auth', handle);
 * app.get('/', renew, (request, response) => response.send(sessions.read(request.headers)?.uid));
 */
export function nodeHandlers(sessions: CookieSessions): NodeHandlers {
  const reported =
    (handler: NodeHandler): NodeHandler =>
    async (request, response, next) => {
      try {
        await handler(request, response, next);
      } catch (error) {
        if (next) return next(error);
        // Node's `http` awaits no handler: a rejection would end the process.
        console.error(error);
        response.statusCode = 500;
        response.end('');
      }
    };
  return {
    handle: reported(async (request, response) => {
      const answered = await sessions.handle(toRequest(request), request.ip ?? request.socket.remoteAddress);
      response.statusCode = answered.status;
      copyHeaders(answered.headers, response);
      response.end(await answered.text());
    }),
    renew: reported(async (request, response, next) => {
      const renewed = await sessions.renew(toHeaders(request));
      const cookie = renewed.request.get('Cookie');
      if (cookie !== null) request.headers.cookie = cookie;
      copyHeaders(renewed.response, response);
      next?.();
    }),
  };
}

function toHeaders({ headers }: NodeRequest): Headers {
  const result = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    // The pseudo-headers of HTTP/2, such as `:path`, which `Headers` refuses.
    if (name.startsWith(':')) continue;
    for (const each of [value ?? []].flat()) result.append(name, each);
  }
  return result;
}

function toRequest(request: NodeRequest): Request {
  const init: RequestInit & { duplex?: 'half' } = { headers: toHeaders(request) };
  // All other methods are answered alike, and `Request` refuses some of them.
  if (request.method === 'POST') {
    init.method = 'POST';
    init.body = bodyOf(request);
    init.duplex = 'half';
  }
  // The host does not matter. Resolved against a base, a path of `//` would begin a host.
  return new Request(`http://localhost${request.url ?? '/'}`, init);
}

/** The stream, unless a parser of the app has consumed it: into JSON, or into the text or the bytes that were sent. */
function bodyOf(request: NodeRequest): BodyInit {
  const { body } = request;
  if (body === undefined || isUnread(request)) return streamOf(request);
  const isAsSent = typeof body === 'string' || ArrayBuffer.isView(body);
  return isAsSent ? (body as BodyInit) : JSON.stringify(body);
}

/** A parser of Express 4 sets an empty body also where it has read nothing, because it is for another type. */
function isUnread({ body, readableDidRead }: NodeRequest): boolean {
  return readableDidRead === false && JSON.stringify(body) === '{}';
}

function streamOf(chunks: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  // The iterator is not closed when the rest is not read: that would close the connection before the response.
  const iterator = chunks[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await iterator.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
  });
}

function copyHeaders(from: Headers, response: NodeResponse): void {
  for (const [name, value] of from) {
    // An earlier handler may have set `Vary`.
    if (/^(set-cookie|vary)$/.test(name)) response.appendHeader(name, value);
    else response.setHeader(name, value);
  }
}

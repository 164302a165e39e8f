// Invalid or incomplete HTTP requests: Node creates no response object for them, so the response is written to the socket.
import { type Server, ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { ErrorCode } from '@foyer/contract';
import type { Express, NextFunction, Request, Response } from 'express';
import { ApiError } from '../../src/lib/api-error.js';
import { bounds } from './bounds.js';

/** Node's error, with the last bytes received: usually the whole head. */
type BrokenRequestError = NodeJS.ErrnoException & { rawPacket?: Buffer };

export type RefusedAnswer = { status: number; body: object; headers: Record<string, string> };

/** How the service answers a request that is refused before its handlers run. */
export type Refusals = {
  /**
   * `running`: the response of a request with a valid head. `target`: the target of one with an invalid head, as far as it can
   * be read.
   */
  answer(refusal: ApiError, running: ServerResponse | undefined, target: string): RefusedAnswer;
  /** What the answer to a running request waits for, if anything. */
  ready(running: ServerResponse): Promise<void> | undefined;
};

const plainRefusals: Refusals = {
  answer: ({ code, status, message, fields }) => ({
    status,
    body: { error: { code, message, fields } },
    headers: {},
  }),
  ready: () => undefined,
};

/** The limit exceeds a method, an origin and a version prefix. */
const maxLineStartCharacters = 500;

export function refuseBrokenRequests(server: Server, refusals: Refusals = plainRefusals): void {
  server.on('clientError', (error: BrokenRequestError, socket) => {
    const running = responseOn(socket);
    if (!socket.writable || error.code === 'ECONNRESET' || running?.headersSent) {
      socket.destroy();
      return;
    }
    // Invalid bytes after a complete request: that request is answered, as the last on its connection.
    if (running?.req.complete) {
      running.setHeader('Connection', 'close');
      return;
    }
    const answer = () => {
      if (!socket.writable || running?.headersSent) return;
      const refusal = new ApiError(codeOf(error));
      if (running) running.statusCode = refusal.status;
      end(socket, refusals.answer(refusal, running, targetOf(error)));
    };
    const ready = running && refusals.ready(running);
    if (!ready) return answer();
    running.setHeader('Connection', 'close');
    ready.then(answer);
  });
}

/** Refuses a request whose body is still arriving, as Node refuses invalid ones. */
export function refuse(server: Server, socket: Socket, code: string): void {
  server.emit('clientError', Object.assign(new Error(code), { code }), socket);
}

/**
 * CONNECT requests a tunnel. Node passes the bare socket; the application refuses it like any unsupported method.
 */
export function refuseTunnels(server: Server, app: Express): void {
  server.on('connect', (req, socket) => {
    // Node has removed its own listener, and an unhandled error event would end the process.
    socket.on('error', () => socket.destroy());
    // A host and port have no path, for which Express would answer itself.
    if (!req.url?.includes('/')) req.url = '/';
    const res = new ServerResponse(req);
    res.shouldKeepAlive = false;
    res.assignSocket(socket as Socket);
    res.on('finish', () => endSoon(socket));
    app(req as Request, res as Response);
  });
}

/**
 * HTTP/1.1 requires exactly one Host (RFC 9112, 3.2). With two, a proxy may use the other one. Node's own refusal would
 * lack the envelope.
 */
export function requireHost(req: Request, _res: Response, next: NextFunction): void {
  const count = hostCount(req);
  const malformed = count > 1 || (count === 0 && req.httpVersionMinor === 1);
  next(malformed ? new ApiError('request/malformed-http') : undefined);
}

function hostCount({ rawHeaders }: Request): number {
  let count = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string;
    if (name.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  return count;
}

/** Node provides no other access from a socket to its current response. */
export function responseOn(socket: Duplex): ServerResponse | undefined {
  return (socket as { _httpMessage?: ServerResponse })._httpMessage ?? undefined;
}

function end(socket: Duplex, { status, body: content, headers }: RefusedAnswer): void {
  const body = JSON.stringify(content);
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    'X-Content-Type-Options: nosniff',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    'Connection: close',
  ];
  endSoon(socket, `${head.join('\r\n')}\r\n\r\n${body}`);
}

function endSoon(socket: Duplex, last = ''): void {
  socket.end(last);
  setTimeout(() => socket.destroy(), bounds.connections.lingerMilliseconds).unref();
}

function targetOf({ rawPacket }: BrokenRequestError): string {
  const lineStart = rawPacket?.toString('latin1', 0, maxLineStartCharacters) ?? '';
  return /^\S+ (\S+)/.exec(lineStart)?.[1] ?? '';
}

function codeOf(error: NodeJS.ErrnoException): ErrorCode {
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') return 'request/timeout';
  return tooLarge.includes(error.code) ? 'request/too-large' : 'request/malformed-http';
}

const tooLarge: (string | undefined)[] = [
  'HPE_HEADER_OVERFLOW',
  'HPE_CHUNK_EXTENSIONS_OVERFLOW',
  'ERR_SMALL_CHUNKS',
];

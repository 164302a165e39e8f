// Invalid or incomplete HTTP requests: Node creates no response object for them, so the response is written to the socket.
import { type Server, ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { ErrorCode } from '@foyer/contract';
import type { Express, NextFunction, Request, Response } from 'express';
import { ApiError } from '../lib/api-error.js';
import { type ApiVersion, type WrittenError, writtenError } from './error-form.js';
import { v1HeaderNames, versionOfTarget } from './v1-headers.js';

/** Node's error, with the last bytes received: usually the whole head. */
type BrokenRequestError = NodeJS.ErrnoException & { rawPacket?: Buffer };

/** Logs a refused request; returns its id. */
export type OnBrokenRequest = (refusal: ApiError) => string;

/** A client that does not close after the refusal is disconnected. */
const lingerMilliseconds = 1_000;
/** Longer than a method, an origin and a version prefix. */
const maxLineStartCharacters = 500;

export function refuseBrokenRequests(server: Server, onBrokenRequest: OnBrokenRequest = () => ''): void {
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
      const requestId = String(running?.getHeader('X-Request-Id') ?? onBrokenRequest(refusal));
      const version = running ? (running.req as Request).apiVersion : versionOf(error);
      end(socket, writtenError(refusal, requestId, version), requestId, running);
    };
    // In v1 the headers and the shutdown depend on the app, which is looked up first.
    const { announced } = (running?.req ?? {}) as Partial<Request>;
    if (running && announced) {
      running.setHeader('Connection', 'close');
      announced.then(answer);
    } else answer();
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

function end(socket: Duplex, written: WrittenError, requestId: string, running?: ServerResponse): void {
  const body = JSON.stringify(written.body);
  const kept = v1HeaderNames.filter((name) => running?.hasHeader(name));
  const head = [
    `HTTP/1.1 ${written.status} ${STATUS_CODES[written.status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    'Cache-Control: no-store',
    'X-Content-Type-Options: nosniff',
    'Access-Control-Allow-Origin: *',
    ...kept.map((name) => `${name}: ${running?.getHeader(name)}`),
    'Connection: close',
  ];
  endSoon(socket, `${head.join('\r\n')}\r\n\r\n${body}`);
}

function endSoon(socket: Duplex, last = ''): void {
  socket.end(last);
  setTimeout(() => socket.destroy(), lingerMilliseconds).unref();
}

/** For a request with an invalid head, as far as its request line can be parsed. */
function versionOf({ rawPacket }: BrokenRequestError): ApiVersion {
  const [, target = ''] =
    /^\S+ (\S+)/.exec(rawPacket?.toString('latin1', 0, maxLineStartCharacters) ?? '') ?? [];
  return versionOfTarget(target);
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

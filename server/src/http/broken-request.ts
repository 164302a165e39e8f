// What never became a request, or stopped half way: no response object stands for it, so its answer is written by hand.

import { type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ErrorCode } from '@foyer/contract';
import type { NextFunction, Request, Response } from 'express';
import { ApiError } from '../lib/api-error.js';
import { errorBody } from './error-handler.js';

/** Told of each refusal of a broken request; returns the request's id. */
export type OnBrokenRequest = (refusal: ApiError) => string;

/** A client that does not close after its refusal is cut off. */
const lingerMilliseconds = 1_000;

export function refuseBrokenRequests(server: Server, onBrokenRequest: OnBrokenRequest = () => ''): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const running = responseOn(socket);
    if (!socket.writable || error.code === 'ECONNRESET' || running?.headersSent) {
      socket.destroy();
      return;
    }
    // Garbage behind a request that came whole: that one keeps its answer, and is the last on this connection.
    if (running?.req.complete) {
      running.setHeader('Connection', 'close');
      return;
    }
    const refusal = new ApiError(codeOf(error));
    if (running) running.statusCode = refusal.status;
    const requestId = running?.getHeader('X-Request-Id') ?? onBrokenRequest(refusal);
    end(socket, refusal, String(requestId));
  });
  // CONNECT asks for a tunnel to elsewhere, and never reaches the application.
  server.on('connect', (_req, socket) => {
    const refusal = new ApiError('request/not-found');
    end(socket, refusal, onBrokenRequest(refusal));
  });
}

/** HTTP/1.1 demands a Host (RFC 9112, 3.2). Node's own refusal would be outside the envelope. */
export function demandHost(req: Request, _res: Response, next: NextFunction): void {
  const missing = req.headers.host === undefined && req.httpVersionMinor === 1;
  next(missing ? new ApiError('request/malformed-http') : undefined);
}

/** Node keeps the response that is being made on its socket, and leaves nobody else a way from one to the other. */
function responseOn(socket: Duplex): ServerResponse | undefined {
  return (socket as { _httpMessage?: ServerResponse })._httpMessage ?? undefined;
}

function end(socket: Duplex, refusal: ApiError, requestId: string): void {
  const body = JSON.stringify(errorBody(refusal, requestId));
  const head = [
    `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    'Cache-Control: no-store',
    'Access-Control-Allow-Origin: *',
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  setTimeout(() => socket.destroy(), lingerMilliseconds).unref();
}

function codeOf(error: NodeJS.ErrnoException): ErrorCode {
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') return 'request/timeout';
  return error.code === 'HPE_HEADER_OVERFLOW' || error.code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW'
    ? 'request/too-large'
    : 'request/malformed-http';
}

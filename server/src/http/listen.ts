// The HTTP server. Requests and responses are born with express's prototypes: express would otherwise swap the prototype
// of each, and V8 treats an object whose prototype changed as slow for the rest of its life (three times the throughput).
import { createServer, IncomingMessage, type Server, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Express } from 'express';
import { ApiError } from '../lib/api-error.js';
import { errorBody } from './error-handler.js';

export type Listening = {
  server: Server;
  port: number;
  /** Stops accepting, lets what runs finish within the time, then cuts off the rest. */
  stop(graceMilliseconds: number): Promise<void>;
};

export async function listen(app: Express, port: number, host: string): Promise<Listening> {
  const server = createServer(
    {
      ...bornAs(app),
      headersTimeout: 10_000,
      requestTimeout: 30_000,
      connectionsCheckingInterval: 1_000,
      // Longer than the usual proxy's, so that the proxy closes idle connections, never we under its feet.
      keepAliveTimeout: 75_000,
    },
    app,
  );
  server.on('clientError', answerBrokenRequest);
  server.on('checkExpectation', app);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return {
    server,
    port: (server.address() as AddressInfo).port,
    stop: (graceMilliseconds) =>
      new Promise((resolve) => {
        const cutOff = setTimeout(() => server.closeAllConnections(), graceMilliseconds);
        server.close(() => {
          clearTimeout(cutOff);
          resolve();
        });
        server.closeIdleConnections();
      }),
  };
}

/** Constructors whose instances already have the prototypes that express would give them. */
function bornAs(app: Express) {
  function FoyerRequest(this: IncomingMessage, socket: Socket) {
    Reflect.apply(IncomingMessage, this, [socket]);
  }
  FoyerRequest.prototype = app.request;
  function FoyerResponse(this: ServerResponse, ...args: unknown[]) {
    Reflect.apply(ServerResponse, this, args);
  }
  FoyerResponse.prototype = app.response;
  return {
    IncomingMessage: FoyerRequest as unknown as typeof IncomingMessage,
    ServerResponse: FoyerResponse as unknown as typeof ServerResponse,
  };
}

/** What never became a request has no response object either: the envelope is written by hand. */
function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const refusal = new ApiError(codeOf(error));
  const body = JSON.stringify(errorBody(refusal, ''));
  const reason = { 400: 'Bad Request', 408: 'Request Timeout', 413: 'Content Too Large' }[refusal.status];
  socket.end(
    `HTTP/1.1 ${refusal.status} ${reason}\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}

function codeOf(error: NodeJS.ErrnoException) {
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') return 'request/timeout';
  return error.code === 'HPE_HEADER_OVERFLOW' ? 'request/too-large' : 'request/malformed-http';
}

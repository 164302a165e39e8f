// The HTTP server. Requests and responses are born with express's prototypes: express would otherwise swap the prototype
// of each, and V8 treats an object whose prototype changed as slow for the rest of its life (three times the throughput).
import { createServer, IncomingMessage, type Server, ServerResponse } from 'node:http';
import type { AddressInfo, Server as NetServer, Socket } from 'node:net';
import type { Express } from 'express';
import { type OnBrokenRequest, refuseBrokenRequests, refuseTunnels } from './broken-request.js';
import { limitPipelining } from './pipelining.js';
import { cutSlowRequests, maxUploadMilliseconds } from './slow-requests.js';
import { limitSmallChunks } from './small-chunks.js';

export type Listening = {
  server: Server;
  port: number;
  /** Stops accepting, lets what runs finish within the time, then cuts off the rest. */
  stop(graceMilliseconds: number): Promise<void>;
};

const idleLookMilliseconds = 20;

export async function listen(
  app: Express,
  port: number,
  host: string,
  onBrokenRequest?: OnBrokenRequest,
): Promise<Listening> {
  const listener = limitPipelining(app);
  const server = createServer(
    {
      ...bornAs(app),
      headersTimeout: 10_000,
      requestTimeout: maxUploadMilliseconds,
      connectionsCheckingInterval: 1_000,
      // Longer than the usual proxy's, so that the proxy closes idle connections, never we under its feet.
      keepAliveTimeout: 75_000,
      // The application refuses a request without a Host itself, in the envelope.
      requireHostHeader: false,
    },
    listener,
  );
  server.on('checkExpectation', listener);
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  refuseBrokenRequests(server, onBrokenRequest);
  refuseTunnels(server, app);
  cutSlowRequests(server);
  limitSmallChunks(app.request, server);
  await startListening(server, port, host, 'PORT', 'HOST');
  return {
    server,
    port: (server.address() as AddressInfo).port,
    stop: (graceMilliseconds) =>
      new Promise((resolve) => {
        const cutOff = setTimeout(() => server.closeAllConnections(), graceMilliseconds);
        // A connection that is answering now would afterwards wait for its next request.
        const again = setInterval(() => server.closeIdleConnections(), idleLookMilliseconds);
        server.close(() => {
          clearTimeout(cutOff);
          clearInterval(again);
          resolve();
        });
        // One that never sent anything does not count as idle to Node.
        for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
      }),
  };
}

/** Rejects with a sentence for the operator, which names the variable to change. */
export function startListening(
  server: NetServer,
  port: number,
  host: string,
  portVariable: string,
  hostVariable: string,
): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const sentences: Record<string, string> = {
        EADDRINUSE: `port ${port} is in use by another process: stop that process, or set ${portVariable} to another port`,
        EACCES: `this user may not listen on port ${port}: set ${portVariable} to one above 1023`,
        EADDRNOTAVAIL: `${host} is no address of this machine: change ${hostVariable}`,
        ENOTFOUND: `the name ${host} is not known: change ${hostVariable}`,
        EAI_AGAIN: `the name ${host} cannot be looked up: change ${hostVariable}`,
      };
      const sentence = sentences[error.code ?? ''];
      reject(sentence === undefined ? error : new Error(sentence, { cause: error }));
    });
    server.listen(port, host, resolve);
  });
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

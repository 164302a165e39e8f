// The HTTP server. It creates requests and responses with the prototypes of Express, which would otherwise replace the
// prototype of each: V8 deoptimizes such objects (a third of the throughput).
import { createServer, IncomingMessage, type Server, ServerResponse } from 'node:http';
import type { AddressInfo, Server as NetServer, Socket } from 'node:net';
import type { Express } from 'express';
import { bounds } from './bounds.js';
import { type Refusals, refuseBrokenRequests, refuseTunnels } from './broken-request.js';
import { defaultMaxConnections, limitConnections } from './connection-limit.js';
import { limitPipelining } from './pipelining.js';
import { cutSlowRequests } from './slow-requests.js';
import { limitSmallChunks } from './small-chunks.js';

export type Listening = {
  server: Server;
  port: number;
  /** Stops accepting connections, waits for running requests, then closes the rest. */
  stop(graceMilliseconds: number): Promise<void>;
};

export type ListenOptions = { refusals?: Refusals; maxConnections?: number };

const idleLookMilliseconds = 20;

export async function listen(
  app: Express,
  port: number,
  host: string,
  { refusals, maxConnections = defaultMaxConnections() }: ListenOptions = {},
): Promise<Listening> {
  const { listener, closeConnections } = limitPipelining(app);
  const server = createServer(
    {
      ...bornAs(app),
      headersTimeout: bounds.time.headMilliseconds,
      requestTimeout: bounds.time.uploadMilliseconds,
      connectionsCheckingInterval: 1_000,
      // The timeout is longer than that of common proxies, so that the proxy closes idle connections first.
      keepAliveTimeout: bounds.time.keepAliveMilliseconds,
      // The application refuses a missing Host itself, in the envelope.
      requireHostHeader: false,
    },
    listener,
  );
  // A request with an unknown expectation is one like any other.
  server.on('checkExpectation', (req, res) => server.emit('request', req, res));
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  limitConnections(app, server, maxConnections);
  refuseBrokenRequests(server, refusals);
  refuseTunnels(server, app);
  cutSlowRequests(server);
  limitSmallChunks(app.request, server);
  keepConnectionsOfProxies(app, server);
  await startListening(server, port, host, 'PORT', 'HOST');
  return {
    server,
    port: (server.address() as AddressInfo).port,
    stop: (graceMilliseconds) =>
      new Promise((resolve) => {
        const cutOff = setTimeout(() => server.closeAllConnections(), graceMilliseconds);
        // A connection whose response had begun would otherwise wait for the next request.
        const again = setInterval(() => server.closeIdleConnections(), idleLookMilliseconds);
        server.close(() => {
          clearTimeout(cutOff);
          clearInterval(again);
          resolve();
        });
        // Node does not count a connection without any request as idle.
        for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
        closeConnections(sockets);
      }),
  };
}

/** A request that a proxy sends while the service closes the idle connection is lost: its client is answered 502. */
function keepConnectionsOfProxies(app: Express, server: Server): void {
  const isProxy = app.get('trust proxy fn') as (ip: string | undefined, distance: number) => boolean;
  server.on('request', ({ socket }, res) => {
    // Node has set its own time when the response is finished, and clears either with the next request.
    if (isProxy(socket.remoteAddress, 0))
      res.once('finish', () => socket.setTimeout(bounds.time.proxyKeepAliveMilliseconds));
  });
}

/** Rejects with an error for the operator that names the variable to change. */
export function startListening(
  server: NetServer,
  port: number,
  host: string,
  portVariable: string,
  hostVariable: string,
): Promise<void> {
  return new Promise((resolve, reject) => {
    // Stays after the start: without it, a connection that the system cannot accept, for want of memory or file descriptors,
    // would end the process.
    server.on('error', (error: NodeJS.ErrnoException) => {
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

/** Constructors whose instances already have the prototypes that Express sets. */
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

// Timeouts of requests. Node has one timeout for all, which would be that of the slowest upload; here a request is aborted
// after half a minute, an upload after half a minute, and a response after a minute in which less was transferred than the
// slowest mobile networks do. A byte now and then would otherwise hold a connection, and the memory of a response, for long.
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { hasForm } from '@foyer/contract';
import type { AppRoute } from '@ts-rest/core';
import { bounds } from './bounds.js';
import { refuse } from './broken-request.js';

const { tickMilliseconds, arrivalTicks, sendingTicks, leastBytes } = bounds.time;

type Arrival = { req: IncomingMessage; res: ServerResponse; sinceTick: number; bytesRead: number };
/** `arrival`: the latest request with a body. The next one begins only when it is complete. */
type Connection = { sinceTick: number; sent: number; arrival: Arrival | null };

export function cutSlowRequests(server: Server): void {
  // Keyed by connection and not by request: requests that are held until the next tick are copied to old memory.
  const connections = new Map<Socket, Connection>();
  let tick = 0;

  function begin(req: IncomingMessage, res: ServerResponse): void {
    if (req.headers['content-length'] === undefined && req.headers['transfer-encoding'] === undefined) return;
    const connection = connections.get(req.socket);
    if (connection) connection.arrival = { req, res, sinceTick: tick, bytesRead: req.socket.bytesRead };
  }

  function look(): void {
    tick += 1;
    for (const [socket, connection] of connections) {
      const sent = sentBytes(socket);
      if (socket.writableLength === 0 || sent - connection.sent >= leastBytes * sendingTicks) {
        Object.assign(connection, { sinceTick: tick, sent });
      } else if (tick - connection.sinceTick > sendingTicks) {
        socket.destroy();
      }
      if (connection.arrival) connection.arrival = stillArriving(connection.arrival);
    }
  }

  /** Null once the request is complete, or refused. */
  function stillArriving(arrival: Arrival): Arrival | null {
    const { req, res } = arrival;
    if (req.complete || req.socket.destroyed) return null;
    const { bytesRead } = req.socket;
    if (isUpload(req, res) && bytesRead - arrival.bytesRead >= leastBytes * arrivalTicks) {
      Object.assign(arrival, { sinceTick: tick, bytesRead });
    }
    if (tick - arrival.sinceTick <= arrivalTicks) return arrival;
    // The refusal is that of Node's own timeout.
    refuse(server, req.socket, 'ERR_HTTP_REQUEST_TIMEOUT');
    return null;
  }

  // Registered before the application, which may complete the request at once.
  server.prependListener('request', begin);
  server.on('connection', (socket: Socket) => {
    connections.set(socket, { sinceTick: tick, sent: 0, arrival: null });
    socket.once('close', () => connections.delete(socket));
  });
  const timer = setInterval(look, tickMilliseconds).unref();
  server.on('close', () => clearInterval(timer));
}

/**
 * The bytes that the kernel accepted. Writes count as written at once, and only the handle knows the queued size.
 */
function sentBytes(socket: Socket): number {
  const { _handle: handle } = socket as { _handle?: { writeQueueSize?: number } | null };
  return socket.bytesWritten - (handle?.writeQueueSize ?? 0);
}

/** A call is an upload until the response begins: a body that is sent after a refusal has the normal timeout. */
function isUpload(req: IncomingMessage & { tsRestRoute?: AppRoute }, res: ServerResponse): boolean {
  return req.tsRestRoute !== undefined && hasForm(req.tsRestRoute) && !res.writableEnded;
}

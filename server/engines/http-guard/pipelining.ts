// Limits pipelining. Node dispatches every request in the bytes it reads, possibly thousands, whose responses would all be
// in memory. A connection has a few concurrent requests; further requests wait unhandled, and a connection with far too
// many is closed.
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { bounds } from './bounds.js';
import { responseOn } from './broken-request.js';

type Exchange = { req: IncomingMessage; res: ServerResponse };
/** `isLast`: the response in progress announces the end of the connection. */
type Connection = { unfinished: number; waiting: Exchange[]; isLast: boolean };

export type LimitedListener = {
  listener: RequestListener;
  /** Responses announce from now on that their connection closes: a request that follows them would be lost. */
  closeConnections(sockets: Iterable<Socket>): void;
};

export function limitPipelining(listener: RequestListener): LimitedListener {
  const connections = new WeakMap<Socket, Connection>();
  let isClosing = false;

  function handle(connection: Connection, { req, res }: Exchange): void {
    connection.unfinished += 1;
    if (isClosing) announceClose(connection, res);
    // Emitted when the whole response was handed to the kernel. If the connection ends before, no request follows.
    res.once('close', () => {
      connection.unfinished -= 1;
      const next = connection.waiting.shift();
      if (next && !req.socket.destroyed) handle(connection, next);
    });
    listener(req, res);
  }

  return {
    listener(req, res) {
      const { socket } = req;
      const connection = connections.get(socket) ?? { unfinished: 0, waiting: [], isLast: false };
      connections.set(socket, connection);
      // Node parses the rest of a read even after the connection was closed.
      if (socket.destroyed || connection.isLast) return;
      if (connection.unfinished < bounds.pipelined.unfinished) handle(connection, { req, res });
      else if (connection.waiting.length < bounds.pipelined.waiting) connection.waiting.push({ req, res });
      else {
        connection.waiting = [];
        socket.destroy();
      }
    },
    closeConnections(sockets) {
      isClosing = true;
      for (const socket of sockets) {
        const [connection, response] = [connections.get(socket), responseOn(socket)];
        if (connection && response) announceClose(connection, response);
      }
    },
  };
}

/** Announces the close with the last of several responses: those of later requests would be lost. */
function announceClose(connection: Connection, response: ServerResponse): void {
  if (connection.unfinished > 1 || response.headersSent) return;
  connection.isLast = true;
  response.shouldKeepAlive = false;
}

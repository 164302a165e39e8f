// Limits pipelining. Node dispatches every request in the bytes it reads, possibly thousands, whose responses would all be
// in memory. A connection has a few concurrent requests; further requests wait unhandled, and a connection with far too
// many is closed.
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Concurrent requests of one connection. */
const maxUnfinished = 16;
/** Waiting requests of one connection. */
const maxWaiting = 240;

type Exchange = { req: IncomingMessage; res: ServerResponse };
type Connection = { unfinished: number; waiting: Exchange[] };

export function limitPipelining(listener: RequestListener): RequestListener {
  const connections = new WeakMap<Socket, Connection>();

  function handle(connection: Connection, { req, res }: Exchange): void {
    connection.unfinished += 1;
    // Emitted when the whole response was handed to the kernel. If the connection ends before, no request follows.
    res.once('close', () => {
      connection.unfinished -= 1;
      const next = connection.waiting.shift();
      if (next && !req.socket.destroyed) handle(connection, next);
    });
    listener(req, res);
  }

  return (req, res) => {
    const { socket } = req;
    const connection = connections.get(socket) ?? { unfinished: 0, waiting: [] };
    connections.set(socket, connection);
    // Node parses the rest of a read even after the connection was closed.
    if (socket.destroyed) return;
    if (connection.unfinished < maxUnfinished) handle(connection, { req, res });
    else if (connection.waiting.length < maxWaiting) connection.waiting.push({ req, res });
    else {
      connection.waiting = [];
      socket.destroy();
    }
  };
}

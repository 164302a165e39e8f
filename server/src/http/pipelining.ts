// Bounds pipelining. Node dispatches every request it finds in the bytes it has read, thousands of them in one read, so that
// a single connection could have thousands of answers in memory. Here a connection has a few answers at a time; further
// requests wait without being handled, and a connection that sends far too many of them is closed.
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Requests of one connection that are handled at the same time. */
const maxUnfinished = 16;
/** Requests of one connection that wait behind them. */
const maxWaiting = 240;

type Exchange = { req: IncomingMessage; res: ServerResponse };
type Connection = { unfinished: number; waiting: Exchange[] };

export function limitPipelining(listener: RequestListener): RequestListener {
  const connections = new WeakMap<Socket, Connection>();

  function handle(connection: Connection, { req, res }: Exchange): void {
    connection.unfinished += 1;
    // Emitted when the whole answer has been handed to the kernel. If the connection ends before, nothing follows on it.
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
    // What is left of a read is still parsed after its connection was closed.
    if (socket.destroyed) return;
    if (connection.unfinished < maxUnfinished) handle(connection, { req, res });
    else if (connection.waiting.length < maxWaiting) connection.waiting.push({ req, res });
    else {
      connection.waiting = [];
      socket.destroy();
    }
  };
}

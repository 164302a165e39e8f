// Timeouts of requests. Node has one timeout for all, which would be that of the slowest upload; here a request is aborted
// after half a minute, and an upload after half a minute without progress. A client that reads nothing of its response for
// a minute is disconnected; a slow reader is not.
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { hasForm, limits } from '@foyer/contract';
import type { AppRoute } from '@ts-rest/core';
import { refuse } from './broken-request.js';

export const maxUploadMilliseconds = limits.uploadSeconds * 1_000;
const tickMilliseconds = 1_000;
const arrivalTicks = 30;
const sendingTicks = 60;

type Sending = { sinceTick: number; sent: number };
type Arrival = { res: ServerResponse; sinceTick: number; bytesRead: number };

export function cutSlowRequests(server: Server): void {
  const arriving = new Map<IncomingMessage, Arrival>();
  const connected = new Map<Socket, Sending>();
  let tick = 0;

  function begin(req: IncomingMessage, res: ServerResponse): void {
    if (req.headers['content-length'] === undefined && req.headers['transfer-encoding'] === undefined) return;
    arriving.set(req, { res, sinceTick: tick, bytesRead: req.socket.bytesRead });
  }

  function look(): void {
    tick += 1;
    for (const [socket, sending] of connected) {
      const sent = sentBytes(socket);
      if (socket.writableLength === 0 || sent !== sending.sent) {
        Object.assign(sending, { sinceTick: tick, sent });
      } else if (tick - sending.sinceTick > sendingTicks) {
        socket.destroy();
      }
    }
    for (const [req, arrival] of arriving) {
      if (req.complete || req.socket.destroyed) {
        arriving.delete(req);
        continue;
      }
      const { bytesRead } = req.socket;
      if (isUpload(req, arrival.res) && bytesRead !== arrival.bytesRead) {
        Object.assign(arrival, { sinceTick: tick, bytesRead });
      }
      if (tick - arrival.sinceTick <= arrivalTicks) continue;
      arriving.delete(req);
      // Like Node's own timeout.
      refuse(server, req.socket, 'ERR_HTTP_REQUEST_TIMEOUT');
    }
  }

  // Before the application, which may complete the request at once.
  server.prependListener('request', begin);
  server.prependListener('checkExpectation', begin);
  server.on('connection', (socket: Socket) => {
    connected.set(socket, { sinceTick: tick, sent: 0 });
    socket.once('close', () => connected.delete(socket));
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

/** Until the response begins: a body that is sent after a refusal has the normal timeout. */
function isUpload(req: IncomingMessage & { tsRestRoute?: AppRoute }, res: ServerResponse): boolean {
  return req.tsRestRoute !== undefined && hasForm(req.tsRestRoute) && !res.writableEnded;
}

// How many bytes all requests together may hold in memory: bodies while they are read and handled, and large answers until
// the client has taken them. Beyond it a request is answered 503 before its body is read, so that large requests fail and
// the process lives. What a request holds is given back when its answer ends or its connection closes, whichever is first.
import type { Socket } from 'node:net';
import { getHeapStatistics } from 'node:v8';
import type { Request } from 'express';
import type { ByteBudget, CountedRequest } from '../deps.js';
import { ApiError } from '../lib/api-error.js';
import { networkOf } from '../lib/http/ip-network.js';
import { clientIp } from './client-ip.js';

/** Requests and answers up to this size are not counted, so that signing in goes on while large requests are refused. */
export const uncountedBytes = 16 * 1_024;
/** The part of the budget that one network may hold. */
const networkShare = 1 / 4;
/** Parsed JSON of many small values takes more than ten times its bytes in the heap. */
const heapShare = 1 / 16;
/** Of which one network's share still holds the largest page of records and the largest body. */
const minBudgetBytes = 16 * 1_024 * 1_024;

type Holding = { network: string; bytes: number };

export function defaultBudgetBytes(): number {
  return Math.max(minBudgetBytes, Math.floor(getHeapStatistics().heap_size_limit * heapShare));
}

export function byteBudget(maxBytes: number): ByteBudget {
  const bySocket = new Map<Socket, Map<CountedRequest, Holding>>();
  const byNetwork = new Map<string, number>();
  let heldBytes = 0;

  function change(holding: Holding, bytes: number): void {
    holding.bytes += bytes;
    heldBytes += bytes;
    const ofNetwork = (byNetwork.get(holding.network) ?? 0) + bytes;
    if (ofNetwork === 0) byNetwork.delete(holding.network);
    else byNetwork.set(holding.network, ofNetwork);
  }

  /** Null once nobody can receive the answer: what is counted then would never be given back. */
  function holdingOf(req: CountedRequest): Holding | null {
    const { socket, res } = req;
    if (!res || res.closed || socket.destroyed) return null;
    const requests = bySocket.get(socket) ?? new Map<CountedRequest, Holding>();
    if (!bySocket.has(socket)) {
      bySocket.set(socket, requests);
      // An answer that waits behind another one on its connection is not told when the connection closes.
      socket.once('close', () => {
        bySocket.delete(socket);
        for (const holding of requests.values()) change(holding, -holding.bytes);
        requests.clear();
      });
    }
    const present = requests.get(req);
    if (present) return present;
    const holding = { network: networkOf(clientIp(req as Request)), bytes: 0 };
    requests.set(req, holding);
    res.once('close', () => {
      if (requests.delete(req)) change(holding, -holding.bytes);
    });
    return holding;
  }

  return {
    reserve(req, bytes) {
      const holding = holdingOf(req);
      if (!holding) return;
      const ofNetwork = byNetwork.get(holding.network) ?? 0;
      if (heldBytes + bytes > maxBytes || ofNetwork + bytes > maxBytes * networkShare) {
        throw new ApiError('request/unavailable', {
          retryAfterSeconds: 1,
          cause: 'too many bytes of requests and answers are held in memory',
        });
      }
      change(holding, bytes);
    },
    settle(req, bytes) {
      if (bytes <= uncountedBytes && !bySocket.get(req.socket)?.has(req)) return;
      const holding = holdingOf(req);
      if (holding) change(holding, bytes - holding.bytes);
    },
    get heldBytes() {
      return heldBytes;
    },
  };
}

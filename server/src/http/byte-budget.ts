// Limits the memory of all requests together: bodies while they are read and handled, and large responses until the client
// has received them. Beyond it, requests get 503 before their body is read, so that large requests fail and the process
// survives. Bytes are released when the response ends or the connection closes.
import type { Socket } from 'node:net';
import { getHeapStatistics } from 'node:v8';
import type { Request } from 'express';
import type { ByteBudget, CountedRequest } from '../deps.js';
import { ApiError } from '../lib/api-error.js';
import { networkOf } from '../lib/http/ip-network.js';
import { clientIp } from './client-ip.js';

/** Smaller requests and responses are not counted, so that sign-in works while large requests are refused. */
export const uncountedBytes = 16 * 1_024;
/**
 * The most that one network may hold, as a share of what then remains free: a quarter of the budget if it is the only
 * one. With a fixed share, four networks could use up the budget for all others.
 */
const shareOfFree = 1 / 3;
/** Parsed JSON of many small values takes more than ten times its bytes in the heap. */
const heapShare = 1 / 16;
/** The share of one network still fits the largest page of records and the largest body. */
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

  /** Null once the response cannot be received: its bytes would never be released. */
  function holdingOf(req: CountedRequest): Holding | null {
    const { socket, res } = req;
    if (!res || res.closed || socket.destroyed) return null;
    const requests = bySocket.get(socket) ?? new Map<CountedRequest, Holding>();
    if (!bySocket.has(socket)) {
      bySocket.set(socket, requests);
      // A pipelined response that waits for another one gets no close event.
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
      const freeBytes = maxBytes - heldBytes - bytes;
      if (ofNetwork + bytes > freeBytes * shareOfFree) {
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

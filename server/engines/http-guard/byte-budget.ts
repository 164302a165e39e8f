// Limits the memory of all requests together: bodies while they are read and handled, and large responses until the client
// has received them. Beyond it, requests get 503 before their body is read, so that large requests fail and the process
// survives. Bytes are released when the response ends or the connection closes.
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { getHeapStatistics } from 'node:v8';
import type { Request } from 'express';
import { ApiError } from '../../src/lib/api-error.js';
import { networksOf } from '../../src/lib/ip-network.js';
import { bounds } from './bounds.js';
import { clientIp } from './client-ip.js';

/** The part of a request that the budget needs; ts-rest and Express have different types for it. */
export type CountedRequest = { socket: Socket; res?: ServerResponse | undefined; ip?: string | undefined };

export type ByteBudget = {
  /** Adds to the bytes of a request, or throws `request/unavailable`. */
  reserve(req: CountedRequest, bytes: number): void;
  /** Sets the bytes of a request; never refuses. */
  settle(req: CountedRequest, bytes: number): void;
  readonly heldBytes: number;
};

type Holding = { networks: string[]; bytes: number };

const { uncountedBytes, heapShare, leastBytes, sharesOfFree } = bounds.memory;

export function defaultBudgetBytes(heapBytes = getHeapStatistics().heap_size_limit): number {
  return Math.max(leastBytes, Math.floor(heapBytes * heapShare));
}

export function byteBudget(maxBytes: number): ByteBudget {
  const bySocket = new WeakMap<Socket, Map<CountedRequest, Holding>>();
  const byNetwork = new Map<string, number>();
  let heldBytes = 0;

  function change(holding: Holding, bytes: number): void {
    holding.bytes += bytes;
    heldBytes += bytes;
    for (const network of holding.networks) {
      const ofNetwork = (byNetwork.get(network) ?? 0) + bytes;
      if (ofNetwork === 0) byNetwork.delete(network);
      else byNetwork.set(network, ofNetwork);
    }
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
        for (const holding of requests.values()) change(holding, -holding.bytes);
      });
    }
    const present = requests.get(req);
    if (present) return present;
    const holding = { networks: networksOf(clientIp(req as Request)), bytes: 0 };
    requests.set(req, holding);
    res.once('close', () => {
      requests.delete(req);
      change(holding, -holding.bytes);
    });
    return holding;
  }

  return {
    reserve(req, bytes) {
      const holding = holdingOf(req);
      if (!holding) return;
      const freeBytes = maxBytes - heldBytes - bytes;
      const isOver = holding.networks.some(
        (network, place) => (byNetwork.get(network) ?? 0) + bytes > freeBytes * (sharesOfFree[place] ?? 1),
      );
      if (isOver) {
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

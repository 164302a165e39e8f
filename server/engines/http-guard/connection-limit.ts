// Limits the connections of the process, which cannot open files or database connections without file descriptors. One
// network can hold only a share of them, and when there are too many, the network with the most loses one: its longest idle
// one, else the one whose request began first. So neither idle connections nor requests that never end keep others out.
import { readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Express, Request } from 'express';
import { mappedIPv4, networksOf } from '../../src/lib/ip-network.js';
import { bounds } from './bounds.js';
import { clientIp } from './client-ip.js';
import { type Holding, heldByNetwork, type Network } from './held-by-network.js';

const { usual, reservedDescriptors, networkShare } = bounds.connections;

export function defaultMaxConnections(openFiles = openFilesLimit()): number {
  return Math.max(reservedDescriptors, Math.min(usual, openFiles - reservedDescriptors));
}

/** Infinity where the system does not say, or sets none. */
function openFilesLimit(): number {
  try {
    return openFilesIn(readFileSync('/proc/self/limits', 'utf8'));
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

export function openFilesIn(limits: string): number {
  const soft = /^Max open files\s+(\d+)/m.exec(limits)?.[1];
  return soft === undefined ? Number.POSITIVE_INFINITY : Number(soft);
}

/**
 * The connections of a proxy in `trust proxy` are not those of one network: while a request is in progress, they count for
 * the network of its client, and otherwise for none.
 */
export function limitConnections(app: Express, server: Server, maxConnections: number): void {
  const isProxy = app.get('trust proxy fn') as (ip: string, distance: number) => boolean;
  const maxOfNetwork = Math.max(1, Math.floor(maxConnections * networkShare));
  const connections = new Map<Socket, Connection>();
  const networks = heldByNetwork();
  /** Idle connections of proxies, longest idle first. */
  const spare = new Set<Socket>();

  function release(socket: Socket): void {
    spare.delete(socket);
    connections.get(socket)?.holding?.release();
    connections.delete(socket);
  }

  /** Released at once: the close event comes later than the next connection. */
  function cut(socket: Socket | undefined): void {
    if (!socket) return;
    release(socket);
    socket.destroy();
  }

  /** A request in progress is cut only if its network has more connections than another one. */
  function cutOneBut(newest: Socket): void {
    const most = networks.most();
    const [unused] = spare;
    if (most && most.score > Math.max(1, spare.size)) cut(oldestBut(newest, most));
    else cut(unused ?? networks.anyIdle());
  }

  function cutBeyondShare(newest: Socket, holding: Holding | null): void {
    const network = holding?.beyond(maxOfNetwork);
    if (network) cut(oldestBut(newest, network));
  }

  server.on('connection', (socket) => {
    const peer = plain(socket.remoteAddress);
    const ofProxy = peer !== null && isProxy(peer, 0);
    const holding = ofProxy ? null : networks.hold(socket, networksOf(peer));
    connections.set(socket, { peer, ofProxy, requests: 0, holding });
    if (ofProxy) spare.add(socket);
    socket.once('close', () => release(socket));
    cutBeyondShare(socket, holding);
    if (connections.size > maxConnections) cutOneBut(socket);
  });

  server.on('request', (req, res) => {
    const { socket } = req;
    const connection = connections.get(socket);
    if (!connection) return;
    connection.requests += 1;
    if (spare.delete(socket)) {
      const names = clientNetworks(req as Request, connection);
      connection.holding = names && networks.hold(socket, names);
      cutBeyondShare(socket, connection.holding);
    }
    connection.holding?.begin();
    res.once('close', () => {
      connection.requests -= 1;
      if (connection.requests > 0 || !connections.has(socket)) return;
      connection.holding?.end();
      if (!connection.ofProxy) return;
      connection.holding?.release();
      connection.holding = null;
      spare.add(socket);
    });
  });
}

/** `holding`: null while it counts for no network. */
type Connection = { peer: string | null; ofProxy: boolean; requests: number; holding: Holding | null };

/**
 * Returns null for a request of the proxy itself, or of a client whose IP address it does not name: these would count for all.
 */
function clientNetworks(req: Request, { peer }: Connection): string[] | null {
  const ip = clientIp(req);
  return ip === null || ip === peer ? null : networksOf(ip);
}

/** The newest, which has had no time for a request, would otherwise be the only idle one among requests that never end. */
function oldestBut(newest: Socket, { idle, busy }: Network): Socket | undefined {
  for (const sockets of [idle, busy]) for (const socket of sockets) if (socket !== newest) return socket;
  return undefined;
}

function plain(ip: string | undefined): string | null {
  return ip === undefined ? null : (mappedIPv4(ip) ?? ip);
}

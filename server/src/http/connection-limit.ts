// Limits the connections of the process, so that idle ones cannot take all file descriptors: then no client could connect,
// and no file or database connection be opened. Beyond the limit the longest idle connection of the network with the most
// connections is closed; a connection with a request in progress never is.
import { readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { networkOf } from '../lib/http/ip-network.js';

/** Each takes about ten kilobytes. */
const usualConnections = 10_000;
/** For files, the database, Redis and outgoing calls. */
const reservedDescriptors = 128;

/** By network: all its connections, and the idle ones, longest idle first. */
type Network = { count: number; idle: Set<Socket> };

export function defaultMaxConnections(): number {
  return Math.max(reservedDescriptors, Math.min(usualConnections, openFilesLimit() - reservedDescriptors));
}

/** Infinity where the system does not say. */
function openFilesLimit(): number {
  try {
    const soft = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
    return soft === undefined ? Number.POSITIVE_INFINITY : Number(soft);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

export function limitConnections(server: Server, maxConnections: number): void {
  const networks = new Map<string, Network>();
  const running = new WeakMap<Socket, { network: Network; requests: number }>();
  let open = 0;

  server.on('connection', (socket) => {
    const name = networkOf(socket.remoteAddress ?? null);
    const network = networks.get(name) ?? { count: 0, idle: new Set() };
    networks.set(name, network);
    network.count += 1;
    network.idle.add(socket);
    running.set(socket, { network, requests: 0 });
    open += 1;
    socket.once('close', () => {
      open -= 1;
      network.count -= 1;
      network.idle.delete(socket);
      if (network.count === 0) networks.delete(name);
    });
    if (open > maxConnections) longestIdle(networks)?.destroy();
  });

  server.on('request', ({ socket }, res) => {
    const connection = running.get(socket);
    if (!connection) return;
    connection.requests += 1;
    connection.network.idle.delete(socket);
    res.once('close', () => {
      connection.requests -= 1;
      if (connection.requests === 0 && !socket.destroyed) connection.network.idle.add(socket);
    });
  });
}

function longestIdle(networks: Map<string, Network>): Socket | undefined {
  let most: Network | undefined;
  for (const network of networks.values()) {
    if (network.idle.size > 0 && network.count > (most?.count ?? 0)) most = network;
  }
  const [socket] = most?.idle ?? [];
  return socket;
}

// The connections that each network holds, and which network holds the most. A wider network of IPv6 may have as many more as
// in the rate limits: many customers share a /48.
import type { Socket } from 'node:net';
import { bounds } from './bounds.js';

/** `idle`: longest idle first; `busy`: by the time at which the request in progress began. */
export type Network = { name: string; weight: number; score: number; idle: Set<Socket>; busy: Set<Socket> };

/** One connection in all of its networks. */
export type Holding = {
  begin(): void;
  end(): void;
  release(): void;
  /** The narrowest of its networks that has more connections than `max`. */
  beyond(max: number): Network | undefined;
};

export function heldByNetwork() {
  const networks = new Map<string, Network>();
  /** Networks by score, so that the one with the most is found without a look at all. */
  const byScore: Set<Network>[] = [];

  function rank(network: Network): void {
    byScore[network.score]?.delete(network);
    const { size } = network.idle;
    network.score = Math.ceil((size + network.busy.size) / network.weight);
    if (network.score === 0) networks.delete(network.name);
    else {
      byScore[network.score] ??= new Set();
      byScore[network.score]?.add(network);
    }
    while (byScore.length > 0 && (byScore.at(-1)?.size ?? 0) === 0) byScore.pop();
  }

  function networkAt(name: string, place: number): Network {
    const known = networks.get(name);
    if (known) return known;
    const made = {
      name,
      weight: bounds.connections.networkWeights[place] ?? 1,
      score: 0,
      idle: new Set<Socket>(),
      busy: new Set<Socket>(),
    };
    networks.set(name, made);
    return made;
  }

  return {
    /** `names`: the networks of an IP address, the narrowest first. */
    hold(socket: Socket, names: string[]): Holding {
      const held = names.map(networkAt);
      for (const network of held) {
        network.idle.add(socket);
        rank(network);
      }
      return {
        begin() {
          for (const { idle, busy } of held) if (idle.delete(socket)) busy.add(socket);
        },
        end() {
          for (const { idle, busy } of held) if (busy.delete(socket)) idle.add(socket);
        },
        release() {
          for (const network of held) {
            network.idle.delete(socket);
            network.busy.delete(socket);
            rank(network);
          }
        },
        beyond: (max) => held.find(({ idle, busy }) => idle.size + busy.size > max),
      };
    },
    /** The network with the most connections for its width. */
    most(): Network | undefined {
      const [network] = byScore.at(-1) ?? [];
      return network;
    },
    anyIdle(): Socket | undefined {
      for (const { idle } of networks.values()) {
        const [socket] = idle;
        if (socket) return socket;
      }
      return undefined;
    },
  };
}

// A network of one client that loses responses and goes away, on the clock of the test.

const refreshPath = '/auth/token/refresh';

export interface FaultyNetwork {
  fetch: typeof fetch;
  /** No request gets through until this time. */
  awayUntilMs: number;
  /** Decides whether the response of a path is lost, and how long the network then stays away. */
  lose: (path: string) => { gapMs: number } | undefined;
  /** When each refresh left the client, also those that did not get through. */
  refreshesAtMs: number[];
  /** Responses lost on their way. */
  lost: number;
}

export function faultyNetwork(lose: FaultyNetwork['lose'] = () => undefined): FaultyNetwork {
  const network: FaultyNetwork = {
    awayUntilMs: 0,
    lose,
    refreshesAtMs: [],
    lost: 0,
    async fetch(input, init) {
      const path = String(input).split('/api/v2')[1]!;
      if (path === refreshPath) network.refreshesAtMs.push(Date.now());
      if (Date.now() < network.awayUntilMs) throw new TypeError('The network is away.');
      const response = await fetch(input, init);
      const loss = network.lose(path);
      // The network may also have gone away while the response was under way.
      if (!loss && Date.now() >= network.awayUntilMs) return response;
      network.lost += 1;
      if (loss) network.awayUntilMs = Date.now() + loss.gapMs;
      throw new TypeError('The connection was lost.');
    },
  };
  return network;
}

/** Loses the response to the next refresh, and the network for a while. */
export function losesOnce(gapMs: number): FaultyNetwork['lose'] {
  const losses = [{ gapMs }];
  return (path) => (path === refreshPath ? losses.pop() : undefined);
}

/** Losses in a repeatable order: about 30 of 100 responses; the network then stays away for up to 10 seconds, once. */
export function thirtyPercent(seed: number): FaultyNetwork['lose'] {
  let state = seed;
  let lastMs = 0;
  const random = () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return state / 2 ** 32;
  };
  return () => {
    if (random() >= 0.3) return undefined;
    const isFirst = Date.now() - lastMs > 30_000;
    if (isFirst) lastMs = Date.now();
    return { gapMs: isFirst ? random() * 10_000 : 0 };
  };
}

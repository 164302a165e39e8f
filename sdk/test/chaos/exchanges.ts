// What the network between the clients and the service saw, and the faults of clients that can be read from it.

/** One request, from its arrival until its response has left or its connection is closed. */
export interface Exchange {
  /** The page or program that sent it. */
  client: string;
  route: string;
  authorization: string | undefined;
  /** The refresh token that it sent, if it is a refresh. */
  sent?: string;
  startMs: number;
  endMs: number;
  status?: number;
  /** The tokens of the response, and their session. */
  issued?: { session: string; refreshToken: string } | undefined;
  /** The response has left for the client. */
  isDelivered: boolean;
}

/** When each session was signed out, or replaced by a sign-in. */
export type Ends = ReadonlyMap<string, number>;

const needsBearer = /^(GET|PATCH|DELETE) \/me|^POST \/auth\/sign-out/;
/** A page that ends within this time after a response may not have stored what was in it. */
const storingMs = 2_000;

export const sentWithoutBearer = (exchanges: readonly Exchange[]) =>
  exchanges.filter(
    ({ route, authorization }) => needsBearer.test(route) && !/^Bearer eyJ/.test(`${authorization}`),
  );

/**
 * Divides refreshes into those of sessions in use and those of sessions that had ended for the clients before: several tabs may
 * send the same pending sign-out, which refreshes the session once more.
 */
export function byUse(refreshes: Exchange[], exchanges: readonly Exchange[], ends: Ends) {
  const sessionOf = sessionsByToken(exchanges);
  const hasEnded = ({ sent, startMs }: Exchange) =>
    startMs > (ends.get(`${sessionOf.get(sent!)}`) ?? Infinity);
  return { inUse: refreshes.filter((each) => !hasEnded(each)), ended: refreshes.filter(hasEnded) };
}

const sessionsByToken = (exchanges: readonly Exchange[]) =>
  new Map(exchanges.flatMap(({ issued }) => (issued ? [[issued.refreshToken, issued.session]] : [])));

/** Refreshes of a session that began before an earlier one of the same session had ended. */
export function overlappingRefreshes(exchanges: readonly Exchange[]): Exchange[] {
  const sessionOf = sessionsByToken(exchanges);
  const busyUntilMs = new Map<string | undefined, number>();
  const overlapping: Exchange[] = [];
  for (const exchange of refreshesIn(exchanges)) {
    const session = sessionOf.get(exchange.sent!);
    if (exchange.startMs < (busyUntilMs.get(session) ?? 0)) overlapping.push(exchange);
    busyUntilMs.set(session, Math.max(exchange.endMs, busyUntilMs.get(session) ?? 0));
  }
  return overlapping;
}

/** Refreshes with a token whose successor a client had received, unless that client ended before it could store it. */
export function spentTokensSent(
  exchanges: readonly Exchange[],
  endedAtMs: ReadonlyMap<string, number>,
): Exchange[] {
  const refreshes = refreshesIn(exchanges);
  const receivedAtMs = new Map<string, number>();
  for (const { sent, status, isDelivered, endMs, client } of refreshes) {
    const couldStore = endMs + storingMs < (endedAtMs.get(client) ?? Number.POSITIVE_INFINITY);
    if (status === 200 && isDelivered && couldStore && !receivedAtMs.has(sent!))
      receivedAtMs.set(sent!, endMs);
  }
  return refreshes.filter(
    ({ sent, startMs }) => startMs > (receivedAtMs.get(sent!) ?? Number.POSITIVE_INFINITY),
  );
}

const refreshesIn = (exchanges: readonly Exchange[]) =>
  exchanges.filter(({ sent }) => sent).sort((one, other) => one.startMs - other.startMs);

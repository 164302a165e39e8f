// How the connections of the database are divided among the calls that may hold one for long: those that wait for a row, and
// those that read many. Some connections are never given to them, so that a sign-in, a refresh, a call with an access token
// and the probe of readiness find one at once. Counted in each process.
import type { ErrorCode } from '@foyer/contract';
import { limits } from '@foyer/contract';
import { type Share, turns } from '../../engines/limiter/index.js';
import type { Requester, Work, WorkTurns } from '../deps.js';
import { networksOf } from '../lib/ip-network.js';

/** The size of the pool of `@foyer/prisma`. */
const usualConnections = 10;
/** The part of the connections for calls that take no turn. */
const reservedShare = 0.3;
/** Fewer would let one long query, which seldom uses the database, hold the only turn. */
const minTurns = 3;
/** The calls that may wait, of all apps. Their bodies count in the byte budget. */
const maxWaiting = 1_000;
/** Two calls of one party: while one commits, the next reads and waits for its lock. */
const ofOneRow = 2;
/** A user with more calls than turns leaves half of the time of the turns to the others. */
const restOfUser = 1;

type Policy = {
  /** The turns of all apps, and those of one app, as shares of all turns, or as numbers. */
  all: number;
  app: number;
  /** How long a turn of this work rests while more of the same app waits, as a multiple of the time of the call. */
  rest?: number;
  /** The work whose parties are those of this one, too. */
  like?: Work;
  code: ErrorCode;
};

const policies: Record<Work, Policy> = {
  write: { all: 0.8, app: 0.6, code: 'request/unavailable' },
  // The service's own thread reads, checks and writes a megabyte in the time of a hundred other calls.
  'large-write': { all: 2, app: 0.6, rest: 2, like: 'write', code: 'request/unavailable' },
  'bulk-write': { all: 2, app: 1, code: 'request/unavailable' },
  'bulk-read': { all: 4, app: 2, code: 'request/unavailable' },
  list: { all: 5, app: 4, code: 'request/unavailable' },
  'short-query': { all: 5, app: 3, code: 'data/query-timeout' },
  'long-query': { all: 3, app: 2, code: 'data/query-timeout' },
};

/** The share of the free places of the queue that calls of one party may fill. */
const waitingShares = { app: 1, backend: 1 / 5, members: 1 / 5, member: 1 / 10, user: 1 / 10, row: 1 / 5 };
/** The shares by place in `networksOf`: an IPv4 address or an IPv6 /64, a /56, and a /48. */
const waitingOfNetwork = [1 / 8, 1 / 6, 1 / 4];

export function workTurns(kind: 'embedded' | 'postgresql', connections = usualConnections): WorkTurns {
  const total =
    kind === 'embedded' ? minTurns : Math.max(minTurns, Math.floor(connections * (1 - reservedShare)));
  // The embedded database has a single connection.
  const most = kind === 'embedded' ? 1 : total;
  const own = turns({ running: total, waiting: maxWaiting });

  const countOf = (limit: number) =>
    Math.min(most, limit < 1 ? Math.max(1, Math.floor(limit * total)) : limit);

  function sharesOf(work: Work, by: Requester, row: string | undefined): Share[] {
    const { all, app, rest, like = work } = policies[work];
    const ofApp = countOf(app);
    const within = (name: string, running: number, waiting: number): Share => ({
      key: `${like} ${by.app.id} ${name}`,
      running: Math.max(1, Math.min(ofApp, running)),
      waiting,
    });
    return [
      { key: `all ${work}`, running: countOf(all), waiting: 1 },
      // The work of one app rests, so that another app, and other work of this one, take the place meanwhile.
      ...(rest === undefined
        ? []
        : [{ key: `${work} ${by.app.id}`, running: countOf(all), waiting: 1, rest }]),
      within('', ofApp, waitingShares.app),
      ...sharesOfActor(by.actor, ofApp, within),
      // A call of the user may act on the user's own row.
      ...(row === undefined || row === by.actor.name ? [] : [within(row, ofOneRow, waitingShares.row)]),
    ];
  }

  const take: WorkTurns['take'] = (
    work,
    by,
    { row, milliseconds = limits.turnSeconds * 1_000, signal } = {},
  ) => own.take(sharesOf(work, by, row), { milliseconds, signal, code: policies[work].code });

  return {
    take,
    async write(by, work, options) {
      const end = await take('write', by, options);
      try {
        return await work();
      } finally {
        end();
      }
    },
    get running() {
      return own.running;
    },
    get waiting() {
      return own.waiting;
    },
    get parties() {
      return own.parties;
    },
  };
}

/** A backend never shares with clients, nor with the members of its team, whose searches could use up what it needs. */
function sharesOfActor(
  { name, ip }: Requester['actor'],
  ofApp: number,
  within: (name: string, running: number, waiting: number) => Share,
): Share[] {
  const half = Math.ceil(ofApp / 2);
  // The last turn of an app that has several is for its other parties.
  const own = ofApp > 2 ? ofApp - 1 : ofApp;
  if (name.startsWith('secret_key:')) return [within('backend', own, waitingShares.backend)];
  if (name.startsWith('member:')) {
    return [within('members', half, waitingShares.members), within(name, half, waitingShares.member)];
  }
  const networks = networksOf(ip).map((network, place) =>
    within(network, own, waitingOfNetwork[place] as number),
  );
  const user = name.startsWith('user:')
    ? [{ ...within(name, ofOneRow, waitingShares.user), rest: restOfUser }]
    : [];
  return [...networks.reverse(), ...user];
}

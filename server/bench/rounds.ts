// The rounds: every call once a round, the service and its ceiling alternately, so that other load on the machine
// affects both.
import {
  keySetConversations,
  meConversations,
  readersPerConnection,
  refreshConversations,
  signInConversations,
} from './conversations.js';
import { type Measured, measure } from './load.js';
import type { RawArgon2, Running } from './processes.js';
import type { Target } from './targets.js';

export const calls = ['refresh', 'me', 'keySet', 'signIn', 'storm'] as const;
export type Call = (typeof calls)[number];

export type Plan = { calls: readonly Call[]; rounds: number; fastSeconds: number; hashingSeconds: number };
export type Side = { running: Running; target: Target };
export type Sides = { service: Side; ceiling: Side; rawArgon2: RawArgon2 };

export type Pair = { service: Measured; ceiling: Measured };

export type Rounds = {
  refresh: Pair[];
  me: Pair[];
  keySet: Pair[];
  signIn: { service: Measured; rawPerSecond: number }[];
  storm: { idle: Measured; storm: Measured }[];
};

const conversationsOf = {
  refresh: refreshConversations,
  me: meConversations,
  keySet: keySetConversations,
  signIn: signInConversations,
};
const warmSeconds = 1.5;

export async function measureRounds(sides: Sides, plan: Plan): Promise<Rounds> {
  const measured: Rounds = { refresh: [], me: [], keySet: [], signIn: [], storm: [] };
  const measureSide = (
    { running, target }: Side,
    call: keyof typeof conversationsOf,
    seconds: number,
    atLeast = 0,
  ) => measure({ port: running.port, conversations: conversationsOf[call](target), seconds, atLeast });

  // Warms up the processes, and gets an access token for every user of GET /me.
  for (const side of [sides.service, sides.ceiling]) {
    await measureSide(side, 'refresh', warmSeconds, readersPerConnection);
    await measureSide(side, 'me', warmSeconds);
  }

  for (let round = 0; round < plan.rounds; round += 1) {
    for (const call of ['refresh', 'me', 'keySet'] as const) {
      if (!plan.calls.includes(call)) continue;
      // The order alternates, so that neither side always runs on the database state that the other left.
      const order = round % 2 === 0 ? (['service', 'ceiling'] as const) : (['ceiling', 'service'] as const);
      const pair: Partial<Pair> = {};
      for (const side of order) pair[side] = await measureSide(sides[side], call, plan.fastSeconds);
      measured[call].push(pair as Pair);
    }
    if (plan.calls.includes('signIn')) {
      const service = await measureSide(sides.service, 'signIn', plan.hashingSeconds);
      measured.signIn.push({ service, rawPerSecond: await sides.rawArgon2.perSecond(plan.hashingSeconds) });
    }
    if (plan.calls.includes('storm')) {
      const idle = await measureSide(sides.service, 'me', plan.fastSeconds);
      const [storm] = await Promise.all([
        measureSide(sides.service, 'me', plan.hashingSeconds),
        measureSide(sides.service, 'signIn', plan.hashingSeconds),
      ]);
      measured.storm.push({ idle, storm });
    }
  }
  return measured;
}

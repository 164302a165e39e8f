// The rounds: every call once a round, the service and its ceiling alternately, so that other load on the machine
// affects both.
import {
  configConversations,
  freshMeConversations,
  freshPerConnection,
  keySetConversations,
  meConversations,
  passkeyConversations,
  readersPerConnection,
  refreshConversations,
  signInConversations,
} from './conversations.js';
import { type Measured, measure } from './load.js';
import { occupyCore, type Running } from './processes.js';
import { processorMicroseconds } from './processor-time.js';
import type { Target } from './targets.js';

export const calls = [
  'refresh',
  'me',
  'freshMe',
  'otherMe',
  'keySet',
  'config',
  'signIn',
  'busySignIn',
  'passkey',
  'storm',
] as const;
export type Call = (typeof calls)[number];

export type Plan = { calls: readonly Call[]; rounds: number; fastSeconds: number; hashingSeconds: number };
export type Side = { running: Running; target: Target };
/** `otherInstance`: of the service, on the same database; it has issued none of the tokens. */
export type Sides = { service: Side; otherInstance?: Side; ceiling: Side };

/** `microseconds`: the processor time of the process a call. */
export type MeasuredSide = Measured & { microseconds: number };

export type Pair = { service: MeasuredSide; ceiling: MeasuredSide };

export type Rounds = Record<Exclude<Call, 'storm'>, Pair[]> & {
  storm: { idle: Measured; storm: Measured }[];
};

const conversationsOf = {
  refresh: refreshConversations,
  me: meConversations,
  freshMe: freshMeConversations,
  otherMe: freshMeConversations,
  keySet: keySetConversations,
  config: configConversations,
  signIn: signInConversations,
  busySignIn: signInConversations,
  passkey: passkeyConversations,
};
const warmSeconds = 1.5;

export async function measureRounds(sides: Sides, plan: Plan): Promise<Rounds> {
  const measured = Object.fromEntries(calls.map((call) => [call, []])) as unknown as Rounds;
  const measureSide = async (
    { running, target }: Side,
    call: keyof typeof conversationsOf,
    seconds: number,
    atLeast = 0,
  ): Promise<MeasuredSide> => {
    const before = processorMicroseconds(running.pid);
    const load = { port: running.port, conversations: conversationsOf[call](target), seconds, atLeast };
    const result = await measure(load);
    return { ...result, microseconds: (processorMicroseconds(running.pid) - before) / result.answers };
  };

  // Warms up the processes, and gets an access token for every user of GET /me.
  const readsFreshTokens = plan.calls.includes('freshMe') || plan.calls.includes('otherMe');
  const readers = readsFreshTokens ? freshPerConnection : readersPerConnection;
  for (const side of [sides.service, sides.ceiling]) {
    await measureSide(side, 'refresh', warmSeconds, readers);
    await measureSide(side, 'me', warmSeconds);
    // The service loads the library of passkeys with the first of them.
    if (plan.calls.includes('passkey')) await measureSide(side, 'passkey', warmSeconds, 1);
  }

  for (let round = 0; round < plan.rounds; round += 1) {
    for (const call of calls) {
      if (call === 'storm' || !plan.calls.includes(call)) continue;
      const hashes = call === 'signIn' || call === 'busySignIn';
      const seconds = hashes ? plan.hashingSeconds : plan.fastSeconds;
      // The order alternates, so that neither side always runs on the database state that the other left.
      const order = round % 2 === 0 ? (['service', 'ceiling'] as const) : (['ceiling', 'service'] as const);
      const pair: Partial<Pair> = {};
      if (call === 'freshMe' || call === 'otherMe')
        await measureSide(sides.service, 'refresh', 0, freshPerConnection);
      const service = (call === 'otherMe' && sides.otherInstance) || sides.service;
      const stranger = call === 'busySignIn' ? occupyCore() : undefined;
      for (const side of order) pair[side] = await measureSide({ ...sides, service }[side], call, seconds);
      await stranger?.stop();
      measured[call].push(pair as Pair);
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

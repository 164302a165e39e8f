// Clients that call the service while something happens to it, and their checks afterwards.
import { setTimeout as sleep } from 'node:timers/promises';
import { chanceOf } from '../../test/bad-values.js';
import { Client } from './ledger.js';
import { untilServing } from './until-serving.js';
import type { ServiceWorld } from './world.js';

const clientsPerRun = 6;
const sampleMilliseconds = 20;

export type Outcome = {
  /** The times from the end of each fault until the service was ready. */
  again: number[];
  /** The longest time in which no client was answered. */
  gap: number;
  acknowledged: number;
  unanswered: number;
  cutOff: number;
  violations: string[];
};

/** `happens` returns when the fault ended. It happens `times` times to the same clients, whose writes are checked each time. */
export async function runClients(
  world: ServiceWorld,
  seed: number,
  happens: () => Promise<number>,
  times = 1,
): Promise<Outcome> {
  const clients = Array.from(
    { length: clientsPerRun },
    (_, n) => new Client(world, chanceOf(seed * 1_000 + n)),
  );
  const sum = (name: 'acknowledged' | 'unanswered' | 'cutOff') =>
    clients.reduce((total, client) => total + client[name], 0);
  const again: number[] = [];
  let longest = 0;
  for (let time = 0; time < times; time += 1) {
    for (const client of clients) client.stopped = false;
    const running = clients.map((client) => client.run());
    const gap = longestGap(() => sum('acknowledged'));
    const endedAt = await happens();
    await untilServing(world.url);
    again.push(Math.round(performance.now() - endedAt));
    await sleep(500);
    longest = Math.max(longest, gap.stop());
    for (const client of clients) client.stopped = true;
    await Promise.all(running);
    await Promise.all(clients.map((client) => client.checkWrites()));
  }
  await Promise.all(clients.map((client) => client.checkEnd()));
  // The clock of the service alone: a spent token is then older than its reuse window, also if the clock was set back.
  await world.step(61_000);
  await Promise.all(clients.map((client) => client.checkSpent()));
  await world.step(360_000);
  await Promise.all(clients.map((client) => client.checkEvents()));
  const violations = clients.flatMap((client) => client.violations);
  return {
    again,
    gap: longest,
    acknowledged: sum('acknowledged'),
    unanswered: sum('unanswered'),
    cutOff: sum('cutOff'),
    violations,
  };
}

function longestGap(count: () => number) {
  let [last, since, longest] = [count(), performance.now(), 0];
  const look = () => {
    const now = performance.now();
    const current = count();
    longest = Math.max(longest, now - since);
    if (current !== last) since = now;
    last = current;
  };
  const timer = setInterval(look, sampleMilliseconds);
  return {
    stop(): number {
      look();
      clearInterval(timer);
      return Math.round(longest);
    },
  };
}

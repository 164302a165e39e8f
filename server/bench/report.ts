// The report: medians of the rounds, beside the goals.
import { availableParallelism, cpus } from 'node:os';
import { connections } from './conversations.js';
import { usersPerApp } from './database.js';
import type { Measured } from './load.js';
import type { Statements } from './statements.js';

type Pair = { service: Measured; ceiling: Measured };

export type Rounds = {
  refresh: Pair[];
  me: Pair[];
  keySet: Pair[];
  signIn: { service: Measured; rawPerSecond: number }[];
  storm: { idle: Measured; storm: Measured }[];
};

export function reportOf(rounds: Rounds, statements: Statements): string {
  const { refresh, me, keySet, signIn, storm } = rounds;
  const signInRatios = signIn.map(({ service, rawPerSecond }) => service.perSecond / rawPerSecond);
  const rawPerSecond = median(signIn.map((round) => round.rawPerSecond));
  const signInOnes = signIn.map(({ service }) => service);
  return `# Results of the last run

${new Date().toISOString().slice(0, 10)}, ${cpus()[0]?.model}, ${availableParallelism()} cores, Node ${process.version}; ${connections} connections, ${usersPerApp.toLocaleString('en')} users; medians of ${refresh.length} rounds, in brackets the lowest and the highest. README.md tells the method.

| call | requests/s | p50 ms | p99 ms | ceiling requests/s | p50 ms | p99 ms | ratio | bar, aim |
|---|--:|--:|--:|--:|--:|--:|--:|---|
| refresh | ${pairCells(refresh)} | 0.5, 0.8 |
| GET /me | ${pairCells(me)} | 0.6, 1.0 |
| key set | ${pairCells(keySet)} | |
| sign-in | ${cells(signInOnes)} | ${whole(rawPerSecond)} | | | ${spread(signInRatios)} | 0.9, 0.97 |

| GET /me | requests/s | p50 ms | p99 ms | p99 to idle | bar, aim |
|---|--:|--:|--:|--:|---|
| idle | ${cells(storm.map((round) => round.idle))} | | |
| in a storm of ${connections} sign-ins | ${cells(storm.map((round) => round.storm))} | ${spread(
    storm.map((round) => round.storm.p99 / round.idle.p99),
  )} | ≤ 5, ≤ 3 |

| statements a call | sign-up | sign-in | refresh | GET /me | key set |
|---|--:|--:|--:|--:|--:|
| sent | ${statements.signUp} | ${statements.signIn} | ${statements.refresh} | ${statements.me} | ${statements.keySet} |
| goal | ≤ 3 | ≤ 3 | 1 | ≤ 1 | |
`;
}

function pairCells(pairs: Pair[]): string {
  const ratios = pairs.map(({ service, ceiling }) => service.perSecond / ceiling.perSecond);
  const [service, ceiling] = [pairs.map((pair) => pair.service), pairs.map((pair) => pair.ceiling)];
  return `${cells(service)} | ${cells(ceiling)} | ${spread(ratios)}`;
}

function cells(ones: Measured[]): string {
  return [
    whole(median(ones.map((one) => one.perSecond))),
    median(ones.map((one) => one.p50)).toFixed(1),
    median(ones.map((one) => one.p99)).toFixed(1),
  ].join(' | ');
}

function spread(values: number[]): string {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  return `**${median(values).toFixed(2)}** (${least.toFixed(2)}–${most.toFixed(2)})`;
}

function whole(value: number): string {
  return Math.round(value).toLocaleString('en');
}

function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] as number;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] as number)) / 2;
}

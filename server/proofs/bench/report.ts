// The report: medians of the rounds, next to the goals.
import { availableParallelism, cpus } from 'node:os';
import { connections } from './conversations.js';
import { usersPerApp } from './database.js';
import { median } from './figures.js';
import type { Measured } from './load.js';
import type { MeasuredSide, Pair, Rounds } from './rounds.js';
import type { Statements } from './statements.js';

export function reportOf(rounds: Rounds, statements: Statements, loadBefore: number): string {
  const idle = rounds.storm.map((round) => round.idle);
  const stormy = rounds.storm.map((round) => round.storm);
  const slower = rounds.storm.map((round) => round.storm.p99 / round.idle.p99);
  const count = Math.max(...Object.values(rounds).map((of) => of.length));
  return `# Results of the last whole run

${new Date().toISOString().slice(0, 10)}: ${cpus()[0]?.model}, ${availableParallelism()} cores (load before the run ${loadBefore.toFixed(1)}), Node ${process.version};
${connections} connections, ${usersPerApp} users; medians of ${count} rounds, the lowest and highest in brackets. README.md tells the method.

| call | requests/s | p50 ms | p99 ms | CPU µs | ceiling/s | p50 ms | p99 ms | CPU µs | ratio | bar, aim |
|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|---|
${pairRow('refresh', rounds.refresh, '0.75, 0.9')}
${pairRow('GET /me, remembered tokens', rounds.me, '1.0, 1.2')}
${pairRow('GET /me, fresh tokens', rounds.freshMe, '0.95, 1.0')}
${pairRow("GET /me, another instance's tokens", rounds.otherMe, '')}
${pairRow('key set', rounds.keySet, '0.85, 0.95')}
${pairRow('remote config, 304', rounds.config, '0.85, 0.95')}
${pairRow('sign-in', rounds.signIn, '0.97, 1.0')}
${pairRow('sign-in beside one busy core', rounds.busySignIn, '0.8, 0.95')}
${pairRow('sign-in with a passkey', rounds.passkey, '0.8')}

| GET /me | requests/s | p50 ms | p99 ms | p99 to idle | bar, aim |
|---|--:|--:|--:|--:|---|
| idle | ${cells(idle)} | | |
| beside ${connections} sign-ins | ${cells(stormy)} | ${spread(slower)} | ≤ 3, ≤ 1.5 |

| statements a call | sign-up | sign-in | refresh | GET /me | key set |
|---|--:|--:|--:|--:|--:|
| sent | ${statements.signUp} | ${statements.signIn} | ${statements.refresh} | ${statements.me} | ${statements.keySet} |
| goal | ≤ 3 | ≤ 3 | 1 | ≤ 1 | |
`;
}

function pairRow(name: string, pairs: Pair[], goals: string): string {
  const ratios = pairs.map(({ service, ceiling }) => service.perSecond / ceiling.perSecond);
  const [service, ceiling] = [pairs.map((pair) => pair.service), pairs.map((pair) => pair.ceiling)];
  const side = (ones: MeasuredSide[]) => `${cells(ones)} | ${microseconds(ones)}`;
  return `| ${name} | ${side(service)} | ${side(ceiling)} | ${spread(ratios)} | ${goals} |`;
}

function cells(ones: Measured[]): string {
  return [
    perSecond(ones.map((one) => one.perSecond)),
    milliseconds(ones.map((one) => one.p50)),
    milliseconds(ones.map((one) => one.p99)),
  ].join(' | ');
}

function microseconds(ones: MeasuredSide[]): string {
  return ones.length === 0 ? '' : median(ones.map((one) => one.microseconds)).toFixed(0);
}

function perSecond(values: number[]): string {
  return values.length === 0 ? '' : Math.round(median(values)).toLocaleString('en');
}

function milliseconds(values: number[]): string {
  return values.length === 0 ? '' : median(values).toFixed(1);
}

function spread(values: number[]): string {
  if (values.length === 0) return '';
  const [least, most] = [Math.min(...values), Math.max(...values)];
  return `**${median(values).toFixed(2)}** (${least.toFixed(2)}–${most.toFixed(2)})`;
}

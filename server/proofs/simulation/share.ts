// A process of the simulation: runs its share of the schedules.
import { once } from 'node:events';
import { testService } from '../../test/harness.js';
import { type SimulationResult, simulate } from './simulate.js';

export type Share = { seed: number; count: number };
/** `trace` is what happened in a single schedule. */
export type Report = SimulationResult & { where: string; cpuSeconds: number; trace: string[] };

const [share] = (await once(process, 'message')) as [Share];
const trace: string[] = [];
// An error without its stack takes half the time.
if (share.count > 1) Error.stackTraceLimit = 0;
const service = await testService();
const result = await simulate(service, { ...share, trace: share.count === 1 ? trace : undefined }, (done) =>
  process.send?.(done),
);
await service.stop();
const { user, system } = process.cpuUsage();
const report: Report = {
  ...result,
  where: service.database.kind,
  cpuSeconds: (user + system) / 1e6,
  trace,
};
// The hashing threads, which the harness shares between services, are not waited for.
process.send?.(report, () => process.exit());

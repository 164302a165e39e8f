// The command line of the simulation: `npm run simulate -- --count 100000 --seed 1` runs the seeds 1 to 100,000 in two
// processes; `--count 1 --seed <failing seed>` repeats one and prints what happened.
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Report, Share } from './share.js';

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '100000' },
    seed: { type: 'string', default: '1' },
    processes: { type: 'string', default: '2' },
  },
});
const [count, seed] = [Number(values.count), Number(values.seed)];
const processes = Math.min(Number(values.processes), count);
const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);
const startedAt = performance.now();
const done = Array<number>(processes).fill(0);
const reports = await Promise.all(done.map((_, place) => run(place)));
const failures = reports.flatMap((report) => report.failures);
for (const { seed, why } of failures)
  console.log(`\nseed ${seed}: ${why}\nrepeat it: npm run simulate -- --count 1 --seed ${seed}`);
for (const { trace } of reports) if (trace.length > 0) console.log(`\n${trace.join('\n')}`);
console.log(
  `\n${sum(reports.map(({ schedules }) => schedules))} schedules from seed ${seed}, ${sum(reports.map(({ steps }) => steps))} ` +
    `statements and transactions on the ${reports[0]?.where} database: ${failures.length} failures\n` +
    `${((performance.now() - startedAt) / 1_000).toFixed(1)} s in ${processes} processes, which used ` +
    `${sum(reports.map(({ cpuSeconds }) => cpuSeconds)).toFixed(1)} s of processor time`,
);
process.exit(failures.length > 0 ? 1 : 0);

function run(place: number): Promise<Report> {
  const from = Math.floor((count * place) / processes);
  const share: Share = { seed: seed + from, count: Math.floor((count * (place + 1)) / processes) - from };
  // Thousands of schedules are in memory at a time: most of them survive a collection of the usual new space.
  const execArgv = [...process.execArgv, '--max-semi-space-size=64'];
  const child = fork(fileURLToPath(new URL('./share.ts', import.meta.url)), [], { execArgv });
  child.send(share);
  return new Promise((resolve, reject) => {
    child.on('message', (message: Report | number) => {
      if (typeof message !== 'number') return resolve(message);
      done[place] = message;
      process.stderr.write(`\r${sum(done)} of ${count} schedules`);
    });
    child.on('exit', (code) => reject(new Error(`a process of the simulation ended with status ${code}`)));
  });
}

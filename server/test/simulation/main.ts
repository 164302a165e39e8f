// The command line of the simulation (`npm run simulate`).
import { parseArgs } from 'node:util';
import { testService } from '../harness.js';
import { simulate } from './simulate.js';

const { values } = parseArgs({
  options: { count: { type: 'string', default: '100000' }, seed: { type: 'string', default: '1' } },
});
const count = Number(values.count);
const seed = Number(values.seed);
const service = await testService();
const startedAt = performance.now();
const progress = (done: number) => process.stderr.write(`\r${done} of ${count} schedules`);
const { schedules, steps, failures } = await simulate(service, { seed, count }, progress);
const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
for (const failure of failures) {
  console.log(`\nseed ${failure.seed}: ${failure.why}\n  ${failure.trace.join('\n  ')}`);
  console.log(`repeat it: npm run simulate -- --count 1 --seed ${failure.seed}`);
}
const where = service.database.kind;
console.log(
  `\n${schedules} schedules from seed ${seed}, ${steps} statements and transactions on the ${where} database, ${seconds} s: ${failures.length} failures`,
);
await service.stop();
// The hashing threads, which the harness shares between services, are not waited for.
process.exit(failures.length > 0 ? 1 : 0);

// The command line of the fuzzer: `npm run fuzz -- --count 100000 --seed 1`.
import { parseArgs } from 'node:util';
import { contractRoutes } from '../../test/contract-routes.js';
import { fuzz } from './fuzz.js';

const { values } = parseArgs({
  options: { count: { type: 'string', default: '100000' }, seed: { type: 'string', default: '1' } },
});
const [count, seed] = [Number(values.count), Number(values.seed)];
const startedAt = performance.now();
const progress = (done: number) => done % 1_000 === 0 && process.stderr.write(`\r${done} of ${count} inputs`);
const { inputs, statuses, connections, problems } = await fuzz({ seed, count }, progress);
const seconds = Math.round((performance.now() - startedAt) / 1_000);
console.log(`\n\n| status | answers |\n|---|---|`);
for (const [status, answers] of [...statuses].sort()) console.log(`| ${status} | ${answers} |`);
console.log(
  `\n${inputs} inputs to ${contractRoutes.length} routes from seed ${seed} in ${seconds} s; ${connections.sent} of them on ` +
    `hostile connections, ${connections.answered} of which were answered: ${problems.length} problems`,
);
for (const problem of problems) console.log(`\n${problem}`);
// The hashing threads, which the harness shares between services, are not waited for.
process.exit(problems.length > 0 ? 1 : 0);

// The command line of the fault harness: `npm run faults`, `-- --seed 7 --fault kill-service`, `-- --pairs 10`.
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { chanceOf } from '../../test/bad-values.js';
import { faults } from './kinds.js';
import { startCluster } from './postgresql.js';
import { runClients } from './run-clients.js';
import { startWorld, type World } from './world.js';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    /** One kind, or several that overlap: `kill-service+redis-down`. */
    fault: { type: 'string' },
    pairs: { type: 'string', default: '0' },
    rounds: { type: 'string', default: '1' },
    /** How often the fault happens in a round, to the same clients. */
    times: { type: 'string', default: '1' },
  },
});
const firstSeed = Number(values.seed);
const names = Object.keys(faults);

let failed = false;
const times = Number(values.times);
// Clients that live through several faults would reach the limits of their sessions and addresses.
const world = await startWorld(await startCluster(), times > 1 ? { RATE_LIMITS: 'off' } : {});
try {
  console.log(
    '| seed | fault | held ms | serving again ms | acknowledged | unanswered | cut off | violations |\n|---|---|---|---|---|---|---|---|',
  );
  for (const [seed, fault] of schedule()) {
    if (fault.includes('disk-full') && !world.cluster.hasDisk) {
      console.log(`| ${seed} | ${fault} | skipped: needs root, for a disk of its own | | | | | |`);
      continue;
    }
    const { violations, ...run } = await runFault(world, seed, fault.split('+'));
    failed ||= violations.length > 0;
    const outcome = violations.length === 0 ? 'none' : [...new Set(violations)].join('; ');
    console.log(
      `| ${seed} | ${fault} | ${run.held.join(' ')} | ${run.again.join(' ')} | ${run.acknowledged} | ${run.unanswered} | ${run.cutOff} | ${outcome} |`,
    );
  }
} finally {
  await world.stop();
}
process.exit(failed ? 1 : 0);

/** Every kind by itself, then pairs. */
function schedule(): [number, string][] {
  if (values.fault)
    return Array.from({ length: Number(values.rounds) }, (_, n) => [firstSeed + n, values.fault as string]);
  const chance = chanceOf(firstSeed);
  const single = Array.from({ length: Number(values.rounds) }, () => names).flat();
  const pairs = Array.from({ length: Number(values.pairs) }, () => {
    const one = chance.pick(names);
    return `${one}+${chance.pick(names.filter((name) => name !== one))}`;
  });
  return [...single, ...pairs].map((fault, n) => [firstSeed + n, fault]);
}

async function runFault(world: World, seed: number, kinds: string[]) {
  const chance = chanceOf(seed);
  const chosen = kinds.map((kind) => {
    const fault = faults[kind];
    if (!fault) throw new Error(`no fault is called ${kind}; there are ${names.join(', ')}`);
    return fault;
  });
  const held: number[] = [];
  const outcome = await runClients(
    world,
    seed,
    async () => {
      await sleep(300 + chance.number(1_500));
      const milliseconds = 200 + chance.number(3_000);
      held.push(milliseconds);
      for (const fault of chosen) await fault.begin(world);
      await sleep(milliseconds);
      const endedAt = performance.now();
      // They end in the order in which they began; a second kind may have ended what the first restarts.
      for (const fault of chosen) await fault.end(world);
      return endedAt;
    },
    times,
  );
  return { held, ...outcome };
}

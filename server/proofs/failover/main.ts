// The command line of the failover test: `npm run failover`, `-- --kind machine-dies --rounds 3`, and `-- --lose-writes`, which
// must fail. It needs Debian's packages patroni, etcd-server, haproxy, redis-server and postgresql.
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { runClients } from '../faults/run-clients.js';
import { startWorld } from '../faults/world.js';
import { type PatroniCluster, startPatroniCluster } from './cluster.js';
import { missingPrograms } from './missing-programs.js';

const { values } = parseArgs({
  options: {
    kind: { type: 'string' },
    seed: { type: 'string', default: '1' },
    rounds: { type: 'string', default: '1' },
    /** The machine dies with writes that its standby does not have: shows that the check can fail. */
    'lose-writes': { type: 'boolean', default: false },
  },
});

/** Each returns when the cluster can serve again without help, or the operator's part is done. */
const failovers: Record<string, (cluster: PatroniCluster) => Promise<void>> = {
  async switchover(cluster) {
    const [leader, standby] = [await cluster.nodeOf('leader'), await cluster.nodeOf('sync_standby')];
    await leader.switchover(standby.name);
    await cluster.untilReplaced(leader);
  },
  async 'postmaster-dies'(cluster) {
    (await cluster.nodeOf('leader')).killPostmaster();
    // Patroni starts it again, or the standby takes over.
    await sleep(10_000);
  },
  async 'machine-dies'(cluster) {
    const leader = await cluster.nodeOf('leader');
    if (values['lose-writes']) {
      leader.stopReplication();
      await sleep(1_500);
    }
    leader.signal('SIGKILL');
    await cluster.untilReplaced(leader);
    leader.start();
  },
  async 'standby-hangs'(cluster) {
    const [leader, standby] = [await cluster.nodeOf('leader'), await cluster.nodeOf('sync_standby')];
    standby.signal('SIGSTOP');
    await cluster.untilStandbyGivenUp(leader);
    // Time for writes that the standby does not have.
    await sleep(2_000);
    standby.signal('SIGCONT');
  },
};

const missing = missingPrograms();
if (missing.length > 0) {
  console.error(
    `missing: ${missing.join(', ')} (apt-get install patroni etcd-server haproxy redis-server postgresql)`,
  );
  process.exit(2);
}
const kinds = values['lose-writes'] ? ['machine-dies'] : values.kind ? [values.kind] : Object.keys(failovers);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
let failed = false;
const cluster = await startPatroniCluster(values['lose-writes'] ? 'local' : 'on');
// Six clients would reach the limits of their sessions and IP addresses in half a minute.
const world = await startWorld(cluster, { RATE_LIMITS: 'off' });
try {
  console.log(
    '| seed | failover | longest gap s | acknowledged | unanswered | violations |\n|---|---|---|---|---|---|',
  );
  let seed = Number(values.seed);
  for (let round = 0; round < Number(values.rounds); round += 1) {
    for (const kind of kinds) {
      const failover = failovers[kind];
      if (!failover) throw new Error(`there are the kinds ${Object.keys(failovers).join(', ')}`);
      await cluster.untilHealthy();
      const { violations, gap, acknowledged, unanswered } = await runClients(world, seed, async () => {
        await sleep(2_000);
        await failover(cluster);
        return performance.now();
      });
      failed ||= violations.length > 0;
      const outcome = [...new Set(violations)].join('; ') || 'none';
      console.log(
        `| ${seed} | ${kind} | ${(gap / 1_000).toFixed(1)} | ${acknowledged} | ${unanswered} | ${outcome} |`,
      );
      seed += 1;
    }
  }
} catch (error) {
  // What the service logged tells why it no longer serves.
  console.error(`${world.errors().slice(-5_000)}\n${(error as Error).stack}`);
  failed = true;
} finally {
  await world.stop();
}
process.exit(failed ? 1 : 0);

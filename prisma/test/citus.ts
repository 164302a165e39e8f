// Runs the suite on a Citus cluster: `npm run citus -- <URL of a database of the coordinator>`, with the arguments of vitest
// behind it. The nodes are those that the database knows; each gets the databases of the tests.
import { spawn } from 'node:child_process';
import pg from 'pg';

const [databaseUrl, ...rest] = process.argv.slice(2);
if (!databaseUrl?.startsWith('postgres'))
  fail('Usage: npm run citus -- postgresql://<coordinator>/<database> [vitest arguments]');

const client = new pg.Client({ connectionString: databaseUrl });
await client.connect();
const { rows } = await client
  .query<{ version: string; workers: string }>(
    `SELECT citus_version() AS version, string_agg(nodename || ':' || nodeport, ',' ORDER BY nodeid) AS workers
       FROM pg_dist_node WHERE noderole = 'primary' AND isactive AND shouldhaveshards`,
  )
  .catch(() => ({ rows: [] }));
await client.end();
const [cluster] = rows;
if (!cluster?.workers) fail('The database has no extension citus, or no worker: see docs/scaling.md.');

console.log(`${cluster.version}\nworkers: ${cluster.workers}`);
const args = ['vitest', 'run', ...(rest.length > 0 ? rest : ['server/', 'prisma/', 'sdk/test/service'])];
spawn('npx', args, {
  stdio: 'inherit',
  env: { ...process.env, DATABASE_URL: databaseUrl, FOYER_TEST_CITUS_WORKERS: cluster.workers },
}).on('close', (code) => {
  process.exitCode = code ?? 1;
});

function fail(sentence: string): never {
  console.error(sentence);
  process.exit(2);
}

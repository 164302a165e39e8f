// `npm run proofs -w @foyer/server -- <name> [options]`: runs one of the programs that measure the service or try to break it.
// Without a name it lists them. Each opens with a comment that describes its options.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/**
 * `build`: it starts the service as shipped, which is built first. `on: 'dist'`: the program itself loads the builds of the
 * workspaces, not their sources.
 */
type Proof = { file: string; about: string; build?: true; on?: 'dist'; before?: string };

const peersInstalled = 'npm ci --prefix proofs/bench/peers --legacy-peer-deps --no-audit --no-fund';

const proofs: Record<string, Proof> = {
  bench: {
    file: 'bench/bench',
    about: 'calls a second beside their ceilings, and statements a call',
    build: true,
    on: 'dist',
  },
  peers: {
    file: 'bench/peers',
    about: 'the same calls of other services',
    build: true,
    on: 'dist',
    before: peersInstalled,
  },
  growth: {
    file: 'bench/growth',
    about: '1,000 users beside 1,000,000',
    build: true,
    on: 'dist',
  },
  users: { file: 'bench/users', about: 'lists out of a million users' },
  export: { file: 'bench/export', about: 'time and memory of foyer export users', build: true },
  search: { file: 'bench/search', about: 'the search of the page Users as somebody types', build: true },
  data: { file: 'bench/data', about: 'queries on a million records', build: true, on: 'dist' },
  footprint: { file: 'bench/footprint', about: 'bytes a row, and of log a call', build: true },
  memory: { file: 'bench/memory', about: 'resident memory under load', build: true },
  contention: {
    file: 'bench/contention',
    about: 'what others notice of calls that wait for one row',
    build: true,
    on: 'dist',
  },
  bodies: { file: 'bench/bodies', about: 'how long large bodies block the event loop', build: true },
  idle: { file: 'bench/idle', about: 'the statements of an instance without requests' },
  retention: { file: 'bench/retention', about: 'the deletions of ten million sessions', build: true },
  'equal-work': {
    file: 'bench/equal-work',
    about: 'response times with and without an account',
    build: true,
  },
  'sign-up-flood': { file: 'bench/sign-up-flood', about: 'sign-ups of others beside an attack' },
  simulate: { file: 'simulation/main', about: 'schedules of calls against a model' },
  fuzz: { file: 'fuzz/main', about: 'hostile input to every route' },
  faults: { file: 'faults/main', about: 'faults of processes, networks and disks', build: true },
  'parallel-refreshes': {
    file: 'faults/parallel-refreshes',
    about: 'each refresh token at two instances at once',
    build: true,
  },
  'held-connections': { file: 'faults/held-connections', about: 'one IP address holds all connections' },
  'code-attack': { file: 'attacks/codes', about: 'strangers keep one person from every emailed code' },
  delays: {
    file: 'attacks/delays',
    about: 'sign-ins beside costly passwords, and push messages beside endpoints that hang',
  },
  failover: { file: 'failover/main', about: 'failovers of a Patroni cluster', build: true },
  mutate: { file: 'mutation/main', about: 'faults in the code that a test should notice' },
};

const [name = '', ...options] = process.argv.slice(2);
const proof = Object.hasOwn(proofs, name) ? proofs[name] : undefined;
if (!proof) {
  const width = Math.max(...Object.keys(proofs).map((each) => each.length));
  for (const [each, { about }] of Object.entries(proofs)) console.log(`${each.padEnd(width)}  ${about}`);
  process.exit(name === '' ? 0 : 1);
}
if (proof.build) run('npx', 'turbo run build --filter=@foyer/server... --output-logs=errors-only'.split(' '));
if (proof.before) run('npx', ['-c', proof.before]);
const conditions = proof.on === 'dist' ? [] : ['--conditions=source'];
const file = fileURLToPath(new URL(`./${proof.file}.ts`, import.meta.url));
run(process.execPath, [...conditions, '--import', 'tsx', file, ...options]);

/** Runs in the folder of the server; ends this process as the command did, unless it succeeded. */
function run(command: string, parameters: string[]): void {
  const cwd = fileURLToPath(new URL('..', import.meta.url));
  // Ctrl-C reaches the whole group: the program removes its databases, and this process waits for it.
  process.once('SIGINT', () => {});
  const { status } = spawnSync(command, parameters, { cwd, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

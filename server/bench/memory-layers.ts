// `npm run bench:memory-layers -w @foyer/server`: what an idle process holds, layer by layer, on PostgreSQL and on the embedded
// database: its share of memory (PSS) after each part of the service is loaded into one process, and that of the service as
// shipped. Linux only. The tables of README.md are from it.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { withDatabase } from './database.js';
import { startService } from './processes.js';

const settleSeconds = 20;

/** Loaded one after the other. */
const common: [name: string, code: string][] = [
  ['node alone', ''],
  ['express', `(await import('express')).default()`],
  ['zod, ts-rest', `await import('zod'); await import('@ts-rest/express')`],
  ['the contract', `await import('@foyer/contract')`],
  ['jose', `await import('jose')`],
  [
    'pino, pg-boss, busboy, undici',
    `for (const name of ['pino', 'pg-boss', 'busboy', 'undici']) await import(name)`,
  ],
  [
    'argon2, one thread',
    `const code = "import('@node-rs/argon2').then(({ hashSync }) => { hashSync('a password'); setInterval(() => {}, 1e6) })";
     new (await import('node:worker_threads')).Worker(code, { eval: true })`,
  ],
];
const postgresql: typeof common = [
  [
    'pg, one connection',
    `const { default: pg } = await import('pg');
     globalThis.client = new pg.Client(process.env.DATABASE_URL); await client.connect()`,
  ],
  [
    'Prisma client and query compiler',
    `globalThis.database = await (await import('@foyer/prisma')).openDatabase({ databaseUrl: process.env.DATABASE_URL })`,
  ],
];
const embedded: typeof common = [
  [
    'PGlite, Prisma client and query compiler',
    `globalThis.database = await (await import('@foyer/prisma')).openDatabase({ dataDir: process.env.DATA_DIR })`,
  ],
];

const ENCRYPTION_KEYS = randomBytes(32).toString('base64');
await withDatabase((DATABASE_URL) =>
  table('PostgreSQL', [...common, ...postgresql], { DATABASE_URL, ENCRYPTION_KEYS }),
);
const directory = mkdtempSync(join(tmpdir(), 'foyer-layers-'));
await table('the embedded database', [...common, ...embedded], {
  DATA_DIR: directory,
  ENCRYPTION_KEYS,
}).finally(() => rmSync(directory, { recursive: true, force: true }));

async function table(
  database: string,
  layers: typeof common,
  environment: Record<string, string>,
): Promise<void> {
  // First, since it creates the database.
  const first = await startService(environment);
  await first.stop();
  const service = await startService(environment);
  await sleep(settleSeconds * 1_000);
  const whole = proportionalMebibytes(service.pid);
  await service.stop();
  console.log(`\n| on ${database} | MiB | together |\n|---|--:|--:|`);
  let before = 0;
  for await (const [name, after] of loaded(layers, environment)) {
    console.log(`| ${name} | ${(after - before).toFixed(0)} | ${after.toFixed(0)} |`);
    before = after;
  }
  console.log(
    `| the rest: the service's own code, its connections and threads | ${(whole - before).toFixed(0)} | ${whole.toFixed(0)} |`,
  );
}

/** Loads the layers into one process, and yields its memory after each. */
async function* loaded(
  layers: typeof common,
  environment: Record<string, string>,
): AsyncGenerator<[string, number]> {
  const steps = layers.map(([, code]) => `await (async () => { ${code} })(); await step();`);
  const script = `import { createInterface } from 'node:readline';
    import { setFlagsFromString } from 'node:v8';
    setFlagsFromString('--wasm-num-compilation-tasks=1'); setFlagsFromString('--wasm-tiering-budget=2000000000');
    const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
    const step = async () => { await new Promise((done) => setTimeout(done, 1000)); gc(); console.log('loaded'); await lines.next(); };
    ${steps.join('\n')} process.exit()`;
  const child = spawn(process.execPath, ['--expose-gc', '--input-type=module', '-e', script], {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    env: { PATH: process.env.PATH, ...environment },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let layer = 0;
  for await (const line of createInterface({ input: child.stdout })) {
    if (line !== 'loaded') continue;
    yield [(layers[layer] as [string, string])[0], proportionalMebibytes(child.pid as number)];
    layer += 1;
    child.stdin.write('next\n');
  }
}

/** Pages shared with other processes count by their share. */
function proportionalMebibytes(pid: number): number {
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  return Number(/^Pss:\s+(\d+) kB/m.exec(rollup)?.[1]) / 1_024;
}

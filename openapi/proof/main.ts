// Generates clients in several languages, compiles them, and runs each against the service: `npm run clients -w
// @foyer/openapi`, or with part of a name, as in `-- Go`. `--document <file>` takes another document and only compiles
// what generators make of it.
import { execFile } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startService } from '../../examples/running-service.js';
import { type Generator, generators } from './generators.js';
import { newerService } from './newer-release.js';

const steps = ['sign-up', 'sign-in', 'refresh', 'me', 'query', 'upload', 'error', 'new code', 'new value'];
const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { document: { type: 'string' }, keep: { type: 'boolean' } },
});
const chosen = generators.filter(
  ({ name }) =>
    positionals.length === 0 || positionals.some((part) => name.toLowerCase().includes(part.toLowerCase())),
);
const here = fileURLToPath(new URL('.', import.meta.url));
const work = mkdtempSync(join(tmpdir(), 'foyer-clients-'));

const available: Generator[] = [];
for (const generator of chosen) {
  const missing = [];
  for (const program of generator.needs) {
    if ((await sh(`command -v ${program}`, work)).status !== 0) missing.push(program);
  }
  if (missing.length === 0) available.push(generator);
  else console.log(`${generator.name}: left out, this machine has no ${missing.join(' and ')}`);
}
const packages = [...new Set(available.flatMap((each) => each.packages))];
writeFileSync(join(work, 'package.json'), '{"type":"module"}');
const installed = await sh(
  `npm install --no-audit --no-fund --ignore-scripts esbuild@0.28.2 ${packages.join(' ')}`,
  work,
);
if (installed.status !== 0) {
  console.error(installed.output);
  rmSync(work, { recursive: true });
  process.exit(1);
}
writeFileSync(
  join(work, 'photo.png'),
  Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
    'base64',
  ),
);

const service = await startService({ RATE_LIMITS: 'off' });
const newer = await newerService(service.baseUrl);
const failed: string[] = [];
const documents = options.document
  ? { '3.1': readFileSync(options.document, 'utf8'), '3.0': readFileSync(options.document, 'utf8') }
  : { '3.1': await served('openapi.client.json'), '3.0': await served('openapi.client-3.0.json') };
try {
  await declareCollection();
  console.log(`| generator | generated | compiled | ${steps.join(' | ')} |`);
  console.log(`|---|---|---|${steps.map(() => '---|').join('')}`);
  for (const generator of available) await prove(generator);
} finally {
  newer.stop();
  await service.stop();
  if (options.keep) console.log(work);
  else rmSync(work, { recursive: true });
}
if (failed.length > 0) {
  console.log(`\n${failed.join('\n\n')}`);
  process.exitCode = 1;
}

async function prove(generator: Generator): Promise<void> {
  const folder = join(work, generator.name.replace(/\W+/g, '-'));
  mkdirSync(join(folder, 'dist'), { recursive: true });
  mkdirSync(join(folder, 'out'));
  cpSync(join(here, 'clients'), join(folder, 'clients'), { recursive: true });
  for (const [form, text] of Object.entries(documents))
    writeFileSync(join(folder, `document-${form}.json`), text);
  const made = await sh(generator.generate, folder);
  const size = sizeOf(folder, ['clients/client', 'clients/foyer.ts', 'out']);
  const compiled = made.status === 0 ? await sh(generator.compile, folder) : made;
  const env = {
    FOYER_BASE_URL: service.baseUrl,
    FOYER_NEWER_URL: newer.url,
    FOYER_APP_KEY: service.appKey,
    FOYER_EMAIL: `ada-${generator.name.replace(/\W+/g, '-').toLowerCase()}@example.com`,
    FOYER_FILE: join(work, 'photo.png'),
  };
  const ran = compiled.status === 0 && !options.document ? await sh(generator.run, folder, env) : compiled;
  const cells = steps.map((step) => {
    if (ran.output.includes(`ok ${step}\n`)) return 'yes';
    return ran.output.includes(`cannot ${step}\n`) ? 'not by this library' : 'no';
  });
  const good = (status: number) => (status === 0 ? 'yes' : 'no');
  console.log(
    `| ${generator.name} | ${good(made.status)}, ${size} | ${good(compiled.status)} | ${cells.join(' | ')} |`,
  );
  if (cells.includes('no') && !options.document)
    failed.push(`${generator.name}:\n${ran.output.slice(-3_000)}`);
}

/** Runs beside this process, which forwards requests meanwhile. */
function sh(command: string, cwd: string, env: Record<string, string> = {}) {
  return new Promise<{ status: number; output: string }>((resolve) => {
    const options = { cwd, env: { ...process.env, ...env }, maxBuffer: 1e8 };
    execFile('bash', ['-c', command], options, (error, stdout, stderr) =>
      resolve({ status: error ? 1 : 0, output: `${stdout}${stderr}` }),
    );
  });
}

function sizeOf(folder: string, parts: string[]): string {
  const files = parts.flatMap((part) => {
    const path = join(folder, part);
    const stat = statSync(path, { throwIfNoEntry: false });
    if (!stat?.isDirectory()) return stat ? [stat.size] : [];
    return readdirSync(path, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => statSync(join(entry.parentPath, entry.name)).size);
  });
  const bytes = files.reduce((sum, size) => sum + size, 0);
  return `${files.length} files, ${(bytes / 1e6).toFixed(1)} MB`;
}

async function served(name: string): Promise<string> {
  return (await fetch(`${service.baseUrl}/${name}`)).text();
}

async function declareCollection(): Promise<void> {
  const answer = await fetch(`${service.baseUrl}/admin/collections`, {
    method: 'POST',
    headers: {
      'X-App-Key': service.appKey,
      Authorization: `Bearer ${service.secretKey}`,
      'Content-Type': 'application/json',
    },
    body: JSON.stringify({ name: 'notes', access_mode: 'owner' }),
  });
  if (!answer.ok) throw new Error(await answer.text());
}

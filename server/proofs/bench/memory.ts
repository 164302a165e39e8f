// `npm run proofs -w @foyer/server -- memory`: the resident memory of the service as shipped, under ten minutes of mixed load on
// 120,000 users, and, in a new process, under the worst record and file queries. README.md describes what is sent.
//   --minutes 2      a shorter mixed load
//   --seconds 20     of the worst queries; 60 by default
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { usersPerApp, withDatabase } from './database.js';
import { median } from './figures.js';
import { mixedLoad, type Tally, worstQueries } from './memory-load.js';
import { type NewApp, type Running, seededApp, startService } from './processes.js';
import { processorMicroseconds } from './processor-time.js';

const { values: options } = parseArgs({
  options: { minutes: { type: 'string', default: '10' }, seconds: { type: 'string', default: '60' } },
});
const apps = 5;
const sampleMilliseconds = 250;
const mebibyte = 1_024 * 1_024;
const bars = { mixed: 350, worst: 600 };

const directory = mkdtempSync(join(tmpdir(), 'foyer-memory-'));
await withDatabase(async (databaseUrl) => {
  const environment = {
    DATABASE_URL: databaseUrl,
    ENCRYPTION_KEYS: randomBytes(32).toString('base64'),
    FILES_DIR: directory,
    RATE_LIMITS: 'off',
    // Each client is in a network of its own, as users are.
    TRUST_PROXY: '1',
  };
  const seeded: NewApp[] = [];
  for (let app = 0; app < apps; app += 1) seeded.push(await seededApp(environment, `memory ${app}`, 0));
  console.log(
    `${apps * usersPerApp} users; load average ${loadavg()[0]?.toFixed(1)} before\n\n` +
      '| load | at the start | median | peak | bar | calls | processor ms a call | answers of 500 and more but 503 |\n' +
      '|---|---|---|---|---|---|---|---|',
  );
  const [first] = seeded as [NewApp];
  const minutes = Number(options.minutes);
  const mixed = await underLoad(environment, bars.mixed, `mixed, ${minutes} minutes`, (service) =>
    mixedLoad(service.port, seeded, minutes * 60_000),
  );
  await underLoad(environment, bars.worst, `worst queries, ${options.seconds} s`, (service) =>
    worstQueries(service.port, first, Number(options.seconds) * 1_000),
  );
  console.log(`\nMixed load, median of each tenth of the time, MiB: ${tenths(mixed).join(', ')}`);
}).finally(() => rmSync(directory, { recursive: true, force: true }));

/** Starts the service, samples its memory under the load, and prints a row. Returns the samples in MiB. */
async function underLoad(
  environment: Record<string, string>,
  bar: number,
  name: string,
  work: (service: Running) => Promise<Tally>,
): Promise<number[]> {
  const service = await startService(environment);
  const atStart = memoryOf(service, 'VmRSS');
  const samples: number[] = [];
  let ended = false;
  const sampling = (async () => {
    while (!ended) {
      samples.push(memoryOf(service, 'VmRSS'));
      await sleep(sampleMilliseconds);
    }
  })();
  try {
    const processorBefore = processorMicroseconds(service.pid);
    const tally = await work(service);
    const processor = (processorMicroseconds(service.pid) - processorBefore) / 1_000;
    const peak = memoryOf(service, 'VmHWM');
    const failed = [...tally].filter(([status]) => status >= 500 && status !== 503);
    const calls = [...tally.values()].reduce((sum, count) => sum + count, 0);
    const mib = (value: number) => `${Math.round(value)} MiB`;
    console.log(
      `| ${name} | ${mib(atStart)} | ${mib(median(samples))} | ${mib(peak)} | ${bar} MB | ${calls} | ` +
        `${(processor / calls).toFixed(1)} | ` +
        `${failed.map(([status, count]) => `${count} of ${status}`).join(', ') || 'none'} |`,
    );
  } finally {
    ended = true;
    await sampling;
    await service.stop();
  }
  return samples;
}

/** The memory in MiB: what is resident now (VmRSS), or was at most (VmHWM). Linux only. */
function memoryOf({ pid }: Running, field: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const [, kibibytes] = new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status) ?? [];
  return (Number(kibibytes) * 1_024) / mebibyte;
}

function tenths(samples: number[]): number[] {
  const length = Math.max(1, Math.floor(samples.length / 10));
  return Array.from({ length: 10 }, (_, n) =>
    Math.round(median(samples.slice(n * length, (n + 1) * length))),
  );
}

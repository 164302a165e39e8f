// `npm run mutate -- --count 100`: docs/mutation.md. Mutates one line at a time in this checkout, which must be clean, runs the
// tests that should notice, and records what none of them noticed. Resumable: a mutation that was judged is not tried again.
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { parseSync } from 'vite';
import { root } from '../../test/import-graph.js';
import { testChooser } from './choose-tests.js';
import { equivalent } from './equivalent.js';
import { isMutated } from './mutated-files.js';
import { mutationsOf, type PlacedMutation } from './mutations.js';
import { type Failure, firstFailure } from './run-tests.js';

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '50' },
    seed: { type: 'string', default: '1' },
    /** The starts of the paths of the files to mutate. */
    files: { type: 'string', multiple: true, default: [''] },
    /** Only mutations of these kinds. */
    kind: { type: 'string', multiple: true },
    /** Runs the tests on this PostgreSQL as well, where locks can be seen. */
    database: { type: 'string' },
    /** The time that the tests of one mutation may take. */
    seconds: { type: 'string', default: '600' },
    /** Stops beginning new mutations after this many minutes. */
    minutes: { type: 'string', default: '100000' },
  },
});
const limits = { seconds: Number(values.seconds) };
/** A lock makes a difference in a PostgreSQL only. */
const databases = values.database ? [undefined, values.database] : [undefined];
const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();

type Candidate = PlacedMutation & { file: string; id: string };
type Verdict = {
  id: string;
  file: string;
  line: number;
  kind: string;
  diff: string;
  killedBy: Failure | 'types';
};

if (git('status', '--porcelain') !== '')
  throw new Error('the checkout has changes: commit or stash them first');
const folder = join(root, '.mutation');
const log = join(folder, `${values.seed}.jsonl`);
mkdirSync(folder, { recursive: true });
const running = join(folder, 'running');
// Two runs would mutate each other's mutations. After a kill the file remains.
if (existsSync(running))
  throw new Error(`another run mutates this checkout: remove ${running} if it has ended`);
writeFileSync(running, `${process.pid}`);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
process.once('exit', () => rmSync(running, { force: true }));
const verdicts: Verdict[] = existsSync(log)
  ? readFileSync(log, 'utf8')
      .trim()
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line))
  : [];

/** Whether a test file passes without a mutation: one that fails anyway proves nothing. */
const passing = new Map<string, boolean>();
/** Of a run without a report, or that did not end in time, all tests are run again. */
async function isReliable({ file }: NonNullable<Failure>, tests: string[]): Promise<boolean> {
  const again = file === '' ? tests : [file];
  const known = passing.get(again.join());
  if (known !== undefined) return known;
  const isPassing = (await firstFailure(root, again, limits)) === null;
  passing.set(again.join(), isPassing);
  return isPassing;
}

const testsFor = await testChooser(root, join(folder, 'executed'));
const stopAt = performance.now() + Number(values.minutes) * 60_000;
for (const candidate of chosen(Number(values.count))) {
  const { id } = candidate;
  if (verdicts.some((verdict) => verdict.id === id) || equivalent.some((each) => each.id === id)) continue;
  if (performance.now() > stopAt) break;
  const verdict = await judge(candidate);
  verdicts.push(verdict);
  appendFileSync(log, `${JSON.stringify(verdict)}\n`);
  const by = verdict.killedBy === 'types' ? 'types' : verdict.killedBy?.test;
  console.log(
    by ? `killed    ${id} ${verdict.file}:${verdict.line} by ${by}` : `SURVIVED  ${id}\n${verdict.diff}`,
  );
}
summarize();

async function judge({ file, id, ...mutation }: Candidate): Promise<Verdict> {
  const path = join(root, file);
  const source = readFileSync(path, 'utf8');
  const line = source.slice(0, mutation.start).split('\n').length;
  let diff = '';
  const mutated = <T>(work: () => T): T => {
    writeFileSync(path, source.slice(0, mutation.start) + mutation.text + source.slice(mutation.end));
    return work();
  };
  const restore = () => writeFileSync(path, source);
  process.once('exit', restore);
  const again: string[] = [];
  let killedBy: Verdict['killedBy'] = null;
  try {
    for (const files of testsFor({ file, line, isOnLoad: mutation.isOnLoad })) {
      for (const databaseUrl of mutation.kind === 'sql' ? databases : [undefined]) {
        const tests = files.filter((each) => !again.includes(each));
        const failure = await mutated(() => firstFailure(root, tests, { ...limits, databaseUrl }));
        diff ||= git('diff', '--unified=1', '--', file).split('\n').slice(4).join('\n');
        restore();
        if (failure && (await isReliable(failure, tests))) killedBy = failure;
        else if (failure) again.push(failure.file);
        if (killedBy) break;
      }
      if (killedBy) break;
    }
    if (!killedBy && mutated(() => failsTypes(file))) killedBy = 'types';
  } finally {
    restore();
    process.off('exit', restore);
  }
  return { id, file, line, kind: mutation.kind, diff, killedBy };
}

function failsTypes(file: string): boolean {
  const workspace = join(root, file.split('/')[0] as string);
  return spawnSync('npx', ['tsc', '--noEmit', '-p', '.'], { cwd: workspace }).status !== 0;
}

/** The same for a seed, whatever changes elsewhere: ordered by a hash of what is mutated, with each kind in turn. */
function chosen(count: number): Candidate[] {
  const files = git('ls-files', 'server/src', 'server/engines', 'sdk/src', 'contract/src')
    .split('\n')
    .filter((file) => isMutated(file) && values.files.some((start) => file.startsWith(start)));
  const all = files.flatMap((file) => {
    const source = readFileSync(join(root, file), 'utf8');
    return mutationsOf(source, file)
      .filter(({ kind }) => values.kind?.includes(kind) ?? true)
      .map((each) => ({ file, ...each, id: idOf(file, source, each) }));
  });
  const sorted = all
    .map((each) => ({ each, key: sha256(`${values.seed} ${each.id}`) }))
    .sort((a, b) => (a.key < b.key ? -1 : 1));
  const kinds = new Map<string, Candidate[]>();
  for (const { each } of sorted) kinds.set(each.kind, [...(kinds.get(each.kind) ?? []), each]);
  const turns = Array.from({ length: count }, (_, place) =>
    [...kinds.values()].flatMap((list) => list.slice(place, place + 1)),
  );
  return turns.flat().filter(parses).slice(0, count);
}

/** A fault of the syntax says nothing about the tests. */
function parses({ file, start, end, text }: Candidate): boolean {
  const source = readFileSync(join(root, file), 'utf8');
  return parseSync(file, source.slice(0, start) + text + source.slice(end)).errors.length === 0;
}

/** Finds the place by the text around it, so that lines above may change. */
function idOf(file: string, source: string, { kind, start, end, text }: PlacedMutation): string {
  const around = source.slice(Math.max(0, start - 80), end + 40);
  return sha256(JSON.stringify([file, kind, around, text])).slice(0, 12);
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function summarize(): void {
  const survivors = verdicts.filter(({ killedBy }) => !killedBy);
  const killed = verdicts.length - survivors.length;
  const rate = verdicts.length === 0 ? 0 : (100 * killed) / verdicts.length;
  console.log(
    `\n${verdicts.length} mutations: ${killed} killed (${rate.toFixed(1)} %), ${survivors.length} survived`,
  );
  process.exitCode = survivors.length > 0 ? 1 : 0;
}

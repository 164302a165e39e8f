// Before every test file, when `npm run mutate` records them: writes which lines of the sources the file executed.
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { decode } from '@jridgewell/sourcemap-codec';
import { afterAll, beforeAll, expect } from 'vitest';
import { root } from '../../test/import-graph.js';
import { isMutated, linesFolder, outcomesOfWorker } from './mutated-files.js';
import { type Outcomes, observe } from './observed.js';

/** Where the statements of a script begin in its code, and the lines of the source that they are from. */
type Statement = { offset: number; line: number };

/** The test files of a worker share the profiler. */
type Profiler = { session: Session; statements: Map<string, Statement[]> };
const shared = globalThis as { foyerProfiler?: Profiler; foyerOutcomes?: Outcomes };
shared.foyerOutcomes ??= new Map();
observe(shared.foyerOutcomes);

const folder = process.env[linesFolder] as string;

beforeAll(async () => {
  shared.foyerProfiler ??= await startProfiler();
  // Forgets what was executed before this file.
  await shared.foyerProfiler.session.post('Profiler.takePreciseCoverage');
});

afterAll(async () => {
  const { session, statements } = shared.foyerProfiler as Profiler;
  const { result } = await session.post('Profiler.takePreciseCoverage');
  const executed: Record<string, number[]> = {};
  for (const { scriptId, url, functions } of result) {
    const file = sourceOf(url);
    if (file === undefined) continue;
    const known = statements.get(scriptId) ?? (await statementsOf(session, scriptId));
    statements.set(scriptId, known);
    const isExecuted = new Array<boolean>(known.length).fill(false);
    // Inner functions and blocks come after the outer ones.
    for (const { startOffset, endOffset, count } of functions.flatMap(({ ranges }) => ranges)) {
      const from = firstFrom(known, startOffset);
      for (let place = from; place < known.length; place += 1) {
        if ((known[place] as Statement).offset >= endOffset) break;
        isExecuted[place] = count > 0;
      }
    }
    const lines = known.filter((_, place) => isExecuted[place]).map(({ line }) => line);
    // A test that loads its modules again has several scripts of a file.
    const all = new Set([...(executed[file] ?? []), ...lines]);
    if (all.size > 0) executed[file] = [...all].sort((a, b) => a - b);
  }
  writeFileSync(
    join(folder, `${outcomesOfWorker}${process.pid}`),
    JSON.stringify([...(shared.foyerOutcomes as Outcomes)]),
  );
  const test = relative(root, expect.getState().testPath as string);
  const name = createHash('sha256').update(test).digest('hex').slice(0, 16);
  writeFileSync(join(folder, `${name}.json`), JSON.stringify({ test, executed }));
});

async function startProfiler(): Promise<Profiler> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  await session.post('Debugger.enable');
  return { session, statements: new Map() };
}

function sourceOf(url: string): string | undefined {
  const path = url.startsWith('file://') ? fileURLToPath(url) : url;
  const file = path.startsWith(root) ? relative(root, path) : undefined;
  return file !== undefined && isMutated(file) ? file : undefined;
}

async function statementsOf(session: Session, scriptId: string): Promise<Statement[]> {
  const { scriptSource } = await session.post('Debugger.getScriptSource', { scriptId });
  const map = /sourceMappingURL=data:application\/json;(?:charset=utf-8;)?base64,([\w+/=]+)/.exec(
    scriptSource,
  )?.[1];
  if (map === undefined) return [];
  const { mappings } = JSON.parse(Buffer.from(map, 'base64').toString()) as { mappings: string };
  const found: Statement[] = [];
  let start = 0;
  const lines = scriptSource.split('\n');
  for (const [place, segments] of decode(mappings).entries()) {
    for (const [column, , line] of segments)
      if (line !== undefined) found.push({ offset: start + column, line: line + 1 });
    start += (lines[place]?.length ?? 0) + 1;
  }
  return found;
}

/** The first place at or after an offset. */
function firstFrom(sorted: Statement[], offset: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] as Statement).offset < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

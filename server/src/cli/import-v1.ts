// foyer import-v1: imports the users of a v1 database. v1/import/README.md describes the file.
import {
  accessSync,
  closeSync,
  constants,
  createReadStream,
  lstatSync,
  openSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import {
  type ImportCounts,
  type Imported,
  importFile,
  type Note,
  type Refusal,
} from '../v1/import/import-file.js';
import { appNamed, type Print, parse, UsageError, type WithStore } from './argv.js';
import { progressOn, type Screen } from './progress.js';

/** The import completed, but some lines were refused. */
const exitCodeOfRefusals = 3;

/** Returns the exit code. */
export async function importV1(argv: string[], withStore: WithStore, stderr: Screen): Promise<number> {
  const { options, positionals } = parse(
    argv,
    { app: { type: 'string' }, report: { type: 'string' } },
    'the file',
  );
  const path = positionals[0] as string;
  if (options.app === undefined) throw new UsageError('--app is required: the id or slug of an app');
  const reportPath = (options.report as string | undefined) ?? freeReportPath(path);
  const bytes = sizeOf(path);
  if (isSameFile(path, reportPath)) throw new UsageError('--report must not be the file to import');
  if (isTaken(reportPath)) {
    throw new Error(`the file ${JSON.stringify(reportPath)} already exists; choose another with --report`);
  }
  requireWritable(dirname(reportPath));
  let refused = 0;
  await withStore(async (deps, print) => {
    const app = await appNamed(deps, options.app as string);
    const report = reportAt(reportPath);
    const progress = progressOn(stderr);
    let pass = '';
    const imported = await importFile(
      { ...deps, pause: (milliseconds) => setTimeout(milliseconds) },
      app,
      { open: () => createReadStream(path) },
      {
        refused: report.add,
        noted: report.add,
        progress(now, end, counts) {
          if (now !== pass) progress.end();
          pass = now;
          // A file that is still being written may grow beyond what it was; of an empty one all is done.
          progress.show(
            bytes === 0 ? 1 : Math.min(1, end / bytes),
            now === 'ids' ? 'reading the file' : wordsOf(counts),
          );
        },
      },
    )
      .catch((error: unknown) => {
        const reason = error instanceof Error ? error.message.trim().split('\n').at(-1) : String(error);
        throw new Error(`the import stopped (${reason}); run it again to continue`, {
          cause: error,
        });
      })
      .finally(() => {
        progress.end();
        report.close();
      });
    printSummary(print, imported, app.name, reportPath);
    refused = imported.refused;
  });
  return refused === 0 ? 0 : exitCodeOfRefusals;
}

function sizeOf(path: string): number {
  const file = statSync(path, { throwIfNoEntry: false });
  if (!file?.isFile()) throw new Error(`there is no file ${JSON.stringify(path)}`);
  return file.size;
}

/** Symbolic and hard links count as the same file. */
function isSameFile(path: string, other: string): boolean {
  const [one, two] = [path, other].map((each) => statSync(each, { bigint: true, throwIfNoEntry: false }));
  return two !== undefined && one?.ino === two.ino && one.dev === two.dev;
}

/** Reports of earlier runs are never overwritten: `….refused.jsonl`, then `….refused.2.jsonl` and so on. */
function freeReportPath(path: string): string {
  for (let run = 1; ; run += 1) {
    const reportPath = `${path}.refused.${run === 1 ? '' : `${run}.`}jsonl`;
    if (!isTaken(reportPath)) return reportPath;
  }
}

/** A dangling link counts as a file. */
function isTaken(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

/** The report is created with the first rejected line, which is late to learn that the folder is mounted read-only. */
function requireWritable(folder: string): void {
  try {
    accessSync(folder, constants.W_OK);
  } catch (cause) {
    throw new Error(
      `the folder ${JSON.stringify(folder)} cannot be written to; choose another file with --report`,
      { cause },
    );
  }
}

/** Creates the file with the first entry, and never writes to one that exists. */
function reportAt(path: string) {
  let file: number | null = null;
  return {
    add(entry: Refusal | Note) {
      file ??= openSync(path, 'wx', 0o600);
      writeSync(file, `${JSON.stringify(entry)}\n`);
    },
    close() {
      if (file !== null) closeSync(file);
    },
  };
}

function wordsOf({ lines, made, there, refused }: ImportCounts): string {
  return `${count(lines)} lines: ${count(made)} imported, ${count(there)} already imported, ${count(refused)} rejected`;
}

function printSummary(print: Print, imported: Imported, appName: string, reportPath: string): void {
  const { lines, made, there, refused, noted, nextV1Id } = imported;
  print(`Imported ${count(made)} of ${count(lines)} users into ${JSON.stringify(appName)}.`);
  if (there > 0) {
    print(`${count(there)} were imported earlier, by another run or another line, and are unchanged.`);
  }
  print(`The next numeric id in v1 is ${nextV1Id}.`);
  if (noted > 0) print(`${count(noted)} were imported with changes; see ${reportPath}.`);
  if (refused > 0) {
    print(
      `Rejected lines: ${count(refused)}; ${reportPath} lists them with the reasons. Correct them and run the import again.`,
    );
  }
}

function count(number: number): string {
  return number.toLocaleString('en');
}

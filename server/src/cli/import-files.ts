// The files of an import: the one that is read, and the report about it, which never replaces another file.
import { accessSync, closeSync, constants, lstatSync, openSync, statSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { UsageError } from './argv.js';

/** Checks both before anything is imported. Without `report`, its name is that of the file with `suffix`. */
export function importFilesOf(
  path: string,
  report: string | undefined,
  suffix: string,
): { bytes: number; reportPath: string } {
  const reportPath = report ?? freeReportPath(path, suffix);
  const bytes = sizeOf(path);
  if (isSameFile(path, reportPath)) throw new UsageError('--report must not be the file to import');
  if (isTaken(reportPath)) {
    throw new Error(`the file ${JSON.stringify(reportPath)} already exists; choose another with --report`);
  }
  requireWritable(dirname(reportPath));
  return { bytes, reportPath };
}

/** Creates the file with the first entry, and never writes to one that exists. */
export function reportAt(path: string) {
  let file: number | null = null;
  return {
    add(...entries: object[]) {
      if (entries.length === 0) return;
      file ??= openSync(path, 'wx', 0o600);
      writeSync(file, entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
    },
    close() {
      if (file !== null) closeSync(file);
    },
  };
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
function freeReportPath(path: string, suffix: string): string {
  for (let run = 1; ; run += 1) {
    const reportPath = `${path}.${suffix}.${run === 1 ? '' : `${run}.`}jsonl`;
    if (!isTaken(reportPath)) return reportPath;
  }
}

/** A dangling link counts as a file. */
function isTaken(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

/** The report is created with the first entry, which is late to learn that the folder is mounted read-only. */
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

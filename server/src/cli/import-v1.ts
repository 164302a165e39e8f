// foyer import-v1: imports the users of a v1 database. v1/import/README.md describes the file.
import { createReadStream } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { type ImportCounts, type Imported, importFile } from '../v1/import/import-file.js';
import { appNamed, type Print, parse, UsageError, type WithStore } from './argv.js';
import { importFilesOf, reportAt } from './import-files.js';
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
  const { bytes, reportPath } = importFilesOf(path, options.report as string | undefined, 'refused');
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

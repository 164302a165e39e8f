// foyer import: imports the users of another service. README.md describes the files and what becomes of their fields.
import { createReadStream } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { appNamed, type Print, parse, UsageError, type WithStore } from '../argv.js';
import { importFilesOf, reportAt } from '../import-files.js';
import { progressOn, type Screen } from '../progress.js';
import { auth0 } from './auth0.js';
import { betterAuth } from './better-auth.js';
import { clerk } from './clerk.js';
import type { ExportFormat } from './exported-user.js';
import { firebase } from './firebase.js';
import { foyer } from './foyer.js';
import { type Counts, importExport } from './import-export.js';
import { supabase } from './supabase.js';

const formats: Record<string, ExportFormat> = {
  ...{ firebase, supabase, auth0, clerk, foyer },
  'better-auth': betterAuth,
};

/** The import completed, but some users were not imported. */
const exitCodeOfRefusals = 3;

/** Returns the exit code. */
export async function importUsers(argv: string[], withStore: WithStore, stderr: Screen): Promise<number> {
  const { options, positionals } = parse(
    argv,
    { app: { type: 'string' }, report: { type: 'string' }, 'dry-run': { type: 'boolean' } },
    'the service',
    'the file',
  );
  const [service, path] = positionals as [string, string];
  const format = Object.hasOwn(formats, service) ? formats[service] : undefined;
  if (!format) throw new UsageError(`the service must be one of ${Object.keys(formats).join(', ')}`);
  if (options.app === undefined) throw new UsageError('--app is required: the id or slug of an app');
  const { bytes, reportPath } = importFilesOf(path, options.report as string | undefined, 'report');
  const dryRun = options['dry-run'] === true;
  let refused = 0;
  await withStore(async (deps, print) => {
    const app = await appNamed(deps, options.app as string);
    const report = reportAt(reportPath);
    const progress = progressOn(stderr);
    const counts = await importExport(
      { ...deps, pause: (milliseconds) => setTimeout(milliseconds) },
      app,
      { service, format, file: { open: () => createReadStream(path) }, dryRun },
      {
        add: report.add,
        progress: (now, end) =>
          progress.show(
            Math.min(1, end / bytes),
            `${written(now.records)} users: ${written(now.imported)} imported, ${written(now.there)} already imported`,
          ),
      },
    )
      .catch((cause: unknown) => {
        const reason = cause instanceof Error ? cause.message.trim().split('\n').at(-1) : String(cause);
        throw new Error(`the import stopped (${reason}); run it again to continue`, { cause });
      })
      .finally(() => {
        progress.end();
        report.close();
      });
    printSummary(print, counts, { service: format.name, app: app.name, dryRun, reportPath });
    refused = sumOf(counts.refused);
  });
  return refused === 0 ? 0 : exitCodeOfRefusals;
}

type About = { service: string; app: string; dryRun: boolean; reportPath: string };

function printSummary(print: Print, counts: Counts, { service, app, dryRun, reportPath }: About): void {
  const { records, imported, there, refused, leftOut } = counts;
  const what = `${written(imported)} of ${written(records)} users of ${service} into ${JSON.stringify(app)}`;
  print(dryRun ? `Dry run, nothing is changed: would import ${what}.` : `Imported ${what}.`);
  if (there > 0) print(`${written(there)} were imported earlier, and are unchanged.`);
  if (refused.size > 0) {
    print(`Not imported: ${written(sumOf(refused))}`);
    printList(print, refused);
  }
  if (leftOut.size > 0) {
    print('What did not come over of the others:');
    printList(print, leftOut);
  }
  if ([...leftOut.keys()].some((words) => words.startsWith('password'))) {
    print(
      'Foyer verifies only hashes of its own: users with a password sign in with an emailed code or a provider, and may then set a new one.',
    );
  }
  if (records > 0) print(`${reportPath} has a line for each user, with the new uid.`);
}

/** The most frequent first. */
function printList(print: Print, counts: Map<string, number>): void {
  for (const [words, count] of [...counts].sort(([, a], [, b]) => b - a)) {
    print(`${written(count).padStart(12)}  ${words}`);
  }
}

function sumOf(counts: Map<string, number>): number {
  return [...counts.values()].reduce((sum, count) => sum + count, 0);
}

function written(number: number): string {
  return number.toLocaleString('en');
}

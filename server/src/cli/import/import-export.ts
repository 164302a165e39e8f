// Imports the users of another service's export, of any size: one batch is in memory at a time.
import type { ImportDeps } from '../../admin-users/retry-import.js';
import { change } from '../../change.js';
import { byCommandLine } from '../../model/actor.js';
import type { App } from '../../model/app.js';
import type { ExportFormat } from './exported-user.js';
import { fitUser } from './fit-user.js';
import { importBatch, tryBatch } from './import-batch.js';
import { type ExportFile, type ExportRecord, recordsOf } from './records.js';

/** A line of the report. There is one for each user. */
export type ReportLine = { record: number; id: string | null } & (
  | { uid: string; outcome: 'imported' | 'already imported'; left_out: string[] }
  | { outcome: 'not imported'; reason: string }
);

export type Counts = {
  records: number;
  imported: number;
  there: number;
  /** How many users were not imported, by the reason. */
  refused: Map<string, number>;
  /** How many of the imported users came without something, by what it is. */
  leftOut: Map<string, number>;
};

/** `end` is how many bytes of the file were read, or infinite at the end of the import. */
export type Progress = (counts: Counts, end: number) => void;

type Source = { service: string; format: ExportFormat; file: ExportFile; dryRun: boolean };

const batchRecords = 500;
/** A line of Foyer has the whole ledger of a user. */
const batchBytes = 4_194_304;

export async function importExport(
  deps: ImportDeps,
  app: App,
  { service, format, file, dryRun }: Source,
  report: { add(...lines: ReportLine[]): void; progress: Progress },
): Promise<Counts> {
  const counts: Counts = { records: 0, imported: 0, there: 0, refused: new Map(), leftOut: new Map() };
  const origin = { appId: app.id, service, now: deps.clock.now() };
  const seen = new Set<number>();
  // The audit entry is written at the start, so that a run that is killed has one too.
  if (!dryRun) {
    await change(deps, byCommandLine(app.id), (_tx, record) =>
      record.audit({ action: 'users.imported', target: `app:${app.id}`, details: { service: format.name } }),
    );
  }

  async function settle(batch: ExportRecord[], end: number): Promise<void> {
    const fitted = batch.map(({ number, fields, problem }) => {
      const user = fields && format.read(fields, origin.now);
      const fit = user ? fitUser(user, origin) : problem;
      return { number, id: user?.id ?? null, fit };
    });
    const users = fitted.flatMap(({ fit }) => (typeof fit === 'string' ? [] : [fit]));
    const verdicts = dryRun ? await tryBatch(deps, app, users, seen) : await importBatch(deps, app, users);
    const lines = fitted.map(({ number, id, fit }): ReportLine => {
      const verdict = typeof fit === 'string' ? fit : verdicts.get(fit);
      const line = { record: number, id };
      if (typeof fit === 'string' || (verdict !== 'imported' && verdict !== 'already imported')) {
        return { ...line, outcome: 'not imported', reason: String(verdict) };
      }
      return { ...line, uid: fit.uid, outcome: verdict, left_out: fit.leftOut };
    });
    for (const line of lines) count(counts, line);
    report.add(...lines);
    report.progress(counts, end);
  }

  let batch: ExportRecord[] = [];
  let settled = 0;
  for await (const record of recordsOf(file, format)) {
    batch.push(record);
    if (batch.length < batchRecords && record.end - settled < batchBytes) continue;
    await settle(batch, record.end);
    settled = record.end;
    batch = [];
  }
  await settle(batch, Number.POSITIVE_INFINITY);
  return counts;
}

function count(counts: Counts, line: ReportLine): void {
  counts.records += 1;
  if (line.outcome === 'not imported') {
    add(counts.refused, line.reason);
    return;
  }
  counts[line.outcome === 'imported' ? 'imported' : 'there'] += 1;
  for (const words of line.left_out) add(counts.leftOut, words);
}

function add(counts: Map<string, number>, words: string): void {
  counts.set(words, (counts.get(words) ?? 0) + 1);
}

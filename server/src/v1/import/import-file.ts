// Imports an export of v1 of any size. The file is read twice: first for its numeric ids, which are reserved (of rejected
// lines too, so that a corrected line gets its own), and then for the users, batch by batch.
import { limits } from '@foyer/contract';
import type { ImportDeps } from '../../admin-users/retry-import.js';
import { raiseLastV1Id } from '../../apps/store.js';
import { writeAuditEntry } from '../../audit/entry.js';
import type { StoreDeps } from '../../deps.js';
import { commandLine } from '../../model/actor.js';
import type { App } from '../../model/app.js';
import type { Verdict } from './conflict-rules.js';
import { type BatchLine, importBatch } from './import-batch.js';
import { type Line, problemOf, readLines } from './read-lines.js';
import { readExportLine, v1IdOf } from './v1-export.js';

export type Refusal = { line: number; id: number | null; reason: string };

/** About a user that was imported with corrected values. */
export type Note = { line: number; id: number; note: string };

export type ImportCounts = { lines: number; made: number; there: number; refused: number; noted: number };

export type Imported = ImportCounts & { nextV1Id: number };

type ExportFile = { open(): AsyncIterable<Uint8Array> };

/** Receives the progress of an import. `end` is how many bytes of the file are processed. */
export type Listener = {
  refused(refusal: Refusal): void;
  noted(note: Note): void;
  progress(pass: 'ids' | 'users', end: number, counts: ImportCounts): void;
};

/** A batch is written by one short transaction, and is the only part of the file in memory. */
const batchLines = 500;
const batchCharacters = 256 * 1024;

export async function importFile(
  deps: ImportDeps,
  app: App,
  file: ExportFile,
  listener: Listener,
): Promise<Imported> {
  const counts: ImportCounts = { lines: 0, made: 0, there: 0, refused: 0, noted: 0 };
  const { lines, highest } = await readIds(file, (end) => listener.progress('ids', end, counts));
  const lastV1Id = await begin(deps, app, lines, highest);

  function refuse(line: number, id: number | null, reason: string): void {
    counts.refused += 1;
    listener.refused({ line, id, reason });
  }

  function note({ number, user, notes }: BatchLine): void {
    if (notes.length === 0) return;
    counts.noted += 1;
    listener.noted({ line: number, id: user.id, note: notes.join('; ') });
  }

  let batch: BatchLine[] = [];
  let characters = 0;
  async function settle(): Promise<void> {
    const verdicts = batch.length > 0 ? await importBatch(deps, app, batch) : [];
    for (const [place, line] of batch.entries()) {
      const verdict = verdicts[place] as Verdict;
      if (verdict.as === 'refused') {
        refuse(line.number, line.user.id, verdict.reason);
        continue;
      }
      counts[verdict.as === 'new' ? 'made' : 'there'] += 1;
      // Users that exist already are noted, too: the report of the run that completes covers every line.
      note(line);
    }
    batch = [];
    characters = 0;
  }

  let end = 0;
  for await (const line of linesOf(file)) {
    end = line.end;
    if (isBlank(line)) continue;
    counts.lines += 1;
    const { number, text } = line;
    const read =
      text === null ? { id: null, reason: problemOf(line) } : readExportLine(text, deps.clock.now());
    if (read.user) {
      const { user, lineHash, notes } = read;
      batch.push({ number, user, lineHash, notes });
      characters += text?.length ?? 0;
    } else {
      refuse(number, read.id, read.reason);
    }
    if (batch.length < batchLines && characters < batchCharacters && counts.lines % batchLines !== 0)
      continue;
    await settle();
    listener.progress('users', end, counts);
  }
  await settle();
  listener.progress('users', end, counts);
  return { ...counts, nextV1Id: lastV1Id + 1 };
}

async function readIds(file: ExportFile, progress: (end: number) => void) {
  let lines = 0;
  let highest = 0;
  for await (const line of linesOf(file)) {
    if (isBlank(line)) continue;
    const { text, end } = line;
    lines += 1;
    highest = Math.max(highest, (text === null ? null : v1IdOf(text)) ?? 0);
    if (lines % batchLines === 0) progress(end);
  }
  return { lines, highest };
}

/** The audit entry is written at the start, so that a run that is killed has one too. */
function begin(deps: StoreDeps, app: App, lines: number, highest: number): Promise<number> {
  return deps.prisma.$transaction(async (tx) => {
    const lastV1Id = await raiseLastV1Id(tx, app.id, highest);
    await writeAuditEntry(tx, deps, {
      appId: app.id,
      actor: commandLine,
      action: 'users.imported_from_v1',
      target: `app:${app.id}`,
      details: { lines },
    });
    return lastV1Id;
  });
}

function linesOf(file: ExportFile): AsyncGenerator<Line> {
  return readLines(file.open(), limits.maxV1LineBytes);
}

/** Blank lines are skipped and not counted. */
function isBlank({ text }: Line): boolean {
  return text?.trim() === '';
}

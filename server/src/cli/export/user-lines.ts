// The lines of an export of users, in pieces. One page of users and one of ledger entries are in memory at a time, however many
// users an app has and however long a ledger is.
import type { StoreDeps } from '../../deps.js';
import { ledgerNames } from '../../loyalty/store.js';
import { exportedNames } from '../../model/user.js';
import { toWire } from '../../model/wire.js';
import { type ExportedEntry, type ExportedRow, listExportedEntries, listExportedUsers } from './store.js';

type Options = { appId: string; withHashes: boolean };

const pageUsers = 500;
const pageEntries = 2_000;
/** A piece is given away once it is as long, so that a long ledger needs no more memory than a short one. */
const pieceCharacters = 65_536;

/** `users` is how many lines are complete with the piece. */
export async function* userLines(
  deps: Pick<StoreDeps, 'query'>,
  options: Options,
): AsyncGenerator<{ text: string; users: number }> {
  let users = 0;
  let text = '';
  for (let after = ''; ; ) {
    const rows = await listExportedUsers(deps.query, options.appId, {
      ...{ after, maxRows: pageUsers },
      withHashes: options.withHashes,
    });
    const ledger = ledgerReader(deps, options.appId, rows);
    for (const row of rows) {
      text += `${beginningOf(row, options.withHashes)},"ledger":[`;
      let separator = '';
      for await (const entry of ledger.entriesOf(row)) {
        text += separator + JSON.stringify(toWire(entry, ledgerNames));
        separator = ',';
        if (text.length < pieceCharacters) continue;
        yield { text, users };
        text = '';
      }
      text += ']}\n';
      users += 1;
      if (text.length < pieceCharacters) continue;
      yield { text, users };
      text = '';
    }
    const last = rows.at(-1);
    if (rows.length < pageUsers || !last) break;
    after = last.uid;
  }
  if (text !== '') yield { text, users };
}

/** The line without its ledger and its last brace. */
function beginningOf(row: ExportedRow, withHashes: boolean): string {
  const { hasPassword, identities, passkeys, passwordHash, passwordFromV1 } = row;
  const line = {
    ...toWire(row, exportedNames),
    has_password: hasPassword,
    ...(withHashes && { password_hash: passwordHash, password_from_v1: passwordFromV1 }),
    identities,
    passkeys,
  };
  return JSON.stringify(line).slice(0, -1);
}

/** Reads the ledgers of a page of users, who are asked for in their order. */
function ledgerReader(deps: Pick<StoreDeps, 'query'>, appId: string, rows: ExportedRow[]) {
  const withEntries = rows.filter(({ ledgerSize }) => ledgerSize > 0).map(({ uid }) => uid);
  const lastUid = withEntries.at(-1);
  let page: ExportedEntry[] = [];
  let place = 0;
  let read = { uid: withEntries[0] ?? '', position: 0 };

  async function next(): Promise<ExportedEntry | undefined> {
    if (place === page.length && lastUid !== undefined) {
      page = await listExportedEntries(deps.query, appId, { ...read, lastUid, maxRows: pageEntries });
      place = 0;
      read = page.at(-1) ?? read;
    }
    return page[place];
  }

  return {
    /** Entries that were added after the row was read are left out: the points are the sum of the others. */
    async *entriesOf({ uid, ledgerSize }: ExportedRow): AsyncGenerator<ExportedEntry> {
      if (ledgerSize === 0) return;
      for (let entry = await next(); entry !== undefined && entry.uid <= uid; entry = await next()) {
        place += 1;
        // Entries of a deleted account may be left between those of others.
        if (entry.uid === uid && entry.position <= ledgerSize) yield entry;
      }
    },
  };
}

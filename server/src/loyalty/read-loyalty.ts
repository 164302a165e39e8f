// The loyalty status and the ledger of a user, serialized as in the contract.
import type { ErrorCode, LedgerEntry, LoyaltyEntry, LoyaltyStatus } from '@foyer/contract';
import * as z from 'zod';
import type { UserIds } from '../accounts/account.js';
import type { Deps } from '../deps.js';
import { ApiError } from '../lib/api-error.js';
import { decodeCursor } from '../lib/cursor.js';
import { type Page, type PageInput, pageOf } from '../lib/page.js';
import type { App } from '../model/app.js';
import { toWire } from '../model/wire.js';
import { loyaltyStatus } from './loyalty-rules.js';
import { type EntryRow, findBalance, ledgerNames, listEntryRows, type NewEntry } from './store.js';

const Position = z.string().regex(/^[1-9]\d{0,8}$/);

/** `unknown` is the refusal for a user who is not there. */
export async function readStatus(
  deps: Pick<Deps, 'query'>,
  app: Pick<App, 'id' | 'settings'>,
  uid: string,
  unknown: ErrorCode,
): Promise<LoyaltyStatus> {
  const balance = await findBalance(deps.query, { appId: app.id, uid });
  if (!balance) throw new ApiError(unknown);
  return loyaltyStatus(app.settings.tiers, balance);
}

export async function readHistory(
  deps: Pick<Deps, 'prisma'>,
  ids: UserIds,
  page: PageInput,
): Promise<Page<LoyaltyEntry>> {
  return pageOf(await entriesOf(deps, ids, page), page.limit, keysOf, serializeEntry);
}

export async function listEntries(
  deps: Pick<Deps, 'prisma' | 'query'>,
  ids: UserIds,
  page: PageInput,
): Promise<Page<LedgerEntry>> {
  if (!(await findBalance(deps.query, ids))) throw new ApiError('auth/user-not-found');
  const rows = await entriesOf(deps, ids, page);
  return pageOf(rows, page.limit, keysOf, serializeLedgerEntry);
}

export function serializeLedgerEntry(entry: NewEntry): LedgerEntry {
  return toWire(entry, ledgerNames);
}

function serializeEntry(entry: NewEntry): LoyaltyEntry {
  return toWire(entry, ['id', 'points', 'description', 'createdAt']);
}

function keysOf({ position }: EntryRow): string[] {
  return [String(position)];
}

/** One more than the page size. */
function entriesOf(
  deps: Pick<Deps, 'prisma'>,
  ids: UserIds,
  { limit, cursor }: PageInput,
): Promise<EntryRow[]> {
  const [before] = cursor === undefined ? [] : decodeCursor(cursor, Position);
  return listEntryRows(deps.prisma, ids, before === undefined ? before : Number(before), limit + 1);
}

// Adds an entry to the ledger of a user: once per reference, and only if the balance stays within its bounds.
import type { LedgerEntry, LoyaltyStatus } from '@foyer/contract';
import { type Query, queryIn, type Tx } from '@foyer/prisma';
import { lockUser } from '../accounts/account.js';
import { transaction } from '../change.js';
import type { Deps } from '../deps.js';
import type { StoreResponse } from '../idempotency/stored-response.js';
import { ApiError } from '../lib/api-error.js';
import type { Actor } from '../model/actor.js';
import type { App } from '../model/app.js';
import { entryVerdict, loyaltyStatus } from './loyalty-rules.js';
import { serializeLedgerEntry } from './read-loyalty.js';
import { type Balance, findBalance, findEntryByReference, insertEntry, type NewEntry } from './store.js';

type Earning = { app: Pick<App, 'id' | 'settings'>; actor: Actor };
export type EntryInput = { points: number; description: string; reference: string | null };
/** `made` is false if the reference has an entry already, which is then returned. */
export type AddedEntry = { made: boolean; entry: LedgerEntry; loyalty: LoyaltyStatus };

/**
 * With `keep` the entry and the response to its idempotency key are written together, so that a crash doubles no
 * points.
 */
export async function addEntry(
  deps: Pick<Deps, 'prisma' | 'query' | 'clock' | 'random'>,
  { app, actor }: Earning,
  { uid, ...input }: EntryInput & { uid: string },
  keep?: StoreResponse<AddedEntry>,
): Promise<AddedEntry> {
  const ids = { appId: app.id, uid };
  const insert = async (query: Query): Promise<AddedEntry | null> => {
    const now = deps.clock.now();
    const entry = { ...input, id: deps.random.ulid(now), createdAt: now };
    const records = {
      eventId: deps.random.ulid(now),
      audit: { id: deps.random.ulid(now), actor: actor.name, ip: actor.ip },
    };
    const balance = await insertEntry(query, ids, entry, records);
    return balance && { made: true, ...shown(app, entry, balance) };
  };
  const insertIn = async (tx: Tx): Promise<AddedEntry | null> => {
    const made = await insert(queryIn(tx));
    if (made) await keep?.(tx, made);
    return made;
  };
  const added = await (keep ? transaction(deps, insertIn) : insert(deps.query));
  if (added) return added;
  const repeated = await repeatedEntry(deps, app, ids, input);
  if (repeated) return { made: false, ...repeated };
  // The balance changed between the two statements and allows the entry now. Other calls could change it again and again: from
  // here on they wait for the lock.
  return transaction(deps, async (tx) => {
    const query = queryIn(tx);
    await lockUser(tx, ids);
    const made = await insertIn(tx);
    if (made) return made;
    const first = await repeatedEntry({ prisma: tx, query }, app, ids, input);
    if (!first) throw new Error('an entry that the balance allows was not written');
    return { made: false, ...first };
  });
}

/**
 * Why nothing was written: returns the entry of the reference, throws an error, or returns null if a retry would
 * succeed.
 */
async function repeatedEntry(
  deps: { prisma: Tx; query: Query },
  app: Pick<App, 'settings'>,
  ids: { appId: string; uid: string },
  { points, reference }: EntryInput,
) {
  const balance = await findBalance(deps.query, ids);
  if (!balance) throw new ApiError('auth/user-not-found');
  const first = reference === null ? null : await findEntryByReference(deps.prisma, ids, reference);
  switch (entryVerdict(balance.points, points, first)) {
    case 'repeated':
      return first && shown(app, first, balance);
    case 'conflict':
      throw new ApiError('loyalty/reference-conflict');
    case 'below zero':
      throw new ApiError('loyalty/insufficient-points');
    case 'too high':
      throw new ApiError('loyalty/balance-too-high');
    case 'allowed':
      return null;
  }
}

function shown(app: Pick<App, 'settings'>, entry: NewEntry, balance: Balance) {
  return { entry: serializeLedgerEntry(entry), loyalty: loyaltyStatus(app.settings.tiers, balance) };
}

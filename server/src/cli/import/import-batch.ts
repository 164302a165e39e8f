// Imports a batch of users in one transaction.
import { createHash } from 'node:crypto';
import { type Db, queryIn, type Tx } from '@foyer/prisma';
import { insertUsers, type NewUser } from '../../accounts/write-user.js';
import { type ImportDeps, retryImport } from '../../admin-users/retry-import.js';
import { findImported, lockImports } from '../../admin-users/store.js';
import { transaction } from '../../change.js';
import type { StoreDeps } from '../../deps.js';
import { insertIdentities } from '../../identities/store.js';
import type { ImportedEntry } from '../../loyalty/many-entries.js';
import { insertImportedEntries } from '../../loyalty/store.js';
import type { App } from '../../model/app.js';
import { endPurge } from '../../profile/purge-accounts.js';
import { listPurgesOf } from '../../profile/store.js';
import { memberIdTries, newMemberId } from '../../sign-up/create-user.js';
import type { FittedUser } from './fit-user.js';

const linkedAlready = 'identity that is linked already';
const takenMemberId = 'member id that another user has';

export type Verdict =
  | 'imported'
  | 'already imported'
  | 'the email belongs to another account'
  | 'the account with this uid was deleted, and its data is still being purged';

export type Verdicts = Map<FittedUser, Verdict>;

/** One verdict for each user. What is left out of a user for another user's sake is added to its `leftOut`. */
export function importBatch(deps: ImportDeps, app: App, users: FittedUser[]): Promise<Verdicts> {
  return retryImport(
    deps,
    () => false,
    () => transaction(deps, (tx) => importOnce(tx, deps, app, users)),
  );
}

/** Says what an import would do, and changes nothing. `seen` has what earlier batches of the same file would have imported. */
export async function tryBatch(
  deps: StoreDeps,
  app: App,
  users: FittedUser[],
  seen: Set<number>,
): Promise<Verdicts> {
  const found = await findAccounts(deps.prisma, app, users);
  return new Map(
    users.map((user) => {
      if (seen.has(keyOf(user.uid))) found.uids.add(user.uid);
      if (seen.has(keyOf(user.email))) found.emails.add(user.email);
      const verdict = judge(user, found);
      if (verdict === 'imported') seen.add(keyOf(user.uid)).add(keyOf(user.email));
      return [user, verdict];
    }),
  );
}

async function importOnce(tx: Tx, deps: StoreDeps, app: App, users: FittedUser[]): Promise<Verdicts> {
  await lockImports(tx, app.id);
  const verdicts: Verdicts = new Map();
  let open = users;
  for (let tries = 0; open.length > 0; tries += 1) {
    if (tries === memberIdTries) throw new Error('no free member ids were drawn');
    const found = await findAccounts(tx, app, open);
    for (const user of open) verdicts.set(user, judge(user, found));
    const rows = open.filter((user) => verdicts.get(user) === 'imported');
    for (const { uid } of rows) if (found.deleted.has(uid)) await endPurge(tx, { appId: app.id, uid });
    const inserted = await insertUsers(
      queryIn(tx),
      app.id,
      rows.map((user) => rowOf(deps, user, tries > 0)),
    );
    // What another call took meanwhile is refused in the next round, and a member id that was taken is drawn again.
    open = rows.filter(({ email }) => !inserted.has(email));
  }
  const imported = users.filter((user) => verdicts.get(user) === 'imported');
  await insertImportedEntries(tx, app.id, imported.flatMap(entriesOf));
  await linkIdentities(tx, app, imported);
  return verdicts;
}

type Found = Awaited<ReturnType<typeof findAccounts>>;

/** What stands in the way of an import; of `deleted` accounts with the same uids, only the events of the deletion are left. */
async function findAccounts(db: Db, app: App, users: FittedUser[]) {
  const imported = await findImported(db, app.id, users);
  // Last: an account that is deleted meanwhile is found as one or the other.
  const purges = await listPurgesOf(
    db,
    app.id,
    users.map(({ uid }) => uid),
  );
  const uidsOf = (isLeft: boolean) =>
    new Set(purges.filter(({ rowsLeft }) => rowsLeft === isLeft).map(({ uid }) => uid));
  return { ...imported, purging: uidsOf(true), deleted: uidsOf(false) };
}

/** The second of two users with one email is judged as if the first existed already. */
function judge({ uid, email }: FittedUser, found: Found): Verdict {
  if (found.uids.has(uid)) return 'already imported';
  if (found.emails.has(email)) return 'the email belongs to another account';
  if (found.purging.has(uid))
    return 'the account with this uid was deleted, and its data is still being purged';
  found.uids.add(uid);
  found.emails.add(email);
  return 'imported';
}

/** No `user.created` is written: a hundred thousand deliveries would contain nothing new for a backend with these users. */
function rowOf(deps: StoreDeps, user: FittedUser, isTakenId: boolean): NewUser {
  const { uid, email, emailVerified, firstName, lastName, photoUrl, disabled, claims, own } = user;
  if (own && isTakenId) leaveOutOnce(user, takenMemberId);
  return {
    ...{ uid, email, emailVerified, firstName, lastName, photoUrl, disabled, claims },
    emailProven: own?.emailProven ?? emailVerified,
    memberId: own && !isTakenId ? own.memberId : newMemberId(deps),
    ...(own && {
      ...{ language: own.language, passwordHash: own.passwordHash, passwordFromV1: own.passwordFromV1 },
      ...{ points: own.points, ledgerSize: own.ledger.length },
    }),
    createdAt: user.createdAt,
    lastSignInAt: user.lastSignInAt,
    updatedAt: deps.clock.now(),
  };
}

function entriesOf({ uid, own }: FittedUser): ImportedEntry[] {
  return (own?.ledger ?? []).map(({ id, points, description, reference, createdAt }, place) => ({
    ...{ user_id: uid, id, position: place + 1, points, description, reference },
    created_at: createdAt.toISOString(),
  }));
}

async function linkIdentities(tx: Tx, app: App, users: FittedUser[]): Promise<void> {
  const linked = users.flatMap((user) =>
    user.identities.map(({ provider, subject, email, linkedAt }) => ({
      user,
      row: {
        ...{ provider, subject, email, uid: user.uid },
        linkedAt: linkedAt ?? user.createdAt,
        userCreatedAt: user.createdAt,
      },
    })),
  );
  const inserted = await insertIdentities(
    tx,
    app.id,
    linked.map(({ row }) => row),
  );
  for (const { user, row } of linked) {
    const isInserted = inserted.has(`${row.provider} ${row.subject} ${row.uid}`);
    if (!isInserted) leaveOutOnce(user, linkedAlready);
  }
}

/** A batch that is tried again says it once. */
function leaveOutOnce(user: FittedUser, words: string): void {
  if (!user.leftOut.includes(words)) user.leftOut.push(words);
}

/** Six bytes tell a million texts apart, and take less memory than they do. */
function keyOf(text: string): number {
  return createHash('sha256').update(text).digest().readUIntBE(0, 6);
}

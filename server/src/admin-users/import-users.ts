// POST /admin/users/import: many users at once. A user that cannot be created fails by itself; the others are inserted together.
import { errorMap, ImportUser } from '@foyer/contract';
import { queryIn, type Tx } from '@foyer/prisma';
import type { z } from 'zod';
import { emailInUse, memberIdInUse } from '../accounts/account.js';
import { insertUsers } from '../accounts/write-user.js';
import { change } from '../change.js';
import type { Deps } from '../deps.js';
import type { StoreResponse } from '../idempotency/stored-response.js';
import { ApiError } from '../lib/api-error.js';
import { mapInPieces } from '../lib/in-pieces.js';
import type { App } from '../model/app.js';
import type { Call } from '../model/call.js';
import { memberIdTries } from '../sign-up/create-user.js';
import { newUser } from './create-user.js';
import { passwordFieldsOf } from './import-rules.js';
import { requireFitClaims } from './set-claims.js';
import { findTaken, lockImports } from './store.js';

export type ImportReport = { created: number; failed: { index: number; refusal: ApiError }[] };

const noPoints = 'cannot be imported: add them as an entry of the ledger when the user is made';

type Row = { index: number; user: z.infer<typeof ImportUser> };

export async function importUsers(
  deps: Deps,
  call: Call,
  users: readonly unknown[],
  keep: StoreResponse<ImportReport>,
): Promise<ImportReport> {
  const { app } = call;
  requireNoPasswords(users);
  const refused: ImportReport['failed'] = [];
  const parsed = await mapInPieces(deps.elapsed, users, parseUser);
  const valid = parsed.flatMap((user, index): Row[] => {
    if (!(user instanceof ApiError)) return [{ index, user }];
    refused.push({ index, refusal: user });
    return [];
  });
  return change(deps, call, async (tx, record) => {
    await lockImports(tx, app.id);
    const failed = [...refused, ...(await insertRows(tx, deps, app, valid))];
    failed.sort((a, b) => a.index - b.index);
    const report = { created: users.length - failed.length, failed };
    const details = { created: report.created, failed: failed.length };
    await record.audit({ action: 'users.imported', target: `app:${app.id}`, details });
    await keep(tx, report);
    return report;
  });
}

function requireNoPasswords(users: readonly unknown[]): void {
  const fields = passwordFieldsOf(users).map((path) => [`users.${path}`, ['cannot be imported']]);
  if (fields.length > 0) {
    throw new ApiError('admin/password-import-not-supported', { fields: Object.fromEntries(fields) });
  }
}

function parseUser(user: unknown): z.infer<typeof ImportUser> | ApiError {
  if (typeof user === 'object' && user !== null && 'points' in user) {
    // An unknown key like any other, but this one gets a reason.
    return new ApiError('request/validation-failed', { fields: { points: [noPoints] } });
  }
  const parsed = ImportUser.safeParse(user, { error: errorMap });
  if (!parsed.success) {
    const fields = parsed.error.issues.map(({ path, message }) => [path.join('.') || 'user', [message]]);
    return new ApiError('request/validation-failed', { fields: Object.fromEntries(fields) });
  }
  try {
    requireFitClaims(parsed.data.claims ?? {});
    return parsed.data;
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}

/** Inserts the rows whose email and member id are free; returns an error for each other. */
async function insertRows(tx: Tx, deps: Deps, app: App, rows: Row[]): Promise<ImportReport['failed']> {
  const refused: ImportReport['failed'] = [];
  let open = rows;
  for (let tries = 0; open.length > 0; tries += 1) {
    if (tries === memberIdTries) throw new Error('no free member ids were drawn');
    const taken = await findTaken(tx, app.id, {
      emails: open.map(({ user }) => user.email),
      memberIds: open.flatMap(({ user }) => user.member_id ?? []),
    });
    const free = open.filter(({ index, user }) => {
      const email = taken.emails.has(user.email);
      const memberId = user.member_id !== undefined && taken.memberIds.has(user.member_id);
      if (email || memberId) {
        refused.push({ index, refusal: email ? emailInUse() : memberIdInUse() });
        return false;
      }
      // The second of two rows with the same email fails as if the first existed already.
      taken.emails.add(user.email);
      if (user.member_id !== undefined) taken.memberIds.add(user.member_id);
      return true;
    });
    const users = free.map(({ user }) => newUser(deps, user));
    const inserted = await insertUsers(queryIn(tx), app.id, users);
    // What another call took meanwhile is refused in the next round, and a random member id that was taken is drawn again.
    open = free.filter(({ user }) => !inserted.has(user.email));
  }
  return refused;
}

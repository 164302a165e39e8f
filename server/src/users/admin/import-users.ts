// POST /admin/users/import: many users at once. A user that cannot be made fails alone; the others are made together.
import { errorMap, ImportUser } from '@foyer/contract';
import type { Prisma } from '@foyer/prisma';
import type { z } from 'zod';
import { writeAuditEntry } from '../../audit/entry.js';
import type { Deps } from '../../deps.js';
import type { StoreResponse } from '../../idempotency/stored-response.js';
import { ApiError } from '../../lib/api-error.js';
import type { Actor } from '../../model/actor.js';
import type { App } from '../../model/app.js';
import { emailInUse } from '../email-in-use.js';
import { memberIdTries, newMemberId } from '../member-id.js';
import { memberIdTaken } from './create-user.js';
import { fitClaims } from './fit-claims.js';
import { passwordFieldsOf } from './import-rules.js';
import { findTaken, insertUsers, lockImports, type NewAdminUser } from './store.js';

export type ImportReport = { created: number; failed: { index: number; refusal: ApiError }[] };

const noPoints = 'cannot be imported: add them as an entry of the ledger when the user is made';

type Row = { index: number; user: z.infer<typeof ImportUser> };

export async function importUsers(
  deps: Deps,
  app: App,
  given: readonly unknown[],
  actor: Actor,
  keep: StoreResponse<ImportReport>,
): Promise<ImportReport> {
  requireNoPasswords(given);
  const refused = new Map<number, ApiError>();
  const good = given.flatMap((user, index): Row[] => {
    const row = judged(user);
    if (!(row instanceof ApiError)) return [{ index, user: row }];
    refused.set(index, row);
    return [];
  });
  return deps.prisma.$transaction(async (tx) => {
    await lockImports(tx, app.id);
    const failures = new Map([...refused, ...(await insertRows(tx, deps, app, good))]);
    const failed = [...failures]
      .map(([index, refusal]) => ({ index, refusal }))
      .sort((a, b) => a.index - b.index);
    const report = { created: given.length - failed.length, failed };
    await writeAuditEntry(tx, deps, {
      appId: app.id,
      actor,
      action: 'users.imported',
      target: `app:${app.id}`,
      details: { created: report.created, failed: failed.length },
    });
    await keep(tx, report);
    return report;
  });
}

function requireNoPasswords(given: readonly unknown[]): void {
  const fields = given.flatMap((user, index) =>
    passwordFieldsOf(user).map((name): [string, string[]] => [
      `users.${index}.${name}`,
      ['cannot be imported'],
    ]),
  );
  if (fields.length > 0) {
    throw new ApiError('admin/password-import-not-supported', { fields: Object.fromEntries(fields) });
  }
}

function judged(user: unknown): z.infer<typeof ImportUser> | ApiError {
  if (typeof user === 'object' && user !== null && 'points' in user) {
    // An unknown key like any other, but one that deserves a reason.
    return new ApiError('request/validation-failed', { fields: { points: [noPoints] } });
  }
  const parsed = ImportUser.safeParse(user, { error: errorMap });
  if (!parsed.success) {
    const fields = parsed.error.issues.map(({ path, message }) => [path.join('.') || 'user', [message]]);
    return new ApiError('request/validation-failed', { fields: Object.fromEntries(fields) });
  }
  try {
    fitClaims(parsed.data.claims ?? {});
    return parsed.data;
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}

/** Inserts what is free, and returns a refusal for each row that is not. */
async function insertRows(
  tx: Prisma.TransactionClient,
  deps: Deps,
  app: App,
  rows: Row[],
): Promise<Map<number, ApiError>> {
  const refused = new Map<number, ApiError>();
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
        refused.set(index, email ? emailInUse() : memberIdTaken());
        return false;
      }
      // The second of two rows with the same email fails as if the first had been there before.
      taken.emails.add(user.email);
      if (user.member_id !== undefined) taken.memberIds.add(user.member_id);
      return true;
    });
    const made = await insertUsers(
      tx,
      free.map(({ user }) => newUser(deps, app, user)),
    );
    // What another call took meanwhile is refused in the next round, and a random member id that was taken drawn again.
    open = free.filter(({ user }) => !made.has(user.email));
  }
  return refused;
}

function newUser(deps: Deps, app: App, user: z.infer<typeof ImportUser>): NewAdminUser {
  const now = deps.clock.now();
  return {
    appId: app.id,
    id: deps.random.ulid(now),
    eventId: deps.random.ulid(now),
    email: user.email,
    emailVerified: user.email_verified ?? false,
    firstName: user.first_name ?? null,
    lastName: user.last_name ?? null,
    photoUrl: user.photo_url ?? null,
    disabled: user.disabled ?? false,
    claims: user.claims ?? {},
    passwordHash: null,
    memberId: user.member_id ?? newMemberId(deps),
    now,
  };
}

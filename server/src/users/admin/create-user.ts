// POST /admin/users: creates a user without a sign-in.
import type { contract, ImportUser } from '@foyer/contract';
import { queryIn } from '@foyer/prisma';
import type { z } from 'zod';
import { writeAuditEntry } from '../../audit/entry.js';
import type { Deps } from '../../deps.js';
import type { StoreResponse } from '../../idempotency/stored-response.js';
import { addEntry } from '../../loyalty/add-entry.js';
import type { Actor } from '../../model/actor.js';
import type { App } from '../../model/app.js';
import { strongPassword } from '../../passwords/strong-password.js';
import { emailInUse, findAccountByEmail, memberIdInUse } from '../account.js';
import { memberIdTries, newMemberId } from '../create-user.js';
import { insertUsers, type NewUser } from '../write-user.js';
import type { AdminUserRow } from './admin-user.js';
import { requireFitClaims } from './set-claims.js';
import { findAdminUser } from './store.js';

const firstPoints = 'Initial balance';

export async function createUser(
  deps: Deps,
  app: App,
  input: z.infer<typeof contract.users.create.body>,
  actor: Actor,
  keep: StoreResponse<AdminUserRow>,
): Promise<AdminUserRow> {
  const { email, password, claims, points, member_id: wantedMemberId } = input;
  if (claims) requireFitClaims(claims);
  const passwordHash = password === undefined ? null : await hashPassword(deps, app, password);
  const created = await deps.prisma.$transaction(async (tx) => {
    const query = queryIn(tx);
    for (let tries = 0; tries < memberIdTries; tries += 1) {
      const user = { ...newUser(deps, input), passwordHash };
      const inserted = await insertUsers(query, app.id, [user]);
      if (inserted.size === 0) {
        if (await findAccountByEmail(query, app.id, email)) throw emailInUse();
        if (wantedMemberId !== undefined) throw memberIdInUse();
        // The random member id was taken: draw again.
        continue;
      }
      const target = `user:${user.id}`;
      await writeAuditEntry(tx, deps, { appId: app.id, actor, action: 'user.created', target, uid: user.id });
      if (points) {
        const entry = { points, description: firstPoints, reference: null };
        await addEntry({ ...deps, query }, app, user.id, entry, actor);
      }
      const row = (await findAdminUser(tx, app.id, user.id)) as AdminUserRow;
      await keep(tx, row);
      return row;
    }
    throw new Error('no free member id was drawn');
  });
  deps.dailyCounters.count(app.id, 'sign_ups');
  return created;
}

/** Hashes a password that the backend sets; `auth/weak-password`. */
export async function hashPassword(deps: Deps, app: App, password: string): Promise<string> {
  return deps.passwordHasher.hash(await strongPassword(app, password), { appId: app.id, backend: true });
}

/** The row of a user as the backend describes it, without a password. */
export function newUser(deps: Deps, user: z.infer<typeof ImportUser>): NewUser {
  const now = deps.clock.now();
  return {
    id: deps.random.ulid(now),
    eventId: deps.random.ulid(now),
    email: user.email,
    emailVerified: user.email_verified ?? false,
    emailProven: user.email_verified ?? false,
    firstName: user.first_name ?? null,
    lastName: user.last_name ?? null,
    photoUrl: user.photo_url ?? null,
    disabled: user.disabled ?? false,
    claims: user.claims ?? {},
    memberId: user.member_id ?? newMemberId(deps),
    createdAt: now,
    updatedAt: now,
  };
}

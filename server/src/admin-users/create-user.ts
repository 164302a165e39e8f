// POST /admin/users: creates a user without a sign-in.
import type { contract, ImportUser } from '@foyer/contract';
import { queryIn } from '@foyer/prisma';
import type { z } from 'zod';
import { emailInUse, findAccountByEmail, memberIdInUse } from '../accounts/account.js';
import { insertUsers, type NewUser } from '../accounts/write-user.js';
import { changeInTurn } from '../change.js';
import type { Deps } from '../deps.js';
import type { StoreResponse } from '../idempotency/stored-response.js';
import { addEntry } from '../loyalty/add-entry.js';
import type { App } from '../model/app.js';
import type { Call } from '../model/call.js';
import { profileNames } from '../model/user.js';
import { fromWire } from '../model/wire.js';
import { strongPassword } from '../passwords/strong-password.js';
import { memberIdTries, newMemberId } from '../sign-up/create-user.js';
import type { AdminUserRow } from './admin-user.js';
import { requireFitClaims } from './set-claims.js';
import { findAdminUser } from './store.js';

const firstPoints = 'Initial balance';

export async function createUser(
  deps: Deps,
  call: Call,
  input: z.infer<typeof contract.users.create.body>,
  keep: StoreResponse<AdminUserRow>,
): Promise<AdminUserRow> {
  const { app } = call;
  const { email, password, claims, points, member_id: wantedMemberId } = input;
  if (claims) requireFitClaims(claims);
  const passwordHash = password === undefined ? null : await hashPassword(deps, app, password);
  const created = await changeInTurn(deps, call, async (tx, record) => {
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
      await record.audit({ action: 'user.created', uid: user.uid });
      if (points) {
        const entry = { uid: user.uid, points, description: firstPoints, reference: null };
        await addEntry({ ...deps, query }, call, entry);
      }
      const row = (await findAdminUser(tx, app.id, user.uid)) as AdminUserRow;
      await keep(tx, row);
      return row;
    }
    throw new Error('no free member id was drawn');
  });
  deps.dailyCounters.count(app.id, 'sign_ups');
  deps.dailyCounters.count(app.id, 'sign_ups.backend');
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
    uid: deps.random.ulid(now),
    eventId: deps.random.ulid(now),
    email: user.email,
    emailVerified: user.email_verified ?? false,
    emailProven: user.email_verified ?? false,
    ...fromWire(user, profileNames),
    disabled: user.disabled ?? false,
    claims: user.claims ?? {},
    memberId: user.member_id ?? newMemberId(deps),
    createdAt: now,
    updatedAt: now,
  };
}

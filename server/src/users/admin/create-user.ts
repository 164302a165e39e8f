// POST /admin/users: creates a user without a sign-in.
import { queryIn } from '@foyer/prisma';
import { writeAuditEntry } from '../../audit/entry.js';
import type { Deps } from '../../deps.js';
import type { StoreResponse } from '../../idempotency/stored-response.js';
import { addEntry } from '../../loyalty/add-entry.js';
import type { Actor } from '../../model/actor.js';
import type { App } from '../../model/app.js';
import { strongPassword } from '../../passwords/strong-password.js';
import { findAccountByEmail } from '../account.js';
import { emailInUse, memberIdInUse } from '../already-in-use.js';
import { memberIdTries, newMemberId } from '../create-user.js';
import { insertUsers, type NewUser } from '../write-user.js';
import type { AdminUserRow } from './admin-user.js';
import { fitClaims } from './fit-claims.js';
import { findAdminUser } from './store.js';

export type UserInput = {
  email: string;
  password?: string | undefined;
  firstName?: string | null | undefined;
  lastName?: string | null | undefined;
  photoUrl?: string | null | undefined;
  emailVerified?: boolean | undefined;
  disabled?: boolean | undefined;
  claims?: Record<string, unknown> | undefined;
  memberId?: string | undefined;
  points?: number | undefined;
};

const firstPoints = 'Initial balance';

export async function createUser(
  deps: Deps,
  app: App,
  input: UserInput,
  actor: Actor,
  keep: StoreResponse<AdminUserRow>,
): Promise<AdminUserRow> {
  const claims = fitClaims(input.claims ?? {});
  const passwordHash =
    input.password === undefined
      ? null
      : await deps.passwordHasher.hash(await strongPassword(app, input.password), {
          appId: app.id,
          backend: true,
        });
  const now = deps.clock.now();
  const user: Omit<NewUser, 'memberId'> = {
    id: deps.random.ulid(now),
    eventId: deps.random.ulid(now),
    email: input.email,
    emailVerified: input.emailVerified ?? false,
    emailProven: input.emailVerified ?? false,
    firstName: input.firstName ?? null,
    lastName: input.lastName ?? null,
    photoUrl: input.photoUrl ?? null,
    disabled: input.disabled ?? false,
    claims,
    passwordHash,
    createdAt: now,
    updatedAt: now,
  };
  const created = await deps.prisma.$transaction(async (tx) => {
    const query = queryIn(tx);
    for (let tries = 0; tries < memberIdTries; tries += 1) {
      const memberId = input.memberId ?? newMemberId(deps);
      const inserted = await insertUsers(query, app.id, [{ ...user, memberId }]);
      if (inserted.size === 0) {
        if (await findAccountByEmail(query, app.id, user.email)) throw emailInUse();
        if (input.memberId !== undefined) throw memberIdInUse();
        // The random member id was taken: draw again.
        continue;
      }
      await writeAuditEntry(tx, deps, {
        appId: app.id,
        actor,
        action: 'user.created',
        target: `user:${user.id}`,
        uid: user.id,
      });
      if (input.points) {
        const entry = { points: input.points, description: firstPoints, reference: null };
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

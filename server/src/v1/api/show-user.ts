// A user as v1 shows it: with a numeric id, which is given when v1 first shows the user, with the loyalty status inside, and
// with the parameters of the app beside it.
import { type V1User, v1ConfigNames } from '@foyer/contract';
import type { Deps } from '../../deps.js';
import { ApiError } from '../../lib/api-error.js';
import { timestamp } from '../../lib/timestamp.js';
import { loyaltyStatus } from '../../loyalty/loyalty-rules.js';
import type { App } from '../../model/app.js';
import type { V1UserRow } from '../../model/v1-token.js';
import { currentConfig } from '../../remote-config/current-config.js';
import { findV1Id, giveV1Id } from './store.js';

type V1Parameters = Record<(typeof v1ConfigNames)[number], unknown>;

export async function showUser(deps: Deps, app: App, row: V1UserRow): Promise<V1User> {
  return {
    id: row.v1Id ?? (await numericId(deps, { appId: app.id, uid: row.uid })),
    email: row.email,
    // Apps of v1 were written when every account had both names: null would break them.
    first_name: row.firstName ?? '',
    last_name: row.lastName ?? '',
    photo_url: row.photoUrl,
    email_verified: row.emailVerified,
    ...loyaltyStatus(app.settings.tiers, row),
    created_at: timestamp(row.userCreatedAt),
  };
}

export async function showUserWithConfig(deps: Deps, app: App, row: V1UserRow) {
  const { values } = await currentConfig(deps, app);
  const parameters = v1ConfigNames.map((name) => [name, values[name] ?? null]);
  return { user: await showUser(deps, app, row), ...(Object.fromEntries(parameters) as V1Parameters) };
}

async function numericId(deps: Deps, ids: { appId: string; uid: string }): Promise<number> {
  const given = await giveV1Id(deps.prisma, ids, deps.clock.now());
  // Another call gave it a moment ago; or the account was deleted under this one.
  const id = given ?? (await findV1Id(deps.prisma, ids));
  if (id === null) throw new ApiError('auth/invalid-token');
  return id;
}

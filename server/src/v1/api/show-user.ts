// The user object of v1, with a numeric id, which is assigned on first use, the loyalty status and the app's parameters.
import { type V1User, v1ConfigNames } from '@foyer/contract';
import type { Deps } from '../../deps.js';
import { timestamp } from '../../lib/timestamp.js';
import { loyaltyStatus } from '../../loyalty/loyalty-rules.js';
import type { App } from '../../model/app.js';
import type { V1UserRow } from '../../model/v1-token.js';
import { currentConfig } from '../../remote-config/current-config.js';
import { requireV1Id } from '../../sign-up/v1-id.js';

type V1Parameters = Record<(typeof v1ConfigNames)[number], unknown>;

export async function showUser(deps: Deps, app: App, row: V1UserRow): Promise<V1User> {
  return {
    id: row.v1Id ?? (await requireV1Id(deps, { appId: app.id, uid: row.uid })),
    email: row.email,
    // Clients of v1 expect strings: null would break them.
    first_name: row.firstName ?? '',
    last_name: row.lastName ?? '',
    photo_url: row.photoUrl,
    email_verified: row.emailVerified,
    ...loyaltyStatus(app.settings.tiers, row),
    created_at: timestamp(row.createdAt),
  };
}

export async function showUserWithConfig(deps: Deps, app: App, row: V1UserRow) {
  const { values } = await currentConfig(deps, app);
  const parameters = v1ConfigNames.map((name) => [name, values[name] ?? null]);
  return { user: await showUser(deps, app, row), ...(Object.fromEntries(parameters) as V1Parameters) };
}

// GET /me/passkeys and /admin/users/{uid}/passkeys. A user has so few that pages are cut from the whole list.
import { type Passkey, Ulid } from '@foyer/contract';
import type { UserIds } from '../accounts/account.js';
import type { Deps } from '../deps.js';
import { decodeCursor } from '../lib/cursor.js';
import { type Page, type PageInput, pageOf } from '../lib/page.js';
import { timestamp } from '../lib/timestamp.js';
import { providerNameOf } from './authenticator-names.js';
import { listPasskeyRows, type PasskeyRow } from './store.js';

export async function listPasskeys(
  deps: Pick<Deps, 'prisma'>,
  { appId, uid }: UserIds,
  { limit, cursor }: PageInput,
): Promise<Page<Passkey>> {
  const [before] = cursor === undefined ? [null] : decodeCursor(cursor, Ulid);
  const all = await listPasskeyRows(deps.prisma, { appId, uid });
  const rest = all.filter(({ id }) => before === null || id < before);
  return pageOf(rest, limit, ({ id }) => [id], serializePasskey);
}

export function serializePasskey(passkey: PasskeyRow): Passkey {
  const { id, name, backedUp, aaguid, createdAt, lastUsedAt } = passkey;
  return {
    id,
    name,
    provider_name: providerNameOf(aaguid),
    backed_up: backedUp,
    created_at: timestamp(createdAt),
    last_used_at: lastUsedAt && timestamp(lastUsedAt),
  };
}

// GET /me/identities. There are at most as many as providers, so there is one page.
import type { Identity } from '@foyer/contract';
import type { Deps } from '../deps.js';
import { timestamp } from '../lib/timestamp.js';
import { type ListedIdentity, listIdentityRows } from './store.js';

export async function listIdentities(
  deps: Pick<Deps, 'prisma'>,
  ids: { appId: string; uid: string },
): Promise<{ items: Identity[]; next_cursor: null }> {
  const rows = await listIdentityRows(deps.prisma, ids);
  return { items: rows.map(serializeIdentity), next_cursor: null };
}

export function serializeIdentity(identity: ListedIdentity): Identity {
  const { provider, email, linkedAt } = identity;
  return { provider, email, linked_at: timestamp(linkedAt) };
}

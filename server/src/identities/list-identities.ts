// GET /me/identities. There are at most as many as providers, so pages are cut from the whole list.
import type { Identity } from '@foyer/contract';
import * as z from 'zod';
import type { Deps } from '../deps.js';
import { decodeCursor } from '../lib/cursor.js';
import { type Page, type PageInput, pageOf } from '../lib/page.js';
import { timestamp } from '../lib/timestamp.js';
import { type ListedIdentity, listIdentityRows } from './store.js';

export async function listIdentities(
  deps: Pick<Deps, 'prisma'>,
  ids: { appId: string; uid: string },
  { limit, cursor }: PageInput,
): Promise<Page<Identity>> {
  const [after] = cursor === undefined ? [''] : decodeCursor(cursor, z.string());
  const all = await listIdentityRows(deps.prisma, ids);
  const rest = all.filter(({ provider }) => provider > after);
  return pageOf(rest, limit, ({ provider }) => [provider], serializeIdentity);
}

export function serializeIdentity(identity: ListedIdentity): Identity {
  const { provider, email, linkedAt } = identity;
  return { provider, email, linked_at: timestamp(linkedAt) };
}

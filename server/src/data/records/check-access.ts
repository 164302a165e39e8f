// Checks the collection and its access mode before the body is read. The operation checks them again, under its lock.
import { CollectionName } from '@foyer/contract';
import type { Deps } from '../../deps.js';
import { ApiError } from '../../lib/api-error.js';
import { requireCollection } from '../collections/find-collection.js';
import type { Action } from './access-rules.js';
import { requireAccess } from './caller.js';

export async function checkAccess(
  deps: Pick<Deps, 'query'>,
  { appId, who }: { appId: string; who: 'anonymous' | 'user' },
  action: Action,
  collection: unknown,
): Promise<void> {
  const name = CollectionName.safeParse(collection);
  if (!name.success) {
    const fields = { collection: name.error.issues.map(({ message }) => message) };
    throw new ApiError('request/validation-failed', { fields });
  }
  requireAccess(await requireCollection(deps, appId, name.data), action, { who, user: null });
}

// Whether the service has an owner: without one, its pages say how to become the first.
import type { Deps } from '../deps.js';
import { countMembers } from './store.js';

/** Asks the database until there is one. The last owner cannot leave. */
export function ownerSeen({ prisma, apps }: Pick<Deps, 'prisma' | 'apps'>): () => Promise<boolean> {
  let isSeen = false;
  return async () => {
    isSeen ||= (await countMembers(prisma, (await apps.console()).id)) > 0;
    return isSeen;
  };
}

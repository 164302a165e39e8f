// The target devices of a message, by id, in bounded batches.
import type { Deps } from '../../deps.js';
import { decryptToken, type PushToken } from './encrypted-tokens.js';
import { findTargetRowsAmong, listTargetRows, type Target, type TargetRow } from './store.js';

export { countTargets, type PushProvider, type Target } from './store.js';

/** The token is null if no key of the service decrypts it. */
export type PushTarget = Omit<TargetRow, 'tokenHash' | 'encrypted'> & { token: PushToken | null };

type TargetDeps = Pick<Deps, 'prisma' | 'keyRing'>;

export async function listTargets(
  deps: TargetDeps,
  appId: string,
  target: Target,
  place: { after: string; until: Date; limit: number },
): Promise<PushTarget[]> {
  return (await listTargetRows(deps.prisma, appId, target, place)).map((row) => decrypted(deps, appId, row));
}

/** Those of `deviceIds` that are still targets of the message, by id. */
export async function findTargetsAmong(
  deps: TargetDeps,
  appId: string,
  target: Target,
  deviceIds: string[],
): Promise<Map<string, PushTarget>> {
  const rows = await findTargetRowsAmong(deps.prisma, appId, target, deviceIds);
  return new Map(rows.map((row) => [row.id, decrypted(deps, appId, row)]));
}

/** One unreadable token must not block the other devices. */
function decrypted({ keyRing }: TargetDeps, appId: string, row: TargetRow): PushTarget {
  const { tokenHash, encrypted, ...target } = row;
  try {
    return { ...target, token: decryptToken(keyRing, { ...target, appId, tokenHash }, encrypted) };
  } catch {
    return { ...target, token: null };
  }
}

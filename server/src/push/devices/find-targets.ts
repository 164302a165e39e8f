// The target devices of a message, by id, in bounded batches.
import type { Deps } from '../../deps.js';
import type { PushProvider, Target } from './columns.js';
import { decryptToken, type PushToken } from './encrypted-tokens.js';
import {
  countTargetRows,
  findTargetRowsAmong,
  listTargetRows,
  type TargetPlace,
  type TargetRow,
} from './store.js';

/** The token is null if no key of the service decrypts it. */
export type PushTarget = Omit<TargetRow, 'tokenHash' | 'encrypted'> & { token: PushToken | null };

type TargetDeps = Pick<Deps, 'prisma' | 'keyRing'>;

/** Limits the duration of each statement: some 30 milliseconds. */
const countedAtOnce = 20_000;

/** The providers of the target devices, with how many there are of each. */
export async function countTargets(
  { prisma }: Pick<Deps, 'prisma'>,
  appId: string,
  target: Target,
  until: Date,
): Promise<Map<PushProvider, number>> {
  const counts = new Map<PushProvider, number>();
  let place: TargetPlace | null = { after: '', until, limit: countedAtOnce };
  while (place) {
    let rows = 0;
    let after = '';
    for (const { provider, count, last } of await countTargetRows(prisma, appId, target, place)) {
      counts.set(provider, (counts.get(provider) ?? 0) + count);
      rows += count;
      if (last > after) after = last;
    }
    place = rows < countedAtOnce ? null : { ...place, after };
  }
  return counts;
}

export async function listTargets(
  deps: TargetDeps,
  appId: string,
  target: Target,
  place: TargetPlace,
): Promise<PushTarget[]> {
  return (await listTargetRows(deps.prisma, appId, target, place)).map((row) => decrypted(deps, appId, row));
}

/** Returns those of `deviceIds` that are still targets of the message, by id. */
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

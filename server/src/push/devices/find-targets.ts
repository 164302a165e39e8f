// The devices that a message is meant for, in order of their ids and a bounded number at a time.
import type { PrismaClient } from '@foyer/prisma';
import type { Deps } from '../../deps.js';
import { decryptToken, type PushToken } from './kept-tokens.js';
import {
  countTargetRows,
  listTargetRows,
  type PushProvider,
  type Target,
  type TargetRow,
  targetRowsAmong,
} from './store.js';

export type { PushProvider, Target };

export type PushTarget = {
  id: string;
  provider: PushProvider;
  environment: 'production' | 'sandbox';
  /** Null where no key of the service opens it. */
  token: PushToken | null;
  lastRegisteredAt: Date;
};

type TargetDeps = Pick<Deps, 'prisma' | 'keyRing'>;

/** Active devices by provider, of those there are until a time. */
export function countTargets(
  prisma: PrismaClient,
  appId: string,
  target: Target,
  until: Date,
): Promise<{ provider: PushProvider; count: number }[]> {
  return countTargetRows(prisma, appId, target, until);
}

export async function listTargets(
  deps: TargetDeps,
  appId: string,
  target: Target,
  place: { after: string; until: Date; most: number },
): Promise<PushTarget[]> {
  return (await listTargetRows(deps.prisma, appId, target, place)).map((row) => opened(deps, appId, row));
}

/** Those of these devices that the message is meant for still, by id. */
export async function targetsAmong(
  deps: TargetDeps,
  appId: string,
  target: Target,
  deviceIds: string[],
): Promise<Map<string, PushTarget>> {
  const rows = await targetRowsAmong(deps.prisma, appId, target, deviceIds);
  return new Map(rows.map((row) => [row.id, opened(deps, appId, row)]));
}

function opened({ keyRing }: TargetDeps, appId: string, row: TargetRow): PushTarget {
  const { id, provider, environment, tokenHash, encrypted, lastRegisteredAt } = row;
  return { id, provider, environment, token: readToken(), lastRegisteredAt };

  /** One that cannot be read holds back no other device. */
  function readToken(): PushToken | null {
    try {
      return decryptToken(keyRing, { appId, provider, tokenHash }, encrypted);
    } catch {
      return null;
    }
  }
}

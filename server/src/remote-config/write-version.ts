// Writes versions of an app's remote config, and deletes those beyond the last 300.
import { limits } from '@foyer/contract';
import type { Prisma } from '@foyer/prisma';
import { sha256 } from '../lib/crypto/digest.js';
import { firstParameters } from './config-rules.js';
import { deleteVersionsUpTo, insertVersion, type VersionRow } from './store.js';

const hashCharacters = 16;

export function versionRow(version: Omit<VersionRow, 'contentHash'>): VersionRow {
  return { ...version, contentHash: sha256(version.parameters).toString('hex').slice(0, hashCharacters) };
}

/** The caller holds the lock of the config. */
export async function writeVersion(
  tx: Prisma.TransactionClient,
  appId: string,
  row: VersionRow,
): Promise<void> {
  await insertVersion(tx, appId, row);
  await deleteVersionsUpTo(tx, appId, row.version - limits.configVersionsKept);
}

/** The first version of a new app. */
export async function writeFirstVersion(
  tx: Prisma.TransactionClient,
  appId: string,
  now: Date,
): Promise<void> {
  const parameters = JSON.stringify(firstParameters);
  const first = { version: 1, parameters, updatedBy: 'system', rolledBackTo: null, createdAt: now };
  await insertVersion(tx, appId, versionRow(first));
}

// Rows of versions of an app's remote config, and the first one.
import type { Tx } from '@foyer/prisma';
import { sha256 } from '../lib/crypto/digest.js';
import { firstParameters } from './config-rules.js';
import { type VersionRow, writeVersion } from './store.js';

const hashCharacters = 16;

export function versionRow(version: Omit<VersionRow, 'contentHash'>): VersionRow {
  return { ...version, contentHash: sha256(version.parameters).toString('hex').slice(0, hashCharacters) };
}

/** The first version of a new app. */
export async function writeFirstVersion(tx: Tx, appId: string, now: Date): Promise<void> {
  const parameters = JSON.stringify(firstParameters);
  const unchanged = { rolledBackTo: null, note: null, changedNames: [], changedCount: null };
  const first = { version: 1, parameters, updatedBy: 'system', ...unchanged, createdAt: now };
  await writeVersion(tx, appId, versionRow(first));
}

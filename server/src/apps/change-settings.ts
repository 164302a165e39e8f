// Changes the settings of an app and its secrets under the lock of its row.
import type { Tx } from '@foyer/prisma';
import type { Deps } from '../deps.js';
import type { App } from '../model/app.js';
import { writeAppSecret } from './app-secrets.js';
import { lockApp, updateAppRow } from './store.js';

export type SettingsChange = {
  stored: Pick<
    App,
    'accessTokenSeconds' | 'tokenAlgorithm' | 'allowedOrigins' | 'rateLimitFactors' | 'settings'
  >;
  /** The new secrets by their names; null removes one. */
  secrets: Map<string, string | null>;
};

/** `change` computes the new settings from the app as of the lock; its result is returned. */
export async function changeSettings<Change extends SettingsChange>(
  tx: Tx,
  deps: Pick<Deps, 'clock' | 'keyRing'>,
  appId: string,
  change: (app: App) => Change,
): Promise<Change> {
  const changed = change(await lockApp(tx, appId));
  await updateAppRow(tx, appId, { ...changed.stored, updatedAt: deps.clock.now() });
  for (const [name, secret] of changed.secrets) await writeAppSecret(tx, deps, { appId, name }, secret);
  return changed;
}

// GET and PATCH /admin/settings.
import { type AppSettings, type AppSettingsPatch, limits } from '@foyer/contract';
import type { Tx } from '@foyer/prisma';
import { newVapidKeys } from '../../engines/push-senders/index.js';
import { clientSecretName, webPushKey } from '../apps/app-secrets.js';
import { changeSettings, type SettingsChange } from '../apps/change-settings.js';
import { changesBetween } from '../audit/changes-rules.js';
import { type Changer, change } from '../change.js';
import type { Deps } from '../deps.js';
import { ApiError } from '../lib/api-error.js';
import { timestamp } from '../lib/timestamp.js';
import type { App } from '../model/app.js';
import { ensureSigningKeys } from '../tokens/rotate-signing-keys.js';
import { secretsIn, withReadKeys } from './app-keys.js';
import { rpIdFault } from './relying-party-domain.js';
import {
  changedSignInSettings,
  deprecatedAt,
  hasTooManyProviders,
  mergedSettings,
  providersWithoutSecret,
  purposesWithTooManyTexts,
} from './settings-rules.js';

export function serializeSettings(app: App): AppSettings {
  return {
    access_token_seconds: app.accessTokenSeconds,
    token_algorithm: app.tokenAlgorithm,
    allowed_origins: app.allowedOrigins,
    rate_limits: { sign_in: 1, codes: 1, refresh: 1, client: 1, backend: 1, ...app.rateLimitFactors },
    ...app.settings,
  };
}

function storedSettings(given: AppSettings): SettingsChange['stored'] {
  const { access_token_seconds, token_algorithm, allowed_origins, rate_limits, ...settings } = given;
  return {
    accessTokenSeconds: access_token_seconds,
    tokenAlgorithm: token_algorithm,
    allowedOrigins: allowed_origins,
    rateLimitFactors: Object.fromEntries(Object.entries(rate_limits).filter(([, factor]) => factor !== 1)),
    settings,
  };
}

export type SettingsDeps = Pick<Deps, 'prisma' | 'clock' | 'random' | 'keyRing'>;

type Hooks = {
  /** Throws if the settings, as of the lock, are not those that the caller has seen. */
  requireCurrent?(settings: AppSettings): void;
  /** Runs in the transaction if the patch changes settings of the scope `sign-in:manage`, with their names. */
  onSignInChange?(tx: Tx, app: App, changed: string[]): Promise<void>;
};

/** Merges the patch under a lock, so that concurrent changes of different settings both take effect. */
export async function updateSettings(
  deps: SettingsDeps,
  call: Changer,
  given: AppSettingsPatch,
  { requireCurrent, onSignInChange }: Hooks = {},
): Promise<AppSettings> {
  const { id: appId } = call.app;
  const patch = withReadKeys(given);
  await requireOwnRpId(patch);
  // Outside the transaction: generating an RSA key is slow, and a superfluous key is harmless.
  if (patch.token_algorithm) await ensureSigningKeys(deps, patch.token_algorithm);
  const secrets = secretsIn(patch);
  const givenSecrets = [...secrets.keys()];
  const vapidKeys = patch.push?.web_push?.subject ? newVapidKeys() : null;
  return change(deps, call, async (tx, record) => {
    const { app, before, merged } = await changeSettings(tx, deps, appId, (app) => {
      const before = serializeSettings(app);
      requireCurrent?.(before);
      const merged = mergedSettings(before, patch);
      requireFewTexts(before, merged);
      requireFewProviders(before, merged);
      for (const id of providersWithoutSecret(before, merged)) secrets.set(clientSecretName(id), null);
      merged.v1_deprecated_at = deprecatedAt(merged, merged.v1_sunset_at, timestamp(deps.clock.now()));
      // Browser subscriptions are bound to the first key pair, so it never changes.
      if (vapidKeys && merged.push.web_push.public_key === null) {
        merged.push.web_push.public_key = vapidKeys.publicKey;
        secrets.set(webPushKey, vapidKeys.privateKey);
      }
      return { app, before, merged, stored: storedSettings(merged), secrets };
    });
    const details = {
      changed: Object.keys(patch),
      changes: changesBetween(before, merged),
      ...(givenSecrets.length > 0 && { secrets: givenSecrets }),
    };
    await record.audit({ action: 'settings.updated', target: `app:${appId}`, details });
    const changed = changedSignInSettings(before, merged, patch);
    if (changed.length > 0) await onSignInChange?.(tx, app, changed);
    return merged;
  });
}

async function requireOwnRpId({ passkeys }: AppSettingsPatch): Promise<void> {
  const fault = passkeys ? await rpIdFault(passkeys.rp_id) : null;
  if (fault) throw new ApiError('request/validation-failed', { fields: { 'passkeys.rp_id': [fault] } });
}

function requireFewTexts(before: AppSettings, after: AppSettings): void {
  const purposes = purposesWithTooManyTexts(before, after);
  if (purposes.length === 0) return;
  const sentences = [`must have at most ${limits.languagesPerMail} languages`];
  const fields = purposes.map((purpose) => [`mail.texts.${purpose}`, sentences]);
  throw new ApiError('request/validation-failed', { fields: Object.fromEntries(fields) });
}

function requireFewProviders(before: AppSettings, after: AppSettings): void {
  if (!hasTooManyProviders(before, after)) return;
  const fields = { providers: [`must have at most ${limits.providersPerApp} providers`] };
  throw new ApiError('request/validation-failed', { fields });
}

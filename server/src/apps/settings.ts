// GET and PATCH /admin/settings.
import { type AppSettings, type AppSettingsPatch, limits, type RateLimitPolicy } from '@foyer/contract';
import { writeAuditEntry } from '../audit/entry.js';
import type { Deps } from '../deps.js';
import { ApiError } from '../lib/api-error.js';
import { newVapidKeys } from '../lib/push/vapid.js';
import type { RateLimitRule } from '../lib/rate-limit/limit-windows.js';
import { timestamp } from '../lib/timestamp.js';
import type { Actor } from '../model/actor.js';
import type { App } from '../model/app.js';
import type { CallingMember } from '../model/member.js';
import { signedInRecently } from '../model/recent-sign-in.js';
import { ensureSigningKeys } from '../tokens/rotate-signing-keys.js';
import {
  changesCredentials,
  deprecatedAt,
  mergedSettings,
  purposesWithTooManyTexts,
  secretsIn,
} from './settings-rules.js';
import { lockApp, updateAppRow, writeAppSecretRow } from './store.js';

export function serializeSettings(app: App): AppSettings {
  const rules = Object.entries(app.rateLimits) as [RateLimitPolicy, RateLimitRule][];
  return {
    access_token_seconds: app.accessTokenSeconds,
    token_algorithm: app.tokenAlgorithm,
    allowed_origins: app.allowedOrigins,
    rate_limits: Object.fromEntries(
      rules.map(([policy, rule]) => [policy, { limit: rule.limit, window_seconds: rule.windowSeconds }]),
    ),
    ...app.settings,
  };
}

export type SettingsDeps = Pick<Deps, 'prisma' | 'clock' | 'random' | 'keyRing'>;

/**
 * A team member needs a recent sign-in to change credentials, since the guard cannot know what the body changes. A secret key
 * needs none.
 */
export async function requireMayChange(
  deps: Pick<Deps, 'apps' | 'clock'>,
  patch: AppSettingsPatch,
  member: CallingMember | null,
): Promise<void> {
  if (!member || !changesCredentials(patch)) return;
  const signIn = { app: await deps.apps.console(), session: member.session };
  if (!signedInRecently(deps, signIn)) throw new ApiError('auth/requires-recent-login');
}

/** Merges the patch under a lock, so that concurrent changes of different settings both take effect. */
export async function updateSettings(
  deps: SettingsDeps,
  appId: string,
  patch: AppSettingsPatch,
  actor: Actor,
): Promise<AppSettings> {
  // Outside the transaction: generating an RSA key is slow, and a superfluous key is harmless.
  if (patch.token_algorithm) await ensureSigningKeys(deps, patch.token_algorithm);
  const now = deps.clock.now();
  const secrets = secretsIn(patch);
  const vapidKeys = patch.push?.web_push?.subject ? newVapidKeys() : null;
  return deps.prisma.$transaction(async (tx) => {
    const app = await lockApp(tx, appId);
    const settingsBefore = serializeSettings(app);
    const merged = mergedSettings(settingsBefore, patch);
    requireFewTexts(settingsBefore, merged);
    merged.v1_deprecated_at = deprecatedAt(merged, merged.v1_sunset_at, timestamp(now));
    // Browser subscriptions are bound to the first key pair, so it never changes.
    if (vapidKeys && merged.push.web_push.public_key === null) {
      merged.push.web_push.public_key = vapidKeys.publicKey;
      secrets.set(webPushKey, vapidKeys.privateKey);
    }
    const { access_token_seconds, token_algorithm, allowed_origins, rate_limits, ...settings } = merged;
    await updateAppRow(tx, appId, {
      accessTokenSeconds: access_token_seconds,
      tokenAlgorithm: token_algorithm,
      allowedOrigins: allowed_origins,
      rateLimits: Object.fromEntries(
        Object.entries(rate_limits).map(([policy, rule]) => [
          policy,
          { limit: rule.limit, windowSeconds: rule.window_seconds },
        ]),
      ),
      settings,
      updatedAt: now,
    });
    for (const [name, secret] of secrets) {
      const value =
        secret === null ? null : deps.keyRing.encrypt(Buffer.from(secret), appSecretContext(appId, name));
      await writeAppSecretRow(tx, appId, name, value, now);
    }
    // Names only: values may be secret.
    const details = { changed: Object.keys(patch) };
    await writeAuditEntry(tx, deps, {
      appId,
      actor,
      action: 'settings.updated',
      target: `app:${appId}`,
      details,
    });
    return merged;
  });
}

function requireFewTexts(before: AppSettings, after: AppSettings): void {
  const purposes = purposesWithTooManyTexts(before, after);
  if (purposes.length === 0) return;
  const sentences = [`must have at most ${limits.languagesPerMail} languages`];
  const fields = purposes.map((purpose) => [`mail.texts.${purpose}`, sentences]);
  throw new ApiError('request/validation-failed', { fields: Object.fromEntries(fields) });
}

export const webPushKey = 'push.web_push.private_key';

export function appSecretContext(appId: string, name: string): string {
  return `app-secret ${appId} ${name}`;
}

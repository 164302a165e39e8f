// An app as the other rooms see it: who it is and the settings that its calls are judged by.
import type { AppSettings, RateLimitPolicy } from '@foyer/contract';
import type { RateLimitRule } from '../lib/rate-limit/limit-windows.js';
export type TokenAlgorithm = 'ES256' | 'RS256';

/** The settings that have no column of their own. */
export type MoreSettings = Omit<
  AppSettings,
  'access_token_seconds' | 'token_algorithm' | 'allowed_origins' | 'rate_limits'
>;

export type App = {
  id: string;
  slug: string;
  name: string;
  appKey: string;
  enabled: boolean;
  accessTokenSeconds: number;
  tokenAlgorithm: TokenAlgorithm;
  /** Empty: any origin may call. */
  allowedOrigins: string[];
  rateLimits: Partial<Record<RateLimitPolicy, RateLimitRule>>;
  settings: MoreSettings;
};

/** The app key of an app whose deletion has begun: no client has it. */
export const deletedAppKeyPrefix = 'deleted_';

export function isBeingDeleted(app: App): boolean {
  return app.appKey.startsWith(deletedAppKeyPrefix);
}

/** The issuer of an app's access tokens; its discovery document stands below it. */
export function issuerOf(baseUrl: string, appId: string): string {
  return `${baseUrl}/api/v2/apps/${appId}`;
}

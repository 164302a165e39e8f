// An app with the settings that its requests are checked against.
import type { AppSettings, RateLimitFactors, RateLimitPolicy, RateLimitRule } from '@foyer/contract';
import { Prisma } from '@foyer/prisma';
export type TokenAlgorithm = 'ES256' | 'RS256';

/** Settings that are stored as JSON. */
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
  /** Empty: all origins are allowed. */
  allowedOrigins: string[];
  rateLimitFactors: Partial<RateLimitFactors>;
  /** The rules that the factors change. */
  rateLimits: Partial<Record<RateLimitPolicy, RateLimitRule>>;
  settings: MoreSettings;
};

/** The slug of the reserved app: its users are the team accounts, and its members own the service. */
export const consoleSlug = 'console';

export function isConsole(app: Pick<App, 'slug'>): boolean {
  return app.slug === consoleSlug;
}

/** Who needs a second factor. Team accounts may always have one, and their owner may require it. */
export function secondFactorRule(app: App): MoreSettings['second_factor'] {
  const rule = app.settings.second_factor;
  return isConsole(app) && rule === 'off' ? 'optional' : rule;
}

/** Replaces the app key when deletion begins, so that no client can use it. */
export const deletedAppKeyPrefix = 'deleted_';

export function isBeingDeleted(app: App): boolean {
  return app.appKey.startsWith(deletedAppKeyPrefix);
}

/** The issuer of an app's access tokens, and the base URL of its discovery document. */
export function issuerOf(baseUrl: string, appId: string): string {
  return `${baseUrl}/api/v2/apps/${appId}`;
}

/** The page of the service where the app's users manage their accounts; BASE_URL decides, never the `Host` of a request. */
export function accountPageUrl(baseUrl: string, { appKey }: Pick<App, 'appKey'>): string {
  return `${baseUrl}/account?app=${appKey}`;
}

/** Whether users may return from a provider to this URL, character by character. */
export function isRedirectUri(baseUrl: string, app: App, uri: string): boolean {
  return app.settings.redirect_uris.includes(uri) || uri === accountPageUrl(baseUrl, app);
}

/** The lock of an app's row; NO KEY, so that inserts of rows that reference the app do not wait. */
export function lockAppOf(appId: string): Prisma.Sql {
  return Prisma.sql`SELECT FROM apps WHERE id = ${appId} FOR NO KEY UPDATE`;
}

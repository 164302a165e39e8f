// An app as the other rooms see it: who it is and the settings that its calls are judged by.
import type { RateLimitPolicy } from '@foyer/contract';

export type RateLimitRule = { limit: number; windowSeconds: number };
export type TokenAlgorithm = 'ES256' | 'RS256';

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
};

/** The issuer of an app's access tokens; its discovery document stands below it. */
export function issuerOf(baseUrl: string, appId: string): string {
  return `${baseUrl}/api/v2/apps/${appId}`;
}

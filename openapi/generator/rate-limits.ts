// How calls are counted, for the readers of the document: the policies of an operation and their figures.
import { type EndpointRateLimit, limits, metadataOf, type RateLimitPolicy } from '@foyer/contract';
import type { Route } from './routes.js';

const policiesOf: Record<EndpointRateLimit, RateLimitPolicy[]> = {
  auth: ['auth-ip', 'auth-failures-email-ip', 'auth-failures-email'],
  refresh: ['refresh-session'],
  client: ['client'],
  none: [],
};

const counted: Record<RateLimitPolicy, string> = {
  'auth-ip': 'calls of the app from one IP address',
  'auth-failures-email-ip': 'failures for one email from one IP address',
  'auth-failures-email': 'failures for one email',
  'refresh-session': 'refreshes of one session',
  client: 'calls of one user, or from one IP address without a user',
};

/** For machines: the extension `x-rate-limit` of an operation. */
export function rateLimitExtension(route: Route) {
  return policiesOf[metadataOf(route).rateLimit].map((policy) => ({
    policy,
    limit: limits.rateLimits[policy].limit,
    window_seconds: limits.rateLimits[policy].windowSeconds,
    counts: counted[policy],
  }));
}

/** For people: one sentence, or nothing where calls are not counted. */
export function rateLimitSentence(route: Route): string {
  const parts = policiesOf[metadataOf(route).rateLimit].map(policySentence);
  return parts.length === 0 ? '' : `**Rate limit:** ${parts.join('; ')}.`;
}

/** Every policy as a table in Markdown. */
export function rateLimitTable(): string {
  const rows = Object.entries(limits.rateLimits).map(
    ([policy, { limit, windowSeconds }]) =>
      `| \`${policy}\` | ${counted[policy as RateLimitPolicy]} | ${limit} in ${duration(windowSeconds)} |`,
  );
  return ['| Policy | Counts | Limit |', '|---|---|---|', ...rows].join('\n');
}

function policySentence(policy: RateLimitPolicy): string {
  const { limit, windowSeconds } = limits.rateLimits[policy];
  return `${limit} in ${duration(windowSeconds)}, ${counted[policy]} (\`${policy}\`)`;
}

function duration(seconds: number): string {
  if (seconds === 60) return 'a minute';
  return seconds % 60 === 0 ? `${seconds / 60} minutes` : `${seconds} seconds`;
}

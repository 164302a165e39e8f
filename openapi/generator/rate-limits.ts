// How calls are counted, for the readers of the document: the policies of an operation and their figures.
import { type EndpointRateLimit, limits, metadataOf, type RateLimitPolicy } from '@foyer/contract';
import { bodyOf, keysOf, type Route } from './routes.js';

const policies: Record<EndpointRateLimit, RateLimitPolicy[]> = {
  auth: ['auth-ip'],
  exchange: ['exchange-ip'],
  'code-send': [
    'code-send-ip',
    'code-send-email-ip-pause',
    'code-send-email-ip',
    'code-send-email',
    'code-send-email-slow',
  ],
  refresh: ['refresh-session', 'client'],
  client: ['client'],
  upload: ['upload'],
  admin: ['admin'],
  'push-send': ['push-send'],
  none: [],
};

function policiesOf(route: Route): RateLimitPolicy[] {
  const { auth, rateLimit } = metadataOf(route);
  const more: RateLimitPolicy[] = auth.endsWith('-or-admin') ? ['admin'] : [];
  return [...policies[rateLimit], ...(rateLimit === 'auth' ? failurePoliciesOf(route) : []), ...more];
}

function failurePoliciesOf(route: Route): RateLimitPolicy[] {
  const { auth, readsHeaders } = metadataOf(route);
  const byDevice: RateLimitPolicy[] = readsHeaders?.includes('X-Device-Token')
    ? ['auth-failures-device']
    : [];
  // A signed-in user proves what is the user's own, so that failures are counted by user.
  if (auth === 'signed-in') return ['auth-failures-user', ...byDevice];
  return keysOf(bodyOf(route)).includes('code')
    ? ['code-failures-email-ip', 'code-failures-email', ...byDevice]
    : ['auth-failures-email-ip', 'auth-failures-email', ...byDevice];
}

const counted: Record<RateLimitPolicy, string> = {
  'auth-ip': 'calls of the app from one IP address',
  'auth-failures-email-ip': 'wrong passwords for one email from one IP address',
  'auth-failures-email': 'wrong passwords for one email',
  'code-failures-email-ip': 'wrong codes for one email from one IP address, sent without `X-Code-Flow`',
  'code-failures-email': 'wrong codes for one email, sent without `X-Code-Flow`',
  'auth-failures-device':
    'failures of one device that the account knows by its `X-Device-Token`, in place of those for the email or user',
  'auth-failures-user': 'failures of one signed-in user',
  'exchange-ip': 'calls of the app from one IP address',
  'code-send-email-ip-pause':
    'codes of one kind to one email, asked for from one IP address (over it nothing is mailed)',
  'code-send-email-ip':
    'codes of one kind to one email, asked for from one IP address (over it nothing is mailed)',
  'code-send-email-ip-day':
    'codes of one kind to one email, asked for from one IP address (over it `code-send-email-slow` counts them apart)',
  'code-send-email': 'codes of one kind to one email (over it `code-send-email-slow` holds)',
  'code-send-email-slow':
    'codes of one kind to one email, over `code-send-email` (over it nothing is mailed)',
  'notice-email': 'notices of changes to one address (further ones are dropped)',
  'code-send-ip': 'calls that mail a code, from one IP address',
  'invalid-credential-ip': 'calls whose app key, token or secret key opens nothing, from one IP address',
  'refresh-session': 'refreshes of one session',
  client: 'calls of one user, or from one IP address without a user',
  upload: 'uploads of one user',
  admin: 'calls with one secret key',
  'push-send': 'messages sent with one secret key',
};

/** For machines: the extension `x-rate-limit` of an operation. */
export function rateLimitExtension(route: Route) {
  return policiesOf(route).map((policy) => ({
    policy,
    limit: limits.rateLimits[policy].limit,
    window_seconds: limits.rateLimits[policy].windowSeconds,
    counts: counted[policy],
  }));
}

/** For people: one sentence, or nothing where calls are not counted. */
export function rateLimitSentence(route: Route): string {
  const parts = policiesOf(route).map(policySentence);
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
  if (seconds === 3_600) return 'an hour';
  if (seconds === 86_400) return 'a day';
  return seconds % 60 === 0 ? `${seconds / 60} minutes` : `${seconds} seconds`;
}

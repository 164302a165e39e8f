// The rate limit policies of an operation and their limits, for the OpenAPI document.
import {
  type EndpointRateLimit,
  type ErrorCode,
  limits,
  metadataOf,
  type RateLimitPolicy,
} from '@foyer/contract';
import { bodyOf, keysOf, type Route } from './routes.js';

const policies: Record<EndpointRateLimit, RateLimitPolicy[]> = {
  auth: ['auth-ip'],
  exchange: ['exchange-ip'],
  'code-send': [
    'code-send-ip',
    'code-send-email-ip-pause',
    'code-send-email-ip',
    'code-send-email-ip-day',
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
  const { auth, rateLimit, alsoLimitedBy = [] } = metadataOf(route);
  const ofAdmin: RateLimitPolicy[] = auth.endsWith('-or-admin') ? ['admin'] : [];
  return [
    ...policies[rateLimit],
    ...(rateLimit === 'auth' ? failurePoliciesOf(route) : []),
    ...alsoLimitedBy,
    ...ofAdmin,
  ];
}

/** Sign-up, for example, verifies no password. */
const failures: ErrorCode[] = ['auth/invalid-credential', 'auth/invalid-code'];

function failurePoliciesOf(route: Route): RateLimitPolicy[] {
  const { auth, readsHeaders, errors } = metadataOf(route);
  if (!errors.some((code) => failures.includes(code))) return [];
  const byDevice: RateLimitPolicy[] = readsHeaders?.includes('X-Device-Token')
    ? ['auth-failures-device']
    : [];
  // A signed-in user verifies their own credentials, so failures are counted by user.
  if (auth === 'signed-in') {
    const ofCodes: RateLimitPolicy[] = keysOf(bodyOf(route)).includes('code')
      ? ['code-guesses-email-day']
      : [];
    return ['auth-failures-user', ...ofCodes, ...byDevice];
  }
  return keysOf(bodyOf(route)).includes('code')
    ? ['code-failures-email-ip', 'code-failures-email', 'code-guesses-email-day', ...byDevice]
    : ['auth-failures-email-ip', 'auth-failures-email', ...byDevice];
}

const withoutFlow = ', sent without `X-Code-Flow`';

const counted: Record<RateLimitPolicy, string> = {
  'auth-ip': 'calls of the app from one IP address',
  'auth-failures-email-ip': 'failed passwords for one email from one IP address',
  'auth-failures-email': 'failed passwords for one email',
  'code-failures-email-ip': `failed codes for one email from one IP address${withoutFlow}`,
  'code-failures-email': `failed codes for one email${withoutFlow}`,
  'code-guesses-email-day':
    'wrong codes of one kind for one email; those of a device, session or flow that is known to the account count ' +
    'for that client',
  'auth-failures-device':
    'failures on one device that is known to the account by its `X-Device-Token`, instead of those for the ' +
    'email or user',
  'auth-failures-user': 'failures of one signed-in user',
  'exchange-ip': 'calls of the app from one IP address',
  'code-send-email-ip-pause':
    'codes of one kind to one email, requested from one IP address (above the limit no code is emailed)',
  'code-send-email-ip':
    'codes of one kind to one email, requested from one IP address (above the limit no code is emailed)',
  'code-send-email-ip-day':
    'codes of one kind to one email, requested from one IP address (above the limit it takes part in a separate ' +
    'draw of `code-send-email-slow`)',
  'code-send-email': 'codes of one kind to one email (above the limit `code-send-email-slow` applies)',
  'code-send-email-slow':
    'codes of one kind to one email, above `code-send-email`, drawn from the IP addresses that requested one in the ' +
    'window before (the others are not emailed)',
  'notice-email':
    'notices of changes to one email (above the limit they are dropped), and test mails to one team member',
  'notice-app':
    'notices of changes that the backend and the team of one app make (above the limit the change is made and the ' +
    'notice is dropped)',
  'code-send-ip': 'calls that mail a code, from one IP address',
  'invalid-credential-ip': 'calls with an invalid app key, token or secret key, from one IP address',
  'refresh-session': 'refreshes of one session',
  client: 'calls of one user, or from one IP address without a user',
  'new-device':
    'push devices registered for the first time by one user, or from one IP address without a user',
  'new-device-day':
    'push devices registered for the first time from one IP address without a user; a token counts once per ' +
    `${limits.pushTokenUnitBytes} bytes`,
  'new-devices-app':
    'push devices of one app registered for the first time without a user (above the limit, an IP address may ' +
    `register ${limits.pushDevicesBeyondTotal} in a day)`,
  'new-topic':
    'topics that devices are subscribed to for the first time by one user, or from one IP address without a user',
  'profile-change':
    'calls of one user that change the profile or replace the recovery codes; those that send the present values of the ' +
    'profile are not counted',
  'record-kilobytes':
    'kilobytes of 1,024 bytes, begun or whole, of the records that one user writes; a merge counts the whole record',
  'file-megabytes': 'megabytes of 1,048,576 bytes, begun or whole, that one user uploads',
  upload: 'uploads of one user',
  admin: 'calls with one secret key, or of one team member',
  'push-send': 'messages sent with one secret key, or by one team member',
  'provider-check': 'checks of the identity providers of one app',
  invitation: 'invitations sent by one member, and those to the team of one app',
  'invitation-day': 'invitations sent by one member, and those to the team of one app',
};

/** What programs read: the extension `x-rate-limit` of an operation. */
export function rateLimitExtension(route: Route) {
  return policiesOf(route).map((policy) => ({
    policy,
    limit: limits.rateLimits[policy].limit,
    window_seconds: limits.rateLimits[policy].windowSeconds,
    counts: countedBy(route, policy),
  }));
}

/** What people read: one sentence, empty where no rate limit applies. */
export function rateLimitSentence(route: Route): string {
  const parts = policiesOf(route).map((policy) => policySentence(route, policy));
  return parts.length === 0 ? '' : `**Rate limit:** ${parts.join('; ')}.`;
}

/** All policies as a table in Markdown. */
export function rateLimitTable(): string {
  const rows = Object.entries(limits.rateLimits).map(
    ([policy, { limit, windowSeconds }]) =>
      `| \`${policy}\` | ${counted[policy as RateLimitPolicy]} | ${limit} in ${duration(windowSeconds)} |`,
  );
  return ['| Policy | Counts | Limit |', '|---|---|---|', ...rows].join('\n');
}

/** v1 has no `X-Code-Flow`: all of its failures are counted. */
function countedBy(route: Route, policy: RateLimitPolicy): string {
  const readsFlow = metadataOf(route).readsHeaders?.includes('X-Code-Flow');
  return readsFlow ? counted[policy] : counted[policy].replace(withoutFlow, '');
}

function policySentence(route: Route, policy: RateLimitPolicy): string {
  const { limit, windowSeconds } = limits.rateLimits[policy];
  return `${limit} in ${duration(windowSeconds)}, ${countedBy(route, policy)} (\`${policy}\`)`;
}

function duration(seconds: number): string {
  if (seconds === 60) return 'a minute';
  if (seconds === 3_600) return 'an hour';
  if (seconds === 86_400) return 'a day';
  return seconds % 60 === 0 ? `${seconds / 60} minutes` : `${seconds} seconds`;
}

// Sign-in with GitHub by redirect. GitHub is no OpenID provider: its API names the user of an access token, and the emails.
// https://docs.github.com/en/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps
import type { SsrfSafeResponse } from '../../engines/safe-fetch/index.js';
import type { Deps, RedirectServer } from '../deps.js';
import { isObject, jsonIn } from '../lib/json-rules.js';
import { emailOf, profileOf } from './id-token-rules.js';
import { subjectAt } from './provider.js';
import { CodeRejectedError } from './provider-call-failures.js';
import type { RedirectState } from './redirect-state.js';
import type { ReturnedAccount } from './verify-id-token.js';

const timeoutMilliseconds = 5_000;
/** A hundred emails take about 15 KiB. */
const maxAnswerBytes = 64 * 1_024;

/** The endpoints of GitHub, or of a GitHub Enterprise server; `iss` of its responses is that of RFC 9207. */
export function gitHubServer(issuer: string): RedirectServer {
  const oauth = `${withoutSlash(issuer)}/login/oauth`;
  return {
    issuer: oauth,
    authorization_endpoint: `${oauth}/authorize`,
    token_endpoint: `${oauth}/access_token`,
    token_endpoint_auth_methods_supported: ['client_secret_post'],
  };
}

/** Throws a CodeRejectedError for an answer that names no user, or when GitHub is not available. */
export async function accountAtGitHub(
  { ssrfSafeFetch }: Pick<Deps, 'ssrfSafeFetch'>,
  { provider, issuer, clientId }: RedirectState,
  accessToken: unknown,
): Promise<ReturnedAccount> {
  if (typeof accessToken !== 'string' || !/^[\x21-\x7e]{1,1024}$/.test(accessToken))
    throw new CodeRejectedError('the provider sent no access token');
  const headers = {
    Accept: 'application/vnd.github+json',
    Authorization: `Bearer ${accessToken}`,
    'X-GitHub-Api-Version': '2022-11-28',
  };
  const read = (path: string) =>
    ssrfSafeFetch.send(`${apiOf(issuer)}${path}`, {
      method: 'GET',
      headers,
      timeoutMilliseconds,
      maxAnswerBytes,
    });
  const [user, emails] = await Promise.all([read('/user'), read('/user/emails?per_page=100')]);
  const { id, name, avatar_url: picture } = userIn(user);
  // The login can be given up and taken by another user; the number cannot.
  if (!Number.isSafeInteger(id) || Number(id) <= 0)
    throw new CodeRejectedError('the API of the provider names no user');
  const email = primaryEmailIn(emails);
  return {
    provider,
    subject: subjectAt(issuer, String(id)),
    email,
    // Whether the provider is trusted is judged when the code is used.
    emailVerified: email !== null,
    createsUnverified: true,
    clientId,
    profile: profileOf({ name, picture }),
    refreshToken: null,
  };
}

function userIn(answer: SsrfSafeResponse): Record<string, unknown> {
  requireAvailable(answer);
  const user = jsonIn(answer.body.toString());
  if (answer.status === 200 && isObject(user)) return user;
  throw new CodeRejectedError(`the API of the provider answered ${answer.status} without a user`);
}

/** The verified primary email; null without one, or without the permission to read it, which the user has not given. */
function primaryEmailIn(answer: SsrfSafeResponse): string | null {
  requireAvailable(answer);
  if (answer.status === 403 || answer.status === 404) return null;
  const emails = jsonIn(answer.body.toString());
  if (answer.status !== 200 || !Array.isArray(emails))
    throw new CodeRejectedError(`the API of the provider answered ${answer.status} without emails`);
  const primary = emails.find(
    (each: unknown) => isObject(each) && each.primary === true && each.verified === true,
  );
  return emailOf({ email: primary?.email });
}

/** A rate limit is answered with 429, or with 403 and these headers. */
function requireAvailable({ status, headers }: SsrfSafeResponse): void {
  const isLimited = headers['x-ratelimit-remaining'] === '0' || headers['retry-after'] !== undefined;
  if (status >= 500 || status === 429 || (status === 403 && isLimited))
    throw new Error(`the API of the provider answered ${status}`);
}

/** Those of GitHub, of GitHub Enterprise Cloud with data residency, and of a GitHub Enterprise server. */
function apiOf(issuer: string): string {
  const { hostname } = new URL(issuer);
  if (hostname === 'github.com' || hostname.endsWith('.ghe.com')) return `https://api.${hostname}`;
  return `${withoutSlash(issuer)}/api/v3`;
}

function withoutSlash(issuer: string): string {
  return issuer.replace(/\/$/, '');
}

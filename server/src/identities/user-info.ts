// The claims of the UserInfo endpoint, for an ID token that names no email, or does not say that it is verified: beside an access
// token, a provider need not repeat in the ID token what was asked for by scopes (OpenID Connect Core 5.4), and many do not.
import { decodeJwt } from 'jose';
import type { Deps, RedirectServer } from '../deps.js';
import { isObject, jsonIn } from '../lib/json-rules.js';
import type { App } from '../model/app.js';
import { emailOf, type IdTokenClaims, isEmailVerified, profileOf } from './id-token-rules.js';
import { trustsEmailOf } from './provider.js';
import { findIdentityOwner } from './store.js';
import type { ReturnedAccount } from './verify-id-token.js';

const timeoutMilliseconds = 5_000;
const maxAnswerBytes = 64 * 1_024;

/** The account is that of the ID token, which is verified. Throws when the provider is not available. */
export async function withUserInfo(
  deps: Pick<Deps, 'ssrfSafeFetch' | 'prisma'>,
  { app, server, account }: { app: App; server: RedirectServer; account: ReturnedAccount },
  { idToken, accessToken }: { idToken: string; accessToken: unknown },
): Promise<ReturnedAccount> {
  const { userinfo_endpoint: url } = server;
  const isUsable = typeof accessToken === 'string' && /^[\x21-\x7e]{1,8192}$/.test(accessToken);
  if (!lacksEmail(app, account, idToken) || url === undefined || !isUsable) return account;
  // The email finds or creates an account: a user who is known by the subject needs none.
  if (await findIdentityOwner(deps.prisma, app.id, account)) return account;
  const claims = await readUserInfo(deps, url, accessToken);
  // Those of another user must not be used (section 5.3.2).
  const email = claims.sub === decodeJwt(idToken).sub ? emailOf(claims) : null;
  if (email === null) return account;
  const { provider, profile } = account;
  const named = profileOf(claims);
  return {
    ...account,
    email,
    emailVerified: trustsEmailOf(app, provider) && isEmailVerified(claims, provider),
    profile: {
      firstName: profile.firstName ?? named.firstName,
      lastName: profile.lastName ?? named.lastName,
      photoUrl: profile.photoUrl ?? named.photoUrl,
    },
  };
}

function lacksEmail(app: App, { provider, email }: ReturnedAccount, idToken: string): boolean {
  return email === null || (trustsEmailOf(app, provider) && decodeJwt(idToken).email_verified === undefined);
}

/** Empty if the provider refuses the access token, or answers something else. */
async function readUserInfo(
  { ssrfSafeFetch }: Pick<Deps, 'ssrfSafeFetch'>,
  url: string,
  accessToken: string,
): Promise<IdTokenClaims> {
  const headers = { Accept: 'application/json', Authorization: `Bearer ${accessToken}` };
  const request = { method: 'GET', headers, timeoutMilliseconds, maxAnswerBytes } as const;
  const { status, body } = await ssrfSafeFetch.send(url, request);
  if (status >= 500 || status === 429) throw new Error(`the UserInfo endpoint answered ${status}`);
  const claims = status === 200 ? jsonIn(new TextDecoder().decode(body)) : undefined;
  return isObject(claims) ? claims : {};
}

// The steps of a sign-in by redirect: the client begins, the user signs in at the provider and returns, the client finishes.
import { createHash, randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import type { CallOptions } from './harness.js';
import type { IdentityProvider, TokenOptions } from './identity-provider.js';
import { contoso, type ProviderAAnswer, type ProviderScenario } from './provider-scenario.js';

export const redirectUri = 'https://app.example.com/signed-in?from=contoso';

export const challengeOf = (verifier: string) => createHash('sha256').update(verifier).digest('base64url');

/** The reason in an entry of the audit log. */
export const reasonIn = (entry: { details: unknown } | undefined) =>
  (entry?.details as { reason?: string } | null | undefined)?.reason;

export type Begun = { url: string; verifier: string };

export function redirectScenario(providers: () => ProviderScenario) {
  const call = <Data = unknown>(method: string, path: string, options: CallOptions) =>
    providers().service.call<Data>(method, path, options);

  const authorize = (
    input: { redirect_uri?: string; code_challenge?: string },
    { provider = contoso, ...options }: CallOptions & { provider?: string } = {},
  ) =>
    call<{ url: string }>('POST', `/auth/providers/${provider}/authorize`, {
      body: { redirect_uri: redirectUri, code_challenge: challengeOf('v'.repeat(43)), ...input },
      ...options,
    });

  async function begin({
    uri = redirectUri,
    ...options
  }: CallOptions & { uri?: string; provider?: string } = {}) {
    const verifier = randomBytes(32).toString('base64url');
    const input = { redirect_uri: uri, code_challenge: challengeOf(verifier) };
    const answer = await authorize(input, options);
    expect([answer.status, answer.code]).toEqual([200, undefined]);
    return { url: answer.data.url, verifier };
  }

  /** The parameters with which the provider sends the user back. */
  function returned(
    { url }: Begun,
    token: TokenOptions = {},
    from: IdentityProvider = providers().c,
  ): Record<string, string> {
    const state = new URL(url).searchParams.get('state') ?? '';
    return { state, iss: from.issuer, code: from.grant(url, token) };
  }

  /** Where the service sends the user to. */
  async function goTo(parameters: Record<string, string>, provider = contoso) {
    return arrive(`/api/v2/auth/providers/${provider}/callback?${new URLSearchParams(parameters)}`);
  }

  /** The same by a form that the page of the provider sends. */
  async function post(
    parameters: Record<string, string> | string,
    provider = 'provider-b',
    type = 'application/x-www-form-urlencoded',
  ) {
    return arrive(`/api/v2/auth/providers/${provider}/callback`, {
      method: 'POST',
      headers: { 'Content-Type': type, Origin: 'https://appleid.apple.com' },
      body: typeof parameters === 'string' ? parameters : new URLSearchParams(parameters).toString(),
    });
  }

  async function arrive(path: string, init: RequestInit = {}) {
    const response = await fetch(`${providers().service.url}${path}`, { ...init, redirect: 'manual' });
    const text = await response.text();
    const location = response.headers.get('location');
    return {
      status: response.status,
      location,
      cacheControl: response.headers.get('cache-control'),
      parameters: new URLSearchParams(location?.split('?')[1]),
      error: text === '' ? undefined : JSON.parse(text).error.code,
    };
  }

  async function returnWith(begun: Begun, token: TokenOptions = {}): Promise<string> {
    const { status, parameters } = await goTo(returned(begun, token));
    expect([status, parameters.get('error')]).toEqual([303, null]);
    return parameters.get('code') ?? '';
  }

  const finish = (code: string, verifier: string, options: CallOptions = {}) =>
    call<ProviderAAnswer>('POST', '/auth/providers/finish', {
      body: { code, code_verifier: verifier },
      ...options,
    });

  return {
    authorize,
    begin,
    returned,
    goTo,
    post,
    returnWith,
    finish,
    enable: () => providers().set({ redirect_uris: [redirectUri] }),
    /** A code of a user who has returned, and the verifier of the client. */
    async proof(claims: Record<string, unknown> = {}) {
      const begun = await begin();
      return { code: await returnWith(begun, { claims }), code_verifier: begun.verifier };
    },
    async signIn(claims: Record<string, unknown>) {
      const begun = await begin();
      return finish(await returnWith(begun, { claims }), begun.verifier);
    },
  };
}

// The steps of a sign-in by redirect that a page and an app have in common.
import type { CallOptions, Client, ProviderASession } from '../api.js';
import { FoyerError } from '../errors.js';
import type { Identity, ProviderATokenAnswer, RedirectBegun } from '../generated/models.js';
import { send } from '../http/send.js';
import type { Provider } from '../models.js';
import { type Core, coreOf } from '../session/core.js';
import { uidOf } from '../session/restore.js';
import { signedOutError } from '../session/session.js';
import { createNonce, type NonceOptions } from './nonce.js';
import { signIn } from './sign-in.js';

export type RedirectPurpose = 'sign-in' | 'link' | 'reauthenticate';

/** What must be the same when the user is back. */
export interface Begun {
  provider: Provider;
  /** The code verifier (PKCE), without which nobody can use what comes back. */
  verifier: string;
  purpose: RedirectPurpose;
  /** Whose account it is for; undefined for a sign-in. */
  uid?: string | undefined;
}

/** The URL of the provider, and what is needed once the user is back. */
export async function beginRedirect(
  core: Core,
  { provider, purpose, redirectUri }: Pick<Begun, 'provider' | 'purpose'> & { redirectUri: string },
  { randomBytes, ...options }: CallOptions & NonceOptions,
): Promise<{ url: string; begun: Begun }> {
  const uid = purpose === 'sign-in' ? undefined : await uidOf(core);
  const { raw: verifier, sha256 } = await createNonce({ randomBytes });
  const body = { redirect_uri: redirectUri, code_challenge: base64urlOf(sha256) };
  const route = 'POST /auth/providers/:provider/authorize';
  const { url } = await send<RedirectBegun>(core, route, { params: { provider }, body }, options);
  return { url, begun: { provider, verifier, purpose, uid } };
}

export interface Returned {
  code: string | undefined;
  error: string | undefined;
}

/** What the service has added to the redirect URI; `URL` cannot read the one of an app on every platform. */
export function returnedIn(url: string): Returned {
  const parameter = (pattern: RegExp) => {
    const [, value] = pattern.exec(url) ?? [];
    return value && decodeURIComponent(value);
  };
  return {
    code: parameter(/[?&]code=(pc_[\w-]+)(?:[&#]|$)/),
    error: parameter(/[?&]error=([\w-]+(?:\/|%2F)[\w-]+)(?:[&#]|$)/),
  };
}

export async function finishRedirect(
  client: Client,
  { provider, verifier, purpose, uid }: Begun,
  { code, error }: Returned,
  options?: CallOptions,
): Promise<ProviderASession | { identity: Identity } | undefined> {
  if (!code)
    throw new FoyerError(error ?? 'auth/invalid-credential', 'The provider did not sign the user in.');
  const core = coreOf(client);
  // Another user may have signed in in another tab.
  if (purpose !== 'sign-in' && uid !== (await uidOf(core))) throw signedOutError();
  const proof = { code, code_verifier: verifier };
  if (purpose === 'link') return { identity: await client.me.linkIdentity(provider, proof, options) };
  if (purpose === 'reauthenticate') {
    await client.auth.reauthenticate({ provider: { id: provider, ...proof } }, options);
    return undefined;
  }
  const route = 'POST /auth/providers/finish';
  const { user, is_new_user } = await signIn<ProviderATokenAnswer>(core, route, proof, options);
  return { user, is_new_user };
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** The base64url, without padding, of a digest in hex: three digits are two characters, and the last one is one. */
function base64urlOf(hex: string): string {
  const pairs = hex.match(/.{1,3}/g)!.map((digits) => {
    const bits = Number.parseInt(digits.padEnd(3, '0'), 16);
    return alphabet[bits >> 6]! + alphabet[bits & 63]!;
  });
  return pairs.join('').slice(0, Math.ceil((hex.length * 4) / 6));
}

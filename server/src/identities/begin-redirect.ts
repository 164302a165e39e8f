// POST /auth/providers/{provider}/authorize: the URL of the provider where a user signs in. Nothing is stored.
import type { contract } from '@foyer/contract';
import type { z } from 'zod';
import type { Deps } from '../deps.js';
import { ApiError } from '../lib/api-error.js';
import { sha256 } from '../lib/crypto/digest.js';
import { type App, isRedirectUri } from '../model/app.js';
import { hashedNonce } from './proof.js';
import { redirectServerOf, requireRedirectProvider } from './redirect-provider.js';
import { sealState } from './redirect-state.js';

type BeginDeps = Pick<Deps, 'config' | 'keyRing' | 'clock' | 'random' | 'providers'>;

export async function beginRedirect(
  deps: BeginDeps,
  app: App,
  provider: string,
  input: z.infer<typeof contract.signIn.beginRedirect.body>,
): Promise<{ url: string }> {
  const { redirect_uri: redirectUri, code_challenge: challenge } = input;
  const target = requireRedirectProvider(deps, app, provider);
  // Character by character: a parser that sees the same page in another text may see another one elsewhere.
  if (!isRedirectUri(deps.config.baseUrl, app, redirectUri)) {
    const fields = { redirect_uri: ['must be one of the setting redirect_uris, character by character'] };
    throw new ApiError('request/validation-failed', { fields });
  }
  const { kind, issuer, scopes } = target;
  const clientId = target.clientIds[0] as string;
  const server = await redirectServerOf(deps, target);
  const verifier = deps.random.bytes(32).toString('base64url');
  const nonce = deps.random.bytes(16).toString('base64url');
  const flow = { provider, issuer, clientId, redirectUri, challenge, nonce, verifier };
  const url = new URL(server.authorization_endpoint);
  const parameters = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: callbackUrl(deps.config, provider),
    scope: scopes.join(' '),
    state: sealState(deps, { appId: app.id, ...flow }),
    ...(kind !== 'github' && { nonce: kind === 'provider-b' ? hashedNonce(nonce) : nonce }),
    // Provider B returns an email and names in this way only.
    ...(kind === 'provider-b' && { response_mode: 'form_post' }),
    code_challenge: sha256(verifier).toString('base64url'),
    code_challenge_method: 'S256',
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  // `+` is a space in forms only. Safari signs in with provider B itself, and takes `email+name` for one scope that it ignores.
  url.search = url.search.replaceAll('+', '%20');
  return { url: url.href };
}

/** What is registered at the provider. */
export function callbackUrl({ baseUrl }: Pick<Deps['config'], 'baseUrl'>, provider: string): string {
  return `${baseUrl}/api/v2/auth/providers/${provider}/callback`;
}

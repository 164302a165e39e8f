// `signInByIdToken(client, …)`: sign-in with an ID token of any provider.
import type { CallOptions, Client, ProviderASession } from '../api.js';
import type { ProviderATokenAnswer, ProviderSignIn } from '../generated/models.js';
import { send } from '../http/send.js';
import type { Provider } from '../models.js';
import type { callOptionalUser } from '../session/call.js';
import { coreOf } from '../session/core.js';
import { signIn } from './sign-in.js';

/**
 * Signs in with an ID token of a provider, by its id. Rejects with `auth/no-such-provider` if the app has no such provider, and
 * with `auth/account-exists-with-different-credential` if the email has an account that the provider may not sign in to: the user
 * signs in with another method, and links the provider with `me.linkIdentity`.
 *
 * @example
 * await signInByIdToken(client, 'contoso', { id_token, nonce: nonce.raw });
 */
export async function signInByIdToken(
  client: Client,
  provider: Provider,
  proof: ProviderSignIn,
  options?: CallOptions,
): Promise<ProviderASession> {
  const via: typeof callOptionalUser = (core, route, input, given) =>
    send(core, route, { params: { provider }, ...input } as typeof input, given);
  const route = 'POST /auth/providers/:provider';
  const { user, is_new_user } = await signIn<ProviderATokenAnswer>(
    coreOf(client),
    route,
    proof,
    options,
    via,
  );
  return { user, is_new_user };
}

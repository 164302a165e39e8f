// `signInMethods(client)`: how users sign in to the app, for a sign-in screen that follows the app's settings.
import type { Client, RepeatableCallOptions } from '../api.js';
import type { SignInMethods } from '../generated/models.js';
import { send } from '../http/send.js';
import { coreOf } from '../session/core.js';

/**
 * Returns how users sign in to the app: the enabled methods, the requirements of a new password and the identity providers.
 * Browsers cache it for a minute.
 *
 * @example
 * const { providers, passkeys } = await signInMethods(client);
 * const google = providers.find(({ id }) => id === 'provider-a');
 */
export function signInMethods(client: Client, options?: RepeatableCallOptions): Promise<SignInMethods> {
  return send<SignInMethods>(coreOf(client), 'GET /auth/methods', {}, options);
}

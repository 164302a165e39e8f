// Models composed of generated ones. Their fields have the names of the wire. Times are strings with microseconds.
import type { PasskeyAssertion, ProviderAProof, ProviderBProof, RedirectProof } from './generated/models.js';

/** The provider returns the names at the first sign-in only; pass them along then. */
export interface ProviderBSignIn extends ProviderBProof {
  /** The user's first name. */
  first_name?: string | null | undefined;
  /** The user's last name. */
  last_name?: string | null | undefined;
}

/** The id of an identity provider: a built-in one, or one of the app's settings. */
export type Provider = 'provider-a' | 'provider-b' | (string & {});

/** The credential types of the built-in providers. Other providers have that of provider A. */
export interface ProviderProofs {
  'provider-a': ProviderAProof;
  'provider-b': ProviderBProof;
}

/** What a user with a second factor sends along: a code of the authenticator app, or a recovery code. */
export interface SecondStep {
  /** The present code of the authenticator app. */
  totp?: string | undefined;
  /** A recovery code. */
  recovery_code?: string | undefined;
}

/**
 * A credential for reauthentication: the password, a code from `emailCode.send`, a linked provider's token or code, or a passkey
 * from `proof` of `passkeys`.
 */
export type SignInProof = (
  | { password: string }
  | { code: string }
  | { provider_a: ProviderAProof }
  | { provider_b: ProviderBProof }
  | { provider: { id: string } & (ProviderAProof | RedirectProof) }
  | { passkey: PasskeyAssertion }
) &
  SecondStep;

/** One page of a list. */
export interface Page<T> {
  /** The items of this page. */
  items: T[];
  /** Pass it as `cursor` to fetch the next page; `null` on the last page. */
  next_cursor: string | null;
}

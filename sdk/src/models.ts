// Models composed of generated ones. Fields of users, devices and lists keep their wire names; arguments with tokens or
// credentials are camelCase. Times are strings with microseconds.
import type { ProviderAProof, ProviderBProof } from './generated/models.js';

/** The provider returns the names at the first sign-in only; pass them along then. */
export interface ProviderBSignIn extends ProviderBProof {
  /** The user's first name. */
  first_name?: string | null | undefined;
  /** The user's last name. */
  last_name?: string | null | undefined;
}

/** The credential type of each provider. */
export interface ProviderProofs {
  'provider-a': ProviderAProof;
  'provider-b': ProviderBProof;
}

/** A credential for reauthentication: the password, a code from `emailCode.send`, or a linked provider's token. */
export type SignInProof =
  | { password: string }
  | { code: string }
  | { providerA: ProviderAProof }
  | { providerB: ProviderBProof };

/** One page of a list. */
export interface Page<T> {
  /** The items of this page. */
  items: T[];
  /** Pass it as `cursor` to fetch the next page; `null` on the last page. */
  next_cursor: string | null;
}

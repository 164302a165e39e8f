// Models that the SDK composes of generated ones. Fields of the user, the devices and the lists keep their names on the wire;
// arguments that only carry a token or a proof are named as in JavaScript. Times are strings with microseconds.
import type { ProviderAProof, ProviderBProof } from './generated/models.js';

/** The provider gives the names once, at the first sign-in: send them along then. */
export interface ProviderBSignIn extends ProviderBProof {
  first_name?: string | null | undefined;
  last_name?: string | null | undefined;
}

/** What proves an account at each provider. */
export interface ProviderProofs {
  'provider-a': ProviderAProof;
  'provider-b': ProviderBProof;
}

/** One proof that it is still the same user: the password, a code from `emailCode.send`, or a linked provider's token. */
export type SignInProof =
  | { password: string }
  | { code: string }
  | { providerA: ProviderAProof }
  | { providerB: ProviderBProof };

/** One page of a list. */
export interface Page<T> {
  items: T[];
  /** Pass it as `cursor` to read on; `null` on the last page. */
  next_cursor: string | null;
}

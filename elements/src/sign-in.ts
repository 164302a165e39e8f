// `@foyer/elements/sign-in`: registers `<foyer-sign-in>`.
import { FoyerSignIn } from './sign-in/element.js';

if (!globalThis.customElements?.get('foyer-sign-in')) {
  globalThis.customElements?.define('foyer-sign-in', FoyerSignIn);
}

export type { IdTokenProof, SignedInDetail, SignInProvider } from './sign-in/element.js';
export { FoyerSignIn };

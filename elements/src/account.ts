// `@foyer/elements/account`: registers `<foyer-account>`.
import { FoyerAccount } from './account/element.js';

if (!globalThis.customElements?.get('foyer-account')) {
  globalThis.customElements?.define('foyer-account', FoyerAccount);
}

export type { SignedOutDetail } from './account/element.js';
export { FoyerAccount };

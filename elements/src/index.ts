// `@foyer/elements`: registers `<foyer-sign-in>` and `<foyer-account>`.
export type { SignedOutDetail } from './account.js';
export { FoyerAccount } from './account.js';
export type { IdTokenProof, SignedInDetail, SignInProvider } from './sign-in.js';
export { FoyerSignIn } from './sign-in.js';

// `@foyer/elements`: registers `<foyer-sign-in>` and `<foyer-account>`.
export { FoyerAccount } from './account.js';
export { FoyerSignIn } from './sign-in.js';

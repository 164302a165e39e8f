// `@foyer/elements/react`: React components of the elements.
'use client';

export type { FoyerAccount } from './account.js';
export type { FoyerSignIn } from './sign-in.js';

// `@foyer/sdk/react`: the client's state as hooks. The exports, listed by hand.
'use client';

export { useAuthState, useClaims, useUser } from './auth-state.js';
export type { FoyerProviderProps } from './provider.js';
export { FoyerProvider, useClient } from './provider.js';
export type { Pages, ReadPage } from './use-pages.js';
export { usePages } from './use-pages.js';

// `@foyer/sdk/expo`: what a client needs in an Expo or React Native app.
export type { Maybe, TokenStorage } from '../session/storage.js';
export type { AppStateSource } from './foreground.js';
export { foreground } from './foreground.js';
export type { PrivateStorage, SecureStorageOptions, SecureStoreModule } from './secure-storage.js';
export { secureStorage } from './secure-storage.js';

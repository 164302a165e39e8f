// `@foyer/sdk/storage`: where a client stores its session, by platform.
export type { Maybe, StorageChannel, TokenStorage, WebStorageArea } from '../session/storage.js';
export { memoryStorage, webStorage } from '../session/storage.js';
export type { ExtensionStorageArea } from './chrome.js';
export { chromeStorage } from './chrome.js';
export { fileStorage } from './file.js';

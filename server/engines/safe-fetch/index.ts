// The door of the engine: calls to other services, by URLs of the operator or of clients. README.md says what it promises.
export { connectionFailure } from './connection-failure.js';
export {
  type Discovered,
  DiscoveryError,
  discover,
  discoverKeys,
  discoveryUrlOf,
  readDiscoveredKeys,
} from './discovery.js';
export { connectPatiently } from './patient-connections.js';
export { callProvider, type Fetch, type ProviderAnswer, postJson } from './provider-call.js';
export { type ProviderKeys, providerKeys, readKeySet } from './provider-keys.js';
export {
  ForbiddenUrlError,
  type SsrfSafeFetch,
  type SsrfSafeResponse,
  ssrfSafeFetch,
} from './ssrf-safe-fetch.js';

// `@foyer/sdk/testing`: for the tests of apps, in any test runner.
export type { DataRecord } from '../features/collection.js';
export type { NativePasskeys } from '../features/passkey-types.js';
export type { ServerCode } from '../generated/error-codes.js';
export type { User } from '../generated/models.js';
export type { Route } from '../generated/routes.js';
export type { Provider } from '../models.js';
export type { Maybe, StorageChannel, TokenStorage } from '../session/storage.js';
export { fakeService } from './fake.js';
export type {
  AccessMode,
  FakeRequest,
  FakeService,
  FakeServiceOptions,
  Fault,
  IdTokenOptions,
  NewUser,
  UserChange,
} from './fake-service-types.js';
export type { StorageCheck, StorageUnderTest } from './storage-checks.js';
export { storageChecks } from './storage-checks.js';

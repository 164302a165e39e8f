// The endpoints that a backend calls with a secret key: whatever the contract has under /admin, and the records and files,
// which take a secret key in the place of a user's token. Types alone, as in routes.ts.
import type { contract } from '@foyer/contract';
import type { RouteOf } from './routes.js';

type Any = RouteOf<typeof contract>;

export type AdminRoute = Extract<Any, `${string} /admin/${string}`>;

/** Of the collections and files a backend makes the calls that an app makes. */
export type SecretKeyRoute =
  | AdminRoute
  | Extract<Any, `${string} /data/${string}` | `${string} /files${string}`>;

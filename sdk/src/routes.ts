// The endpoints that a client can call, each written where it is called as `METHOD /path`. The contract reaches this file as
// types alone: a wrong route does not compile, and the emitted JavaScript imports nothing.
import type { contract } from '@foyer/contract';

/**
 * Left out: backends verify tokens, and hold the keys to an app's settings, users, collections, figures, audit log and
 * webhooks.
 */
export type AppContract = Omit<
  typeof contract,
  | 'pushMessages'
  | 'fileBytes'
  | 'allFiles'
  | 'tokens'
  | 'tokenVerification'
  | 'apps'
  | 'migration'
  | 'audit'
  | 'users'
  | 'webhooks'
  | 'loyaltyEntries'
  | 'configVersions'
  | 'collections'
>;

/** Every endpoint of a contract as `METHOD /path`. */
export type RouteOf<T> = T extends { method: infer M extends string; path: infer P extends string }
  ? `${M} ${P}`
  : { [K in keyof T]: RouteOf<T[K]> }[keyof T];

/** `METHOD /path`, with a colon before each path parameter. */
export type Route = RouteOf<AppContract>;

/** The path parameters that a route needs. */
export type ParamsOf<R extends string> = R extends `${string}/:${infer Name}/${infer Rest}`
  ? Record<Name, string> & ParamsOf<`/${Rest}`>
  : R extends `${string}/:${infer Name}`
    ? Record<Name, string>
    : Record<never, string>;

// The endpoints this client calls. The contract reaches this file as types alone: a missing, extra or wrong route does
// not compile, and the emitted JavaScript imports nothing.
import type { contract } from '@foyer/contract';

/** The contract, with each endpoint reduced to `METHOD /path`. */
export type Slim<T> = {
  [K in keyof T]: T[K] extends { method: infer M extends string; path: infer P extends string }
    ? `${M} ${P}`
    : Slim<T[K]>;
};

/** Backends verify tokens with the key set and discovery, so their addresses are of no use to an app. */
export type AppContract = Omit<typeof contract, 'tokens'>;

export const routes = {
  signIn: {
    signUp: 'POST /auth/sign-up',
    withPassword: 'POST /auth/sign-in',
  },
  sessions: {
    refresh: 'POST /auth/token/refresh',
    signOut: 'POST /auth/sign-out',
    signOutAll: 'POST /auth/sign-out-all',
    list: 'GET /me/sessions',
    end: 'DELETE /me/sessions/:id',
  },
  profile: {
    get: 'GET /me',
    update: 'PATCH /me',
  },
} as const satisfies Slim<AppContract>;

/** `METHOD /path`, with a colon before each path parameter. */
export type Route = `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`;

/** The path parameters that a route needs. */
export type ParamsOf<R extends string> = R extends `${string}/:${infer Name}/${infer Rest}`
  ? Record<Name, string> & ParamsOf<`/${Rest}`>
  : R extends `${string}/:${infer Name}`
    ? Record<Name, string>
    : Record<never, string>;

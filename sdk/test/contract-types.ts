// Assertions that the compiler checks: the hand-written models, codes and routes say what the contract says.
// This file is never run; `npm run typecheck` and the package's test compile it.
import type { contract, ErrorCode } from '@foyer/contract';
import type { z } from 'zod';
import type { Client } from '../src/api.js';
import type { ServerCode } from '../src/errors.js';
import { type FoyerError, isFoyerError } from '../src/errors.js';
import type {
  Page,
  PageQuery,
  PasswordCredential,
  ProfilePatch,
  SessionInfo,
  SignUp,
  TokenAnswer,
  User,
} from '../src/models.js';
import { type AppContract, type ParamsOf, routes, type Slim } from '../src/routes.js';

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
/** One level of aliases and intersections written out, so that equal shapes compare as equal. */
type Flat<T> = T extends object ? { [K in keyof T]: Flat<T[K]> } : T;
type Same<A, B> = Equal<Flat<A>, Flat<B>>;
declare function holds<T extends true>(): T;

type Contract = typeof contract;
type AnyRoute = { responses: Record<number, unknown> };
type Answer<R extends AnyRoute, Status extends keyof R['responses']> =
  R['responses'][Status] extends z.ZodType<{
    data: infer Data;
  }>
    ? Data
    : never;
type Body<R extends AnyRoute> = R extends { body: infer B extends z.ZodType } ? z.input<B> : never;
type Query<R extends AnyRoute> = R extends { query: infer Q extends z.ZodType } ? z.input<Q> : never;

// Models.
holds<Same<User, Answer<Contract['profile']['get'], 200>>>();
holds<Same<User, Answer<Contract['profile']['update'], 200>>>();
holds<Same<TokenAnswer, Answer<Contract['signIn']['signUp'], 201>>>();
holds<Same<TokenAnswer, Answer<Contract['signIn']['withPassword'], 200>>>();
holds<Same<TokenAnswer, Answer<Contract['sessions']['refresh'], 200>>>();
holds<Same<Page<SessionInfo>, Answer<Contract['sessions']['list'], 200>>>();

// Inputs.
holds<Same<SignUp, Body<Contract['signIn']['signUp']>>>();
holds<Same<PasswordCredential, Body<Contract['signIn']['withPassword']>>>();
holds<Same<ProfilePatch, Body<Contract['profile']['update']>>>();
holds<Same<Omit<PageQuery, 'limit'>, Omit<Query<Contract['sessions']['list']>, 'limit'>>>();
holds<Equal<keyof PageQuery, keyof Query<Contract['sessions']['list']>>>();

// What the calls give.
type Given<F extends (...args: never[]) => unknown> = Awaited<ReturnType<F>>;
holds<Same<Given<Client['me']['get']>, Answer<Contract['profile']['get'], 200>>>();
holds<Same<Given<Client['me']['update']>, Answer<Contract['profile']['update'], 200>>>();
holds<Same<Given<Client['me']['sessions']>, Answer<Contract['sessions']['list'], 200>>>();

// Codes.
holds<Equal<ServerCode, ErrorCode>>();
function narrowed(error: unknown) {
  if (isFoyerError(error, 'auth/weak-password')) holds<Equal<typeof error.code, 'auth/weak-password'>>();
  if (isFoyerError(error)) holds<Equal<typeof error, FoyerError>>();
  // @ts-expect-error a code that does not exist
  return isFoyerError(error, 'auth/no-such-code');
}

// Routes: a missing, extra or wrong one does not compile.
routes satisfies Slim<AppContract>;
// @ts-expect-error a route is missing
({ ...routes, profile: { get: 'GET /me' } }) satisfies Slim<AppContract>;
// @ts-expect-error a group is missing
({ signIn: routes.signIn, sessions: routes.sessions }) satisfies Slim<AppContract>;
({
  ...routes,
  // @ts-expect-error a route too many
  profile: { get: 'GET /me', update: 'PATCH /me', remove: 'DELETE /me' },
}) satisfies Slim<AppContract>;
({
  ...routes,
  // @ts-expect-error a wrong method
  profile: { get: 'GET /me', update: 'PUT /me' },
}) satisfies Slim<AppContract>;
({
  ...routes,
  // @ts-expect-error a wrong path
  profile: { get: 'GET /mee', update: 'PATCH /me' },
}) satisfies Slim<AppContract>;
holds<
  Equal<ParamsOf<'PUT /push/devices/:id/topics/:topic'>, Record<'id', string> & Record<'topic', string>>
>();
holds<Equal<keyof ParamsOf<'GET /me'>, never>>();

export { narrowed };

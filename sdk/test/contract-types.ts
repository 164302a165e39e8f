// Assertions that the compiler checks: the hand-written models, codes and routes say what the contract says.
// This file is never run; `npm run typecheck` and the package's test compile it.
import type { contract, ErrorCode } from '@foyer/contract';
import type { z } from 'zod';
import type { Client } from '../src/api.js';
import type { ServerCode } from '../src/errors.js';
import { type FoyerError, isFoyerError } from '../src/errors.js';
import type {
  AccessAnswer,
  CodeSent,
  EmailCodeSignIn,
  Identity,
  Page,
  PageQuery,
  PasswordChange,
  PasswordCredential,
  PasswordReset,
  ProfilePatch,
  Provider,
  ProviderAProof,
  ProviderATokenAnswer,
  ProviderBProof,
  ProviderBSignIn,
  ProviderProofs,
  SessionInfo,
  SignInProof,
  SignUp,
  TokenAnswer,
  User,
} from '../src/models.js';
import type { ParamsOf, Route } from '../src/routes.js';

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
/** One level of aliases and intersections written out, so that equal shapes compare as equal. */
type Flat<T> = T extends object ? { [K in keyof T]: Flat<T[K]> } : T;
type Same<A, B> = Equal<Flat<A>, Flat<B>>;
/** As arguments are named in JavaScript. */
type Camel<S> = S extends `${infer Head}_${infer Tail}` ? `${Head}${Capitalize<Camel<Tail>>}` : S;
type Renamed<T> = T extends object ? { [K in keyof T as Camel<K>]: Renamed<T[K]> } : T;
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
holds<Same<TokenAnswer, Answer<Contract['signIn']['withProviderB'], 200>>>();
holds<Same<TokenAnswer, Answer<Contract['signIn']['withEmailCode'], 200>>>();
holds<Same<ProviderATokenAnswer, Answer<Contract['signIn']['withProviderA'], 200>>>();
holds<Same<AccessAnswer, Answer<Contract['signIn']['reauthenticate'], 200>>>();
holds<Same<Page<Identity>, Answer<Contract['identities']['list'], 200>>>();
holds<Same<Page<SessionInfo>, Answer<Contract['sessions']['list'], 200>>>();

// Inputs.
holds<Same<SignUp, Body<Contract['signIn']['signUp']>>>();
holds<Same<PasswordCredential, Body<Contract['signIn']['withPassword']>>>();
holds<Same<ProfilePatch, Body<Contract['profile']['update']>>>();
holds<Same<EmailCodeSignIn, Body<Contract['signIn']['withEmailCode']>>>();
holds<Same<PasswordReset, Body<Contract['passwords']['reset']>>>();
holds<Same<PasswordChange, Renamed<Body<Contract['passwords']['change']>>>>();
holds<Same<ProviderAProof, Renamed<Body<Contract['signIn']['withProviderA']>>>>();
type ProviderBNames = Pick<Body<Contract['signIn']['withProviderB']>, 'first_name' | 'last_name'>;
type ProviderBToken = Omit<Body<Contract['signIn']['withProviderB']>, keyof ProviderBNames>;
holds<Same<ProviderBSignIn, Renamed<ProviderBToken> & ProviderBNames>>();
holds<Same<ProviderProofs[Provider], Renamed<Body<Contract['identities']['link']>>>>();
holds<Same<ProviderProofs['provider-b'], ProviderBProof>>();
// One proof alone, of those that the contract knows.
type EveryProof = Renamed<Body<Contract['signIn']['reauthenticate']>>;
type OneProof<T> = { [K in keyof T]-?: { [Only in K]-?: NonNullable<T[K]> } }[keyof T];
holds<Same<SignInProof, OneProof<EveryProof>>>();
holds<Same<Omit<PageQuery, 'limit'>, Omit<Query<Contract['sessions']['list']>, 'limit'>>>();
holds<Equal<keyof PageQuery, keyof Query<Contract['sessions']['list']>>>();

// What the calls give.
type Given<F extends (...args: never[]) => unknown> = Awaited<ReturnType<F>>;
holds<Same<Given<Client['me']['get']>, Answer<Contract['profile']['get'], 200>>>();
holds<Same<Given<Client['me']['update']>, Answer<Contract['profile']['update'], 200>>>();
holds<Same<Given<Client['me']['changeEmail']>, Answer<Contract['profile']['changeEmail'], 200>>>();
holds<Same<Given<Client['me']['linkIdentity']>, Answer<Contract['identities']['link'], 201>>>();
holds<Same<Given<Client['me']['identities']>, Answer<Contract['identities']['list'], 200>>>();
type Verification = Client['auth']['verification'];
holds<Same<Given<Verification['confirm']>, Answer<Contract['profile']['confirmVerification'], 200>>>();
holds<Same<Given<Verification['send']>, Answer<Contract['profile']['sendVerification'], 200>>>();
holds<Same<CodeSent, Answer<Contract['signIn']['sendEmailCode'], 200>>>();
holds<Same<CodeSent, Answer<Contract['passwords']['forgot'], 200>>>();
holds<Same<Given<Client['me']['sessions']>, Answer<Contract['sessions']['list'], 200>>>();

// Codes.
holds<Equal<ServerCode, ErrorCode>>();
function narrowed(error: unknown) {
  if (isFoyerError(error, 'auth/weak-password')) holds<Equal<typeof error.code, 'auth/weak-password'>>();
  if (isFoyerError(error)) holds<Equal<typeof error, FoyerError>>();
  // @ts-expect-error a code that does not exist
  return isFoyerError(error, 'auth/no-such-code');
}

// Routes: a wrong one does not compile. That none is missing is seen in routes.test.ts.
'PATCH /me' satisfies Route;
// @ts-expect-error a wrong method
'PUT /me' satisfies Route;
// @ts-expect-error a wrong path
'GET /mee' satisfies Route;
// @ts-expect-error none of an app's business
'PATCH /admin/settings' satisfies Route;
holds<
  Equal<ParamsOf<'PUT /push/devices/:id/topics/:topic'>, Record<'id', string> & Record<'topic', string>>
>();
holds<Equal<keyof ParamsOf<'GET /me'>, never>>();

export { narrowed };

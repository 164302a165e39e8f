// Assertions that the compiler checks: the hand-written models, codes and routes say what the contract says.
// This file is never run; `npm run typecheck` and the package's test compile it.
import type { contract, ErrorCode, WebhookPayload } from '@foyer/contract';
import type { z } from 'zod';
import type { Client } from '../src/api.js';
import type { Collection, DataRecord, PartOf } from '../src/collection.js';
import type { ServerCode } from '../src/errors.js';
import { type FoyerError, isFoyerError } from '../src/errors.js';
import type { FileInfo, FileUrl } from '../src/file-models.js';
import type { FileUrlOptions, UploadOptions } from '../src/files.js';
import type {
  AccessAnswer,
  CodeSent,
  EmailCodeSignIn,
  Identity,
  LoyaltyEntry,
  LoyaltyStatus,
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
import type { Push } from '../src/push.js';
import type { PushDevice, PushRegistration } from '../src/push-models.js';
import type { FieldPath, FieldValue } from '../src/query.js';
import type { ConfigValues, RemoteConfig } from '../src/remote-config.js';
import type { ParamsOf, Route } from '../src/routes.js';
import type { WebhookEvent, WebhookEventType } from '../src/webhooks.js';

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
holds<Same<TokenAnswer, Answer<Contract['v1Exchange']['exchange'], 200>>>();
holds<Same<ProviderATokenAnswer, Answer<Contract['signIn']['withProviderA'], 200>>>();
holds<Same<AccessAnswer, Answer<Contract['signIn']['reauthenticate'], 200>>>();
holds<Same<Page<Identity>, Answer<Contract['identities']['list'], 200>>>();
holds<Same<FileInfo, Answer<Contract['files']['upload'], 201>>>();
holds<Same<FileInfo, Answer<Contract['files']['get'], 200>>>();
holds<Same<FileUrl, Answer<Contract['files']['url'], 200>>>();
holds<Same<Page<SessionInfo>, Answer<Contract['sessions']['list'], 200>>>();
holds<Same<LoyaltyStatus, Answer<Contract['loyalty']['status'], 200>>>();
holds<Same<Page<LoyaltyEntry>, Answer<Contract['loyalty']['history'], 200>>>();

holds<Same<PushDevice, Answer<Contract['push']['register'], 200>>>();
holds<Same<PushDevice, Answer<Contract['push']['register'], 201>>>();
holds<Same<Page<PushDevice>, Answer<Contract['push']['list'], 200>>>();
holds<Same<DataRecord, Answer<Contract['data']['get'], 200>>>();
holds<Same<DataRecord, Answer<Contract['data']['create'], 201>>>();
holds<Same<Page<DataRecord>, Answer<Contract['data']['query'], 200>>>();

// Records: paths, values and parts are those of the app's own type.
interface Note {
  title: string;
  done: boolean;
  author: { name: string; age: number | null };
  tags: string[];
  due?: string;
}
declare const notes: Collection<Note>;
holds<Equal<FieldPath<Note>, 'title' | 'done' | 'author' | 'author.name' | 'author.age' | 'tags' | 'due'>>();
holds<Equal<FieldPath<Record<string, unknown>>, string>>();
holds<Equal<FieldValue<Note, 'author.age'>, number | null>>();
holds<Same<PartOf<Note>['author'], { name?: string; age?: number | null } | undefined>>();
export function typedQueries(): void {
  const query = notes.query();
  query
    .where('author.name', '==', 'Ada')
    .where('tags', 'array-contains', 'x')
    .where('done', 'in', [true, null]);
  query.orderBy('author.age', 'desc').orderBy('$created_at').limit(20).startAfter([3, 'x']);
  query.where('$owner_uid', '==', null).where('tags', 'array-contains-any', ['x', 'y']);
  // @ts-expect-error no such field
  query.where('author.nme', '==', 'Ada');
  // @ts-expect-error a value of another type
  query.where('author.name', '==', 1);
  // @ts-expect-error not a list
  query.where('title', 'in', 'x');
  // @ts-expect-error an element of another type
  query.where('tags', 'array-contains', 1);
  // @ts-expect-error no such field
  query.orderBy('nothing');
  // @ts-expect-error a part of another type
  void notes.merge('a', { author: { age: 'x' } });
}

// Inputs.
holds<Same<PushRegistration, Renamed<Body<Contract['push']['register']>>>>();
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

type UploadForm = NonNullable<z.input<Contract['files']['upload']['body']>>;
holds<Same<UploadOptions['visibility'], UploadForm['visibility']>>();
holds<Same<keyof Query<Contract['files']['url']>, 'expires_in' | keyof Pick<FileUrlOptions, 'download'>>>();

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
holds<Same<Given<Client['me']['loyalty']>, Answer<Contract['loyalty']['status'], 200>>>();
holds<Same<Given<Client['me']['loyaltyHistory']>, Answer<Contract['loyalty']['history'], 200>>>();
holds<Same<Given<RemoteConfig['get']>, ConfigValues>>();
holds<Same<Given<Push['register']>, Answer<Contract['push']['register'], 201>>>();
holds<Same<Given<Client['me']['sessions']>, Answer<Contract['sessions']['list'], 200>>>();

// Webhooks, type by type.
type EventOf<T extends WebhookEventType> = Same<
  Extract<WebhookEvent, { type: T }>,
  Extract<WebhookPayload, { type: T }>
>;
type EveryEvent = { [T in WebhookEventType]: EventOf<T> }[WebhookEventType];
holds<Equal<WebhookEventType, WebhookPayload['type']>>();
holds<EveryEvent>();

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

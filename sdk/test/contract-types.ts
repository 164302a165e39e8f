// Assertions that the compiler checks, on one generated model for each construct that the generator writes, and on the models
// that the SDK composes. What each call resolves to: routes.test.ts and admin-routes.test.ts. Never run;
// `npm run typecheck` compiles it.
import type { ErrorCode, WebhookPayload } from '@foyer/contract';
import type {
  AppEvent,
  AppSettings,
  AppSettingsPatch,
  ConfigSnapshot,
  ImportReport,
  ImportUser,
  NewPushMessage,
  TokenVerdict,
  UserQuery,
} from '../src/admin/index.js';
import { type FoyerError, isFoyerError } from '../src/errors.js';
import type { Collection, DataRecord, PartOf } from '../src/features/collection.js';
import type { FileUrlOptions, UploadOptions } from '../src/features/files.js';
import type { FieldPath, FieldValue } from '../src/features/query.js';
import type { ServerCode } from '../src/generated/error-codes.js';
import type {
  PasswordChange,
  PushRegistration,
  RedirectProof,
  TokenAnswer,
} from '../src/generated/models.js';
import type { ParamsOf } from '../src/http/request-url.js';
import type { Page, ProviderBSignIn, ProviderProofs, SecondStep, SignInProof } from '../src/models.js';
import type { WebhookEvent, WebhookEventType } from '../src/webhooks.js';
import type { AnswerOf, BodyOf, Equal, QueryOf, Same } from './contract-shapes.js';

declare function holds<T extends true>(): T;

// Generated models: nested names, unions, records, lists, enumerations, optional and nullable properties.
holds<Same<TokenAnswer, AnswerOf<'POST /auth/sign-in'>>>();
holds<Same<TokenVerdict, AnswerOf<'POST /admin/tokens/verify'>>>();
holds<Same<AppSettings, AnswerOf<'GET /admin/settings'>>>();
holds<Same<AppSettingsPatch, BodyOf<'PATCH /admin/settings'>>>();
holds<Same<ConfigSnapshot, AnswerOf<'GET /admin/config/versions/:version'>>>();
holds<Same<NewPushMessage, BodyOf<'POST /admin/push/send'>>>();
holds<Same<ImportReport, AnswerOf<'POST /admin/users/import'>>>();
holds<Same<ImportUser, import('zod').input<typeof import('@foyer/contract').ImportUser>>>();
holds<Equal<ServerCode, ErrorCode>>();
type EventOf<T extends WebhookEventType> = Same<
  Extract<WebhookEvent, { type: T }>,
  Extract<WebhookPayload, { type: T }>
>;
holds<Equal<WebhookEventType, WebhookPayload['type']>>();
holds<{ [T in WebhookEventType]: EventOf<T> }[WebhookEventType]>();
holds<Same<PushRegistration, BodyOf<'POST /push/devices'>>>();
holds<Same<PasswordChange, BodyOf<'PUT /me/password'>>>();
// The contract parses numbers and booleans of a query from text.
type FromText = 'limit' | 'disabled' | 'email_verified';
holds<Same<Omit<UserQuery, FromText>, Omit<QueryOf<'GET /admin/users'>, FromText>>>();
holds<
  Same<Pick<UserQuery, FromText>, { [K in FromText]?: (K extends 'limit' ? number : boolean) | undefined }>
>();
holds<Equal<keyof UserQuery, keyof QueryOf<'GET /admin/users'>>>();

// Composed models.
holds<Same<Page<DataRecord>, AnswerOf<'POST /data/:collection/query'>>>();
holds<Equal<AppEvent['type'], AnswerOf<'GET /admin/events'>['items'][number]['type']>>();
holds<Same<ProviderBSignIn, BodyOf<'POST /auth/provider-b'>>>();
holds<Same<ProviderProofs[keyof ProviderProofs] | RedirectProof, BodyOf<'POST /me/identities/:provider'>>>();
// Exactly one credential of the contract.
type EveryProof = BodyOf<'POST /auth/reauthenticate'>;
type OneProof<T> = { [K in keyof T]-?: { [Only in K]-?: NonNullable<T[K]> } }[keyof T];
holds<Same<SecondStep, Pick<EveryProof, keyof SecondStep>>>();
holds<Same<SignInProof, OneProof<Omit<EveryProof, keyof SecondStep>> & SecondStep>>();
type UploadForm = NonNullable<import('zod').input<typeof import('@foyer/contract').UploadForm>>;
holds<Same<UploadOptions['visibility'], UploadForm['visibility']>>();
holds<Same<keyof QueryOf<'GET /files/:id/url'>, 'expires_in' | keyof Pick<FileUrlOptions, 'download'>>>();

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
// A type that contains itself.
interface Comment {
  text: string;
  parent: Comment | null;
}
holds<'parent.parent.text' extends FieldPath<Comment> ? true : false>();
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

// Codes.
export function narrowed(error: unknown) {
  if (isFoyerError(error, 'auth/weak-password')) holds<Equal<typeof error.code, 'auth/weak-password'>>();
  if (isFoyerError(error)) holds<Equal<typeof error, FoyerError>>();
  // @ts-expect-error a code that does not exist
  return isFoyerError(error, 'auth/no-such-code');
}

// Path parameters.
holds<
  Equal<ParamsOf<'PUT /push/devices/:id/topics/:topic'>, Record<'id', string> & Record<'topic', string>>
>();
holds<Equal<keyof ParamsOf<'GET /me'>, never>>();

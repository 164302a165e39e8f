// Assertions that the compiler checks: the hand-written models of /admin say what the contract says. Never run; see
// contract-types.ts.
import type { contract } from '@foyer/contract';
import type { z } from 'zod';
import type {
  AddedEntry,
  Admin,
  AdminUser,
  AppEvent,
  AppSettings,
  AppSettingsPatch,
  AuditEntry,
  AuditLogQuery,
  CollectionInfo,
  CollectionPatch,
  ConfigParameter,
  ConfigSnapshot,
  ConfigVersion,
  DeliveryQuery,
  EventQuery,
  FileInfo,
  FileQuery,
  Identity,
  ImportReport,
  ImportUser,
  LedgerEntry,
  MigrationReport,
  NewCollection,
  NewConfigParameter,
  NewLedgerEntry,
  NewPushMessage,
  NewUser,
  NewWebhook,
  Page,
  PageList,
  PushDevice,
  PushMessage,
  PushReceipt,
  PushSent,
  ReplayStretch,
  SessionInfo,
  TokenVerdict,
  UserPatch,
  UserQuery,
  Webhook,
  WebhookDelivery,
  WebhookPatch,
  WebhookReplay,
  WebhookWithSecret,
} from '../src/admin.js';
import type { AdminRoute, SecretKeyRoute } from '../src/admin-routes.js';

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
type Flat<T> = T extends object ? { [K in keyof T]: Flat<T[K]> } : T;
type Same<A, B> = Equal<Flat<A>, Flat<B>>;
declare function holds<T extends true>(): T;

type Contract = typeof contract;
type AnyRoute = { responses: Record<number, unknown> };
type Answer<R extends AnyRoute, Status extends keyof R['responses']> =
  R['responses'][Status] extends z.ZodType<{ data: infer Data }> ? Data : never;
type Body<R extends AnyRoute> = R extends { body: infer B extends z.ZodType } ? z.input<B> : never;
type Query<R extends AnyRoute> = R extends { query: infer Q extends z.ZodType } ? z.input<Q> : never;
/** Numbers are read from the text of an address, so the contract takes any value for them. */
type WithoutLimit<T> = Omit<T, 'limit'>;
type SameQuery<A, B> = Same<WithoutLimit<A>, WithoutLimit<B>> extends true ? Equal<keyof A, keyof B> : false;
type Given<F extends (...args: never[]) => unknown> = Awaited<ReturnType<F>>;
type Item<T> = T extends Page<infer I> ? I : never;

// Users.
type Users = Contract['users'];
holds<Same<AdminUser, Answer<Users['create'], 201>>>();
holds<Same<AdminUser, Answer<Users['get'], 200>>>();
holds<Same<AdminUser, Answer<Users['update'], 200>>>();
holds<Same<AdminUser, Answer<Users['setClaims'], 200>>>();
holds<Same<Page<AdminUser>, Answer<Users['list'], 200>>>();
holds<Same<Page<SessionInfo>, Answer<Users['sessions'], 200>>>();
holds<Same<Page<Identity>, Answer<Users['identities'], 200>>>();
holds<Same<ImportReport, Answer<Users['import'], 200>>>();
holds<Same<NewUser, Body<Users['create']>>>();
holds<Same<UserPatch, Body<Users['update']>>>();
holds<Same<ImportUser, z.input<typeof import('@foyer/contract').ImportUser>>>();
// In an address true and false are words.
type Flags = 'disabled' | 'email_verified';
holds<SameQuery<Omit<UserQuery, Flags>, Omit<Query<Users['list']>, Flags>>>();
holds<Equal<keyof UserQuery, keyof Query<Users['list']>>>();

// Files, beside those that contract-types.ts proves.
holds<Same<Page<FileInfo>, Answer<Contract['allFiles']['list'], 200>>>();
holds<SameQuery<FileQuery, Query<Contract['allFiles']['list']>>>();

// Push.
type Push = Contract['pushMessages'];
holds<Same<PushSent, Answer<Push['send'], 202>>>();
holds<Same<PushMessage, Answer<Push['get'], 200>>>();
holds<Same<Page<PushMessage>, Answer<Push['list'], 200>>>();
holds<Same<Page<PushReceipt>, Answer<Push['receipts'], 200>>>();
holds<Same<Page<PushDevice>, Answer<Push['devices'], 200>>>();
holds<Same<NewPushMessage, Body<Push['send']>>>();

// Loyalty.
type Loyalty = Contract['loyaltyEntries'];
holds<Same<AddedEntry, Answer<Loyalty['add'], 201>>>();
holds<Same<AddedEntry, Answer<Loyalty['add'], 200>>>();
holds<Same<NewLedgerEntry, Body<Loyalty['add']>>>();
holds<Same<Page<LedgerEntry>, Answer<Loyalty['list'], 200>>>();

// Remote config.
type Config = Contract['configVersions'];
holds<Same<ConfigSnapshot, Answer<Config['current'], 200>>>();
holds<Same<ConfigSnapshot, Answer<Config['replace'], 200>>>();
holds<Same<ConfigSnapshot, Answer<Config['get'], 200>>>();
holds<Same<ConfigSnapshot, Answer<Config['rollback'], 200>>>();
holds<Same<Page<ConfigVersion>, Answer<Config['list'], 200>>>();
holds<Same<ConfigParameter, Answer<Config['get'], 200>['parameters'][string]>>();
// `value` is unknown, and what is unknown may be left out of an input.
holds<
  Same<
    Omit<NewConfigParameter, 'value'>,
    Omit<z.input<typeof import('@foyer/contract').ConfigParameter>, 'value'>
  >
>();

// Settings.
holds<Same<AppSettings, Answer<Contract['apps']['getSettings'], 200>>>();
holds<Same<AppSettings, Answer<Contract['apps']['updateSettings'], 200>>>();
holds<Same<AppSettingsPatch, Body<Contract['apps']['updateSettings']>>>();

// v1.
holds<Same<MigrationReport, Answer<Contract['migration']['get'], 200>>>();

// Tokens.
holds<Same<TokenVerdict, Answer<Contract['tokenVerification']['verify'], 200>>>();

// The audit log.
holds<Same<Page<AuditEntry>, Answer<Contract['audit']['list'], 200>>>();
holds<SameQuery<Omit<AuditLogQuery, 'action'>, Omit<Query<Contract['audit']['list']>, 'action'>>>();
holds<Equal<keyof AuditLogQuery, keyof Query<Contract['audit']['list']>>>();

// Webhooks and events.
type Webhooks = Contract['webhooks'];
holds<Same<Page<Webhook>, Answer<Webhooks['list'], 200>>>();
holds<Same<Webhook, Answer<Webhooks['get'], 200>>>();
holds<Same<Webhook, Answer<Webhooks['update'], 200>>>();
holds<Same<WebhookWithSecret, Answer<Webhooks['create'], 201>>>();
holds<Same<WebhookWithSecret, Answer<Webhooks['rotateSecret'], 200>>>();
holds<Same<WebhookDelivery, Answer<Webhooks['test'], 200>>>();
holds<Same<WebhookDelivery, Answer<Webhooks['retryDelivery'], 202>>>();
holds<Same<Page<WebhookDelivery>, Answer<Webhooks['listDeliveries'], 200>>>();
holds<Same<WebhookReplay, Answer<Webhooks['replay'], 202>>>();
holds<Same<NewWebhook, Body<Webhooks['create']>>>();
holds<Same<WebhookPatch, Body<Webhooks['update']>>>();
holds<Same<ReplayStretch, Body<Webhooks['replay']>>>();
holds<SameQuery<DeliveryQuery, Query<Webhooks['listDeliveries']>>>();
holds<SameQuery<EventQuery, Query<Webhooks['listEvents']>>>();
type ContractEvent = Item<Answer<Webhooks['listEvents'], 200>>;
holds<Equal<AppEvent['type'], ContractEvent['type']>>();

// Collections.
type Collections = Contract['collections'];
holds<Same<CollectionInfo, Answer<Collections['get'], 200>>>();
holds<Same<CollectionInfo, Answer<Collections['create'], 201>>>();
holds<Same<CollectionInfo, Answer<Collections['update'], 200>>>();
holds<Same<Page<CollectionInfo>, Answer<Collections['list'], 200>>>();
holds<Same<NewCollection, Body<Collections['create']>>>();
holds<Same<CollectionPatch, Body<Collections['update']>>>();

// What the calls give.
holds<Equal<Given<Admin['users']['create']>, AdminUser>>();
holds<Equal<Given<Admin['users']['get']>, AdminUser>>();
holds<Equal<Given<Admin['loyalty']['add']>, AddedEntry>>();
holds<Equal<ReturnType<Admin['loyalty']['entries']>, PageList<LedgerEntry>>>();
holds<Equal<Given<Admin['config']['version']>, ConfigSnapshot>>();
holds<Same<Omit<Given<Admin['config']['get']>, 'etag'>, ConfigSnapshot>>();
holds<Equal<ReturnType<Admin['webhooks']['list']>, PageList<Webhook>>>();
holds<Equal<ReturnType<Admin['events']['list']>, PageList<AppEvent>>>();
holds<Equal<ReturnType<Admin['auditLog']['list']>, PageList<AuditEntry>>>();

// Routes: a wrong one does not compile. That none is missing is seen in admin-routes.test.ts.
'POST /admin/users' satisfies AdminRoute;
'GET /data/:collection/:id' satisfies SecretKeyRoute;
// @ts-expect-error a wrong method
'PUT /admin/users' satisfies SecretKeyRoute;
// @ts-expect-error a user's business
'GET /me' satisfies SecretKeyRoute;

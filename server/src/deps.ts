// The dependencies of operations, as interfaces, so that tests can replace them (for example with a manual clock).
import type { KeyObject } from 'node:crypto';
import type { AuditAction, ErrorCode, providers } from '@foyer/contract';
import type { PrismaClient, Query } from '@foyer/prisma';
import type { JWK } from 'jose';
import type { AuthorizationServer } from 'oauth4webapi';
import type { FileStore } from '../engines/file-store/index.js';
import type { PasswordHasher } from '../engines/hashing/index.js';
import type { ByteBudget } from '../engines/http-guard/index.js';
import type { KeyRing } from '../engines/keys/index.js';
import type { Limiter, RateLimitState } from '../engines/limiter/index.js';
import type { Mailer } from '../engines/mailer/index.js';
import type { PushSenders } from '../engines/push-senders/index.js';
import type { Queue } from '../engines/queue/index.js';
import type { Fetch, ProviderKeys, SsrfSafeFetch } from '../engines/safe-fetch/index.js';
import type { Tracing } from '../engines/tracing/index.js';
import type { Config } from './env.js';
import type { Clock } from './lib/clock.js';
import type { Random } from './lib/crypto/random.js';
import type { Elapsed } from './lib/elapsed.js';
import type { Logger } from './lib/logger.js';
import type { Metrics } from './lib/metrics.js';
import type { RecentValues } from './lib/recent-values.js';
import type { WakeSignal } from './lib/wake-signal.js';
import type { Actor } from './model/actor.js';
import type { App, TokenAlgorithm } from './model/app.js';
import type { SessionMethod, TokenSession } from './model/session.js';

export type Deps = {
  config: Config;
  prisma: PrismaClient;
  /** Sends the statements of hot paths. */
  query: Query;
  clock: Clock;
  /** Measures durations. */
  elapsed: Elapsed;
  random: Random;
  logger: Logger;
  keyRing: KeyRing;
  signingKeys: SigningKeys;
  accessTokens: AccessTokens;
  apps: AppDirectory;
  /** Holds audit entries of requests that changed nothing; `scheduler` writes them. */
  auditBuffer: AuditBuffer;
  /** The counters of `GET /admin/stats`; `scheduler` writes them. */
  dailyCounters: DailyCounters;
  configMemory: ConfigMemory;
  /** The newest version of each app's remote config, as of a few seconds ago. */
  configTags: RecentValues<VersionTag>;
  passwordHasher: PasswordHasher;
  limiter: Limiter;
  credentialGate: CredentialGate;
  /** Shared by all requests: bodies and large responses. */
  byteBudget: ByteBudget;
  /** Shared by all uploads: what the store of files holds of each until it ends. */
  uploadBudget: ByteBudget;
  /**
   * A turn is a slot that a call waits for before it takes a connection of the database, where it may wait for a row or read
   * many. Turns bound how many calls of one user, row, network and app run at once.
   */
  turns: WorkTurns;
  metrics: Metrics;
  /** Null unless traces are exported. */
  tracing: Tracing | null;
  background: WakeSignal;
  mailer: Mailer;
  fileStore: FileStore;
  /** Started; polls only if `scheduler` has a timer. */
  queue: Queue;
  /** Requests URLs that the operator configured. */
  fetch: Fetch;
  /** Fetches URLs from API clients, with SSRF protection. */
  ssrfSafeFetch: SsrfSafeFetch;
  providers: Providers;
  pushSenders: PushSenders;
};

/** The dependencies of the command line without a running service: the database and the encryption keys. */
export type StoreDeps = Pick<Deps, 'config' | 'prisma' | 'query' | 'clock' | 'random' | 'keyRing'>;

/** The dependencies of the command line for changes of an app that queue jobs. */
export type ChangeAppDeps = StoreDeps & Pick<Deps, 'queue' | 'ssrfSafeFetch' | 'configTags'>;

export type AppDirectory = {
  /** May return an app that was cached a few seconds ago. */
  cached(appKey: string): App | null;
  byKey(appKey: string): Promise<App | null>;
  byId(id: string): Promise<App | null>;
  /** Reads an existing app from the database. */
  fresh(id: string): Promise<App>;
  /** The reserved app `console`, which exists since the start and never changes. */
  console(): Promise<App>;
  /** Clears the cache: called after each change of an app in this process. */
  forget(): void;
};

export type BufferedEntry = {
  appId: string;
  actor: Actor;
  action: AuditAction;
  /** A secret key, or the app for entries of the service. Default: the user, or the app without one. */
  target?: string;
  uid?: string;
  /** Used to find the user when the entry is written; never stored. */
  email?: string;
  /** Never a secret, an email or a name. */
  details: Record<string, string>;
  /** What entries without a user concern. They are counted by network, like those of the app. */
  about?: string;
  /** Counts entries without a user apart from others of the action, such as by the reason. Of a small set. */
  kind?: string;
  /** Equal entries for this user or key are recorded once in a minute. */
  onceAMinute?: string;
};

export type AuditBuffer = {
  /** Returns at once and never fails. */
  add(entry: BufferedEntry): void;
  /**
   * Writes buffered entries, and counts at most once a second. Retries later if the database is unavailable.
   */
  poll(): Promise<void>;
  /** Writes all buffered entries and counts. */
  flush(): Promise<void>;
  close(): Promise<void>;
};

export type CounterName =
  | 'sign_ups'
  | 'sign_ups.backend'
  | `sign_ins.${SessionMethod}`
  | 'failed_sign_ins'
  | 'second_factor_sign_ins'
  | 'failed_second_factors'
  | `errors.${ErrorCode}`;

export type DailyCounters = {
  /** Adds one to a counter of today (UTC). Returns at once and never fails. */
  count(appId: string, name: CounterName): void;
  /** Counts a user as active today; further calls of the day change nothing. Returns at once and never fails. */
  recordActivity(appId: string, uid: string, version: 'v1' | 'v2'): void;
  /** Adds the counts to the database. Retries with the next call if it is unavailable. */
  flush(): Promise<void>;
  close(): Promise<void>;
};

export type ProviderName = (typeof providers)[number];

export type Provider = { issuers: string[]; keys: ProviderKeys };

/** The built-in providers, and those of issuers that apps have set. */
export type Providers = Record<ProviderName, Provider> & {
  ofIssuer(issuer: string): Provider;
  /** The endpoints of an issuer for sign-in by redirect; throws `request/unavailable` while they cannot be read. */
  serverOf(issuer: string): Promise<RedirectServer>;
};

export type RedirectServer = AuthorizationServer & { authorization_endpoint: string; token_endpoint: string };

export type ConfigContent = VersionTag & {
  /** The values as in `GET /config`: objects and lists as JSON strings. */
  delivered: Readonly<Record<string, DeliveredValue>>;
  /** The values as JSON. */
  values: Readonly<Record<string, unknown>>;
};

/** Cached for the most recently used apps. */
export type ConfigMemory = Map<string, { content: ConfigContent; characters: number }>;

export type VersionTag = { version: number; contentHash: string };

/** A value as in `GET /config`. */
export type DeliveredValue = string | number | boolean;

export type AccessTokenClaims = {
  iss: string;
  aud: string;
  client_id: string;
  sub: string;
  sid: string;
  jti: string;
  iat: number;
  exp: number;
  auth_time: number;
  amr: string[];
  email: string;
  email_verified: boolean;
  claims?: Record<string, unknown>;
};

export type AccessTokenVerdict = AccessTokenClaims | 'invalid' | 'expired' | 'unknown-key';

export type AccessTokens = {
  sign(app: App, session: TokenSession): string;
  /** Verifies signature, issuer, audience and time; the caller checks the session. */
  verify(app: App, token: string, now: Date): AccessTokenVerdict;
};

export type PublishedKey = { kid: string; header: string; publicKey: KeyObject; jwk: JWK };

export type CurrentKey = PublishedKey & { privateKey: KeyObject };

export type SigningKeys = {
  signsWith(algorithm: TokenAlgorithm): boolean;
  current(algorithm: TokenAlgorithm): CurrentKey;
  /** The published key with this encoded JWT header. */
  byHeader(header: string): PublishedKey | undefined;
  /** The published public keys: next, current and retired ones of every algorithm. The same array until they change. */
  published(): JWK[];
  reload(when: 'due' | 'to-publish' | 'now'): Promise<void>;
  /** Reads the keys again for a token with an unknown key, if that can help. */
  reloadFor: ReloadForKey;
};

/** Resolves after a read that began after the call; at once if an earlier read did not find the key. */
export type ReloadForKey = (header: string) => Promise<void>;

/** What a call does while it may hold a connection of the database. */
export type Work =
  | 'write'
  | 'large-write'
  | 'bulk-write'
  | 'bulk-read'
  | 'list'
  | 'short-query'
  | 'long-query';

/** The party that a call works for. */
export type Requester = { app: Pick<App, 'id'>; actor: Actor };

export type WorkTurns = {
  /**
   * Waits for a turn of the caller's app, network and user, in memory and before the call takes a connection; returns the
   * function that ends it. Throws `request/unavailable`, for queries `data/query-timeout`, after a few seconds, and at once when
   * too many calls of the party wait.
   */
  take(work: Work, by: Requester, options?: TurnOptions): Promise<() => void>;
  /** Runs `work` in a turn for a write. */
  write<Result>(by: Requester, work: () => Promise<Result>, options?: TurnOptions): Promise<Result>;
  readonly running: number;
  readonly waiting: number;
  /** The parties that have a turn or wait for one. */
  readonly parties: number;
};

export type TurnOptions = {
  /** The row that the call locks, in the app; the same for all calls that lock it. */
  row?: string | undefined;
  milliseconds?: number | undefined;
  /** Ends the wait. */
  signal?: AbortSignal | undefined;
};

export type Presented = {
  /** Null for an app key, which is looked up before the app is known. */
  app: App | null;
  ip: string | null;
  /** Null for a signed token, which cannot be guessed. */
  credential: string | null;
};
export type CredentialGate = {
  /**
   * Runs `find`, which throws for an invalid credential. Such requests are counted by network; `onCounted` receives the
   * state for the response headers. Throws `request/rate-limited` over the limit.
   */
  pass<T>(
    presented: Presented,
    find: () => Promise<T>,
    onCounted?: (state: RateLimitState) => void,
  ): Promise<T>;
};

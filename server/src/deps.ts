// The dependencies of operations, as interfaces, so that tests can replace them (for example with a manual clock).
import type { KeyObject } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { AuditAction, ErrorCode, providers } from '@foyer/contract';
import type { PrismaClient, Query } from '@foyer/prisma';
import type { JWK } from 'jose';
import type { Config } from './env.js';
import type { Clock } from './lib/clock.js';
import type { KeyRing } from './lib/crypto/key-ring.js';
import type { Random } from './lib/crypto/random.js';
import type { Elapsed } from './lib/elapsed.js';
import type { FileStore } from './lib/files/file-store.js';
import type { Fetch } from './lib/http/provider-call.js';
import type { ProviderKeys } from './lib/http/provider-keys.js';
import type { SsrfSafeFetch } from './lib/http/ssrf-safe-fetch.js';
import type { Logger } from './lib/logger.js';
import type { Mailer } from './lib/mail/mail.js';
import type { Metrics } from './lib/metrics.js';
import type { PushSenders } from './lib/push/push-senders.js';
import type { Queue } from './lib/queue/queue.js';
import type { RateLimitState } from './lib/rate-limit/limit-windows.js';
import type { Limiter } from './lib/rate-limit/rate-limit.js';
import type { RecentValues } from './lib/recent-values.js';
import type { Tracing } from './lib/tracing.js';
import type { WakeSignal } from './lib/wake-signal.js';
import type { Actor } from './model/actor.js';
import type { App, TokenAlgorithm } from './model/app.js';
import type { LiveSession, SessionMethod } from './model/session.js';

export type Deps = {
  config: Config;
  prisma: PrismaClient;
  /** For the statements of hot paths. */
  query: Query;
  clock: Clock;
  /** For measuring durations. */
  elapsed: Elapsed;
  random: Random;
  logger: Logger;
  keyRing: KeyRing;
  signingKeys: SigningKeys;
  accessTokens: AccessTokens;
  apps: AppDirectory;
  /** For audit entries of requests that changed nothing; `scheduler` writes them. */
  auditBuffer: AuditBuffer;
  /** For `GET /admin/stats`; `scheduler` writes them. */
  dailyCounters: DailyCounters;
  configMemory: ConfigMemory;
  /** The newest version of each app's remote config, as of a few seconds ago. */
  configTags: RecentValues<VersionTag>;
  passwordHasher: PasswordHasher;
  limiter: Limiter;
  credentialGate: CredentialGate;
  /** Shared by all requests: bodies and large responses. */
  byteBudget: ByteBudget;
  metrics: Metrics;
  /** Null unless traces are exported. */
  tracing: Tracing | null;
  background: WakeSignal;
  mailer: Mailer;
  fileStore: FileStore;
  /** Started; polls only if `scheduler` has a timer. */
  queue: Queue;
  /** For URLs that the operator configured. */
  fetch: Fetch;
  /** For URLs from API clients, with SSRF protection. */
  ssrfSafeFetch: SsrfSafeFetch;
  providers: Providers;
  pushSenders: PushSenders;
};

/** The dependencies of the command line without a running service: the database and the encryption keys. */
export type StoreDeps = Pick<Deps, 'config' | 'prisma' | 'query' | 'clock' | 'random' | 'keyRing'>;

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
  /** Of equal entries for a user or key, only the first of each minute is recorded. */
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
  | `sign_ins.${SessionMethod}`
  | 'failed_sign_ins'
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

export type Providers = Record<ProviderName, Provider>;

/** The party that a password is hashed for: a client by IP address, or a backend by its secret key. */
export type HashCaller =
  | { appId: string; ipAddress: string | null; hasFailures?: boolean }
  | { appId: string; backend: true };

export type PasswordHasher = {
  /** Returns a PHC string with the current parameters. */
  hash(normalised: string, caller: HashCaller): Promise<string>;
  /**
   * Supports argon2id, and bcrypt for accounts imported from v1. A mismatch costs at least as much as an unknown email.
   */
  verify(hash: string, typed: string, caller: HashCaller): Promise<boolean>;
  /** A hash of no password: verifying against it costs the same for an email without an account. */
  readonly decoyHash: string;
  /** True if the hash has outdated parameters. */
  isOutdated(hash: string): boolean;
  /** Completed hashes and verifications since the start. */
  readonly done: number;
  readonly waiting: number;
  close(): Promise<void>;
};

export type ConfigContent = VersionTag & {
  /** As in `GET /config`: objects and lists as JSON strings. */
  delivered: Readonly<Record<string, DeliveredValue>>;
  /** As JSON values. */
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
  sign(app: App, session: LiveSession): string;
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

/** The part of a request that the budget needs; ts-rest and Express have different types for it. */
export type CountedRequest = { socket: Socket; res?: ServerResponse | undefined; ip?: string | undefined };

export type ByteBudget = {
  /** Adds to the bytes of a request, or throws `request/unavailable`. */
  reserve(req: CountedRequest, bytes: number): void;
  /** Sets the bytes of a request; never refuses. */
  settle(req: CountedRequest, bytes: number): void;
  readonly heldBytes: number;
};

export type Presented = {
  /** Null for an app key, which is looked up before the app is known. */
  app: App | null;
  ipAddress: string | null;
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

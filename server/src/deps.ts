// Everything an operation may use, given and not taken: so that a test can give a clock moved by hand.
import type { KeyObject } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { AuditAction, providers } from '@foyer/contract';
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
import type { Actor } from './model/actor.js';
import type { App, TokenAlgorithm } from './model/app.js';

export type Deps = {
  config: Config;
  prisma: PrismaClient;
  /** For the statements of the hot paths. */
  query: Query;
  clock: Clock;
  /** For how long work may take. */
  elapsed: Elapsed;
  random: Random;
  logger: Logger;
  keyRing: KeyRing;
  signingKeys: SigningKeys;
  verifyAccessToken: AccessTokenVerifier;
  apps: AppDirectory;
  /** For entries of what changed nothing: written a moment later, by `scheduler`. */
  auditBuffer: AuditBuffer;
  configMemory: ConfigMemory;
  passwordHasher: PasswordHasher;
  limiter: Limiter;
  credentialGate: CredentialGate;
  /** Of bodies being read and large answers, over all requests. */
  byteBudget: ByteBudget;
  metrics: Metrics;
  mailer: Mailer;
  fileStore: FileStore;
  /** Started, and run by itself only where `scheduler` has a timer. */
  queue: Queue;
  /** The way out to addresses that the operator has set. */
  fetch: Fetch;
  /** The way out to addresses that strangers gave. */
  ssrfSafeFetch: SsrfSafeFetch;
  providers: Providers;
  pushSenders: PushSenders;
};

/** What the command line needs to change an installation that is not being served: the database and the secrets. */
export type StoreDeps = Pick<Deps, 'config' | 'prisma' | 'query' | 'clock' | 'random' | 'keyRing'>;

export type AppDirectory = {
  /** An app that was read a moment ago. */
  cached(appKey: string): App | null;
  byKey(appKey: string): Promise<App | null>;
  byId(id: string): Promise<App | null>;
  /** An app that is known to be there, as the database has it now. */
  fresh(id: string): Promise<App>;
  /** Forgets what is kept: called by whatever changes an app in this process. */
  forget(): void;
};

export type Note = {
  appId: string;
  actor: Actor;
  action: AuditAction;
  /** A secret key, or the app for what the service itself tells. Without one it is the user, or the app where there is none. */
  target?: string;
  uid?: string;
  /** Finds the user when the entry is written, and is never written itself. */
  email?: string;
  /** Never a secret, an email or a name. */
  details: Record<string, string>;
  /** Of equal ones that name a user or a key, only the first of each minute is kept. */
  onceAMinute?: string;
};

export type AuditBuffer = {
  /** Returns at once, and never fails. */
  note(note: Note): void;
  /** Writes what waits, counts at most once a second; where the database is away it goes on waiting. */
  poll(): Promise<void>;
  /** Writes what waits and every count. */
  flush(): Promise<void>;
  close(): Promise<void>;
};

export type ProviderName = (typeof providers)[number];

export type Provider = { issuers: string[]; keys: ProviderKeys };

export type Providers = Record<ProviderName, Provider>;

/** On whose behalf a password is hashed: a client at an address, or an app's backend with a secret key. */
export type HashCaller =
  | { appId: string; ipAddress: string | null; hasFailures?: boolean }
  | { appId: string; backend: true };

export type PasswordHasher = {
  /** A PHC string of the current parameters. */
  hash(normalised: string, caller: HashCaller): Promise<string>;
  /**
   * Of argon2id, or of bcrypt where the account was brought over from v1. Whatever does not fit costs the work for an
   * email without an account at least.
   */
  verify(hash: string, typed: string, caller: HashCaller): Promise<boolean>;
  /** A hash of no password: verifying against it is the work for an email without an account. */
  readonly decoyHash: string;
  /** True for a hash of other than the current parameters. */
  isOutdated(hash: string): boolean;
  /** Hashes and verifications done since the start. */
  readonly done: number;
  readonly waiting: number;
  close(): Promise<void>;
};

export type ConfigContent = VersionTag & {
  /** As `GET /config` delivers them: objects and lists as JSON strings. */
  delivered: Readonly<Record<string, DeliveredValue>>;
  /** As real JSON. */
  values: Readonly<Record<string, unknown>>;
};

/** What is kept in memory, for the apps that were asked for last. */
export type ConfigMemory = Map<string, { content: ConfigContent; characters: number }>;

export type VersionTag = { version: number; contentHash: string };

/** A value as `GET /config` delivers it. */
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

/** Signature, issuer, audience and time; whether the session is alive is the caller's question. */
export type AccessTokenVerifier = (app: App, token: string, now: Date) => AccessTokenVerdict;

export type PublishedKey = { kid: string; header: string; publicKey: KeyObject; jwk: JWK };

export type CurrentKey = PublishedKey & { privateKey: KeyObject };

export type SigningKeys = {
  signsWith(algorithm: TokenAlgorithm): boolean;
  current(algorithm: TokenAlgorithm): CurrentKey;
  /** The published key whose JWT header this is, as it stands in a token. */
  byHeader(header: string): PublishedKey | undefined;
  /** The public keys to publish: next, current and retired ones of every algorithm. */
  published(): JWK[];
  reload(when: 'due' | 'to-publish' | 'now'): Promise<void>;
  /** Reads the keys again for a token whose key is unknown, where that may help. */
  lookFor: LookForKey;
};

/** Settles when the keys were read, by a reading that began after the call; at once where that was in vain before. */
export type LookForKey = (header: string) => Promise<void>;

/** What the budget reads of a request; ts-rest's routes and Express have different types for it. */
export type CountedRequest = { socket: Socket; res?: ServerResponse | undefined; ip?: string | undefined };

export type ByteBudget = {
  /** Adds to what a request holds, or throws `request/unavailable`. */
  reserve(req: CountedRequest, bytes: number): void;
  /** Sets what a request holds from now on; never refuses. */
  settle(req: CountedRequest, bytes: number): void;
  readonly heldBytes: number;
};

export type Presented = {
  /** Null for an app key, which is looked up before an app is known. */
  app: App | null;
  ipAddress: string | null;
  /** Null for a token that proves itself, as a signed one does: nobody can make it up. */
  credential: string | null;
};
export type CredentialGate = {
  /**
   * Runs `find`, which throws where the credential opens nothing. Such a call is counted by network; `onCounted` receives
   * the state for the answer's headers. `request/rate-limited` over the limit.
   */
  pass<T>(
    presented: Presented,
    find: () => Promise<T>,
    onCounted?: (state: RateLimitState) => void,
  ): Promise<T>;
};

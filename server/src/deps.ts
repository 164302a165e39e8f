// Everything an operation may use, given and not taken: so that a test can give a clock moved by hand.
import {
  type Database,
  isUnavailable,
  migrate,
  openDatabase,
  type PrismaClient,
  type Query,
} from '@foyer/prisma';
import { type AppDirectory, appDirectory } from './apps/find-app.js';
import { type AuditNotes, auditNotes } from './audit/notes.js';
import { dataDirError } from './data-dir-error.js';
import type { Config } from './env.js';
import { type ByteBudget, byteBudget, defaultBudgetBytes } from './http/byte-budget.js';
import { type CredentialGate, credentialGate } from './http/credential-gate.js';
import { memoryWindows } from './http/memory-windows.js';
import { type Limiter, limiter, noLimiter } from './http/rate-limit.js';
import { type RedisPatience, redisWindows } from './http/redis-windows.js';
import { identityProviders, type Providers } from './identities/provider.js';
import { handleJobs } from './jobs.js';
import { type Clock, systemClock } from './lib/clock.js';
import { closing } from './lib/closing.js';
import { type Elapsed, systemElapsed } from './lib/elapsed.js';
import { type FileStore, fileStoreOf } from './lib/file-store.js';
import { type KeyRing, keyRing } from './lib/key-ring.js';
import { jsonLogger, type Logger } from './lib/logger.js';
import type { Mailer } from './lib/mail.js';
import { mailerOf } from './lib/mailer.js';
import { type Metrics, noMetrics, processMetrics } from './lib/metrics.js';
import { type Outbound, outbound } from './lib/outbound.js';
import type { Fetch } from './lib/provider-call.js';
import { type PushSenders, pushSenders } from './lib/push-senders.js';
import { jobQueue, type Queue } from './lib/queue.js';
import { type Random, systemRandom } from './lib/random.js';
import { ownSecretKey } from './lib/secret-key-file.js';
import { type PasswordHasher, passwordHasher } from './passwords/password-hasher.js';
import type { ConfigMemory } from './remote-config/current-config.js';
import { type AccessTokenVerifier, accessTokenVerifier } from './tokens/access-token.js';
import {
  ensureSigningKeys,
  loadSigningKeys,
  requireReadableKeys,
  type SigningKeys,
} from './tokens/signing-keys.js';

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
  /** For entries of what changed nothing: written a moment later, by `dueWork`. */
  auditNotes: AuditNotes;
  configMemory: ConfigMemory;
  passwordHasher: PasswordHasher;
  limiter: Limiter;
  credentialGate: CredentialGate;
  /** Of bodies being read and large answers, over all requests. */
  byteBudget: ByteBudget;
  metrics: Metrics;
  mailer: Mailer;
  fileStore: FileStore;
  /** Started, and run by itself only where `dueWork` has a timer. */
  queue: Queue;
  /** The way out to addresses that the operator has set. */
  fetch: Fetch;
  /** The way out to addresses that strangers gave. */
  outbound: Outbound;
  providers: Providers;
  pushSenders: PushSenders;
};

/** What the command line needs to change an installation that is not being served: the database and the secrets. */
export type StoreDeps = Pick<Deps, 'config' | 'prisma' | 'query' | 'clock' | 'random' | 'keyRing'>;

export type Given = Partial<
  Pick<
    Deps,
    'clock' | 'elapsed' | 'random' | 'logger' | 'passwordHasher' | 'fetch' | 'outbound' | 'fileStore'
  >
> & {
  database?: Database;
  /** How long rate limits wait for Redis. */
  redisPatience?: RedisPatience;
};

/** Opens the database and brings it up to date. */
export async function buildStoreDeps(
  config: Config,
  given: Given = {},
): Promise<{ deps: StoreDeps; database: Database; close(): Promise<void> }> {
  const clock = given.clock ?? systemClock;
  const random = given.random ?? systemRandom();
  const opened = closing();
  try {
    const database = given.database ?? (await openDatabase(databaseOptions(config)));
    opened.add(() => database.close());
    await migrate(database);
    const secretKeys =
      config.secretKeys.length > 0 ? config.secretKeys : [ownSecretKey(config.dataDir, random)];
    const { prisma, query } = database;
    const deps = { config, prisma, query, clock, random, keyRing: keyRing(secretKeys, random) };
    return { deps, database, close: () => opened.close() };
  } catch (error) {
    await opened.close();
    if (config.databaseUrl === undefined) throw dataDirError(config.dataDir, error);
    throw isUnavailable(error) ? databaseAway(error) : error;
  }
}

export async function buildDeps(
  config: Config,
  given: Given = {},
): Promise<{ deps: Deps; database: Database; close(): Promise<void> }> {
  const logger = given.logger ?? jsonLogger(config.logLevel);
  const opened = closing();
  // Begun before the database is opened, so that both take their time together.
  const hasher =
    given.passwordHasher ??
    passwordHasher(given.random ?? systemRandom(), { networkShares: config.rateLimits });
  if (!given.passwordHasher) opened.add(async () => (await hasher).close());
  try {
    const { deps: stored, database, close } = await buildStoreDeps(config, given);
    opened.add(close);
    const notes = auditNotes({ ...stored, logger });
    opened.add(() => notes.close());
    await requireReadableKeys(stored);
    await ensureSigningKeys(stored, 'ES256');
    const signingKeys = await loadSigningKeys({ ...stored, logger });
    const limiter = await limiterOf(config, stored.clock, logger, given.redisPatience);
    opened.add(() => limiter.close());
    const outward = { fetch: given.fetch ?? fetch, clock: stored.clock, logger };
    const out = given.outbound ?? outboundOf(config, logger);
    if (!given.outbound) opened.add(() => out.close());
    const mailer = mailerOf(config, logger);
    opened.add(async () => mailer.close());
    const senders = pushSenders({ ...stored, ...outward, outbound: out }, config.push);
    opened.add(() => senders.close());
    const deps: Deps = {
      ...stored,
      ...outward,
      elapsed: given.elapsed ?? systemElapsed,
      outbound: out,
      providers: identityProviders(config, outward),
      signingKeys,
      verifyAccessToken: accessTokenVerifier(signingKeys, config.baseUrl),
      apps: appDirectory(stored.prisma, stored.clock, async (app) => {
        // Another process made the app a moment ago, and with it the first keys of its algorithm.
        if (!signingKeys.signsWith(app.tokenAlgorithm)) await signingKeys.reload('now');
      }),
      auditNotes: notes,
      configMemory: new Map(),
      passwordHasher: await hasher,
      limiter,
      credentialGate: credentialGate(limiter, stored.clock),
      byteBudget: byteBudget(config.bufferBytes ?? defaultBudgetBytes()),
      metrics: config.metricsPort === undefined ? noMetrics : processMetrics(),
      mailer,
      pushSenders: senders,
      fileStore: given.fileStore ?? fileStoreOf(config, logger),
      queue: jobQueue({ database, keyRing: stored.keyRing, logger }),
    };
    handleJobs(deps);
    opened.add(() => deps.queue.stop());
    await deps.queue.start();
    deps.metrics.gauge(
      'foyer_password_queue',
      'Passwords waiting to be hashed.',
      () => deps.passwordHasher.waiting,
    );
    return { deps, database, close: () => opened.close() };
  } catch (error) {
    await opened.close();
    throw error;
  }
}

function databaseAway(cause: unknown): Error {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new Error(`the database does not answer (${reason}): start it, or change DATABASE_URL`, { cause });
}

async function limiterOf(
  config: Config,
  clock: Clock,
  logger: Logger,
  patience?: RedisPatience,
): Promise<Limiter> {
  if (!config.rateLimits) {
    logger.warn('RATE_LIMITS=off: nothing protects passwords from guessing; for load tests only');
    return noLimiter;
  }
  const { redisUrl } = config;
  return limiter(redisUrl ? await redisWindows(redisUrl, logger, patience) : memoryWindows(), clock);
}

function outboundOf(config: Config, logger: Logger): Outbound {
  if (config.outboundLoopback) {
    logger.warn(
      'OUTBOUND_LOOPBACK=on: webhooks may reach what listens on this machine; for development only',
    );
  }
  return outbound({ loopback: config.outboundLoopback });
}

function databaseOptions(config: Config) {
  return config.databaseUrl
    ? { databaseUrl: config.databaseUrl, connections: config.databaseConnections }
    : { dataDir: config.dataDir };
}

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
import type { Config } from './env.js';
import { type Limiter, limiter, memoryWindows, noLimiter } from './http/rate-limit.js';
import { redisWindows } from './http/redis-windows.js';
import { identityProviders, type Providers } from './identities/provider.js';
import { handleJobs } from './jobs.js';
import { type Clock, systemClock } from './lib/clock.js';
import { closing } from './lib/closing.js';
import { type KeyRing, keyRing } from './lib/key-ring.js';
import { jsonLogger, type Logger } from './lib/logger.js';
import type { Mailer } from './lib/mail.js';
import { mailerOf } from './lib/mailer.js';
import { type Metrics, noMetrics, processMetrics } from './lib/metrics.js';
import type { Fetch } from './lib/provider-call.js';
import { jobQueue, type Queue } from './lib/queue.js';
import { type Random, systemRandom } from './lib/random.js';
import { ownSecretKey } from './lib/secret-key-file.js';
import { type PasswordHasher, passwordHasher } from './passwords/password-hasher.js';
import { type AccessTokenVerifier, accessTokenVerifier } from './tokens/access-token.js';
import { ensureSigningKeys, loadSigningKeys, type SigningKeys } from './tokens/signing-keys.js';

export type Deps = {
  config: Config;
  prisma: PrismaClient;
  /** For the statements of the hot paths. */
  query: Query;
  clock: Clock;
  random: Random;
  logger: Logger;
  keyRing: KeyRing;
  signingKeys: SigningKeys;
  verifyAccessToken: AccessTokenVerifier;
  apps: AppDirectory;
  passwordHasher: PasswordHasher;
  limiter: Limiter;
  metrics: Metrics;
  mailer: Mailer;
  /** Started, and run by itself only where `dueWork` has a timer. */
  queue: Queue;
  /** The one way out of the process. */
  fetch: Fetch;
  providers: Providers;
};

/** What the command line needs to change an installation that is not being served: the database and the secrets. */
export type StoreDeps = Pick<Deps, 'config' | 'prisma' | 'query' | 'clock' | 'random' | 'keyRing'>;

export type Given = Partial<Pick<Deps, 'clock' | 'random' | 'logger' | 'passwordHasher' | 'fetch'>> & {
  database?: Database;
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
    throw isUnavailable(error) ? databaseAway(error) : error;
  }
}

export async function buildDeps(
  config: Config,
  given: Given = {},
): Promise<{ deps: Deps; close(): Promise<void> }> {
  const logger = given.logger ?? jsonLogger(config.logLevel);
  const opened = closing();
  // Begun before the database is opened, so that both take their time together.
  const hasher = given.passwordHasher ?? passwordHasher(given.random ?? systemRandom());
  if (!given.passwordHasher) opened.add(async () => (await hasher).close());
  try {
    const { deps: stored, database, close } = await buildStoreDeps(config, given);
    opened.add(close);
    await ensureSigningKeys(stored, 'ES256');
    const signingKeys = await loadSigningKeys(stored);
    const limiter = await limiterOf(config, stored.clock, logger);
    opened.add(() => limiter.close());
    const outward = { fetch: given.fetch ?? fetch, clock: stored.clock, logger };
    const mailer = mailerOf(config, logger);
    opened.add(async () => mailer.close());
    const deps: Deps = {
      ...stored,
      ...outward,
      providers: identityProviders(config, outward),
      signingKeys,
      verifyAccessToken: accessTokenVerifier(signingKeys, config.baseUrl),
      apps: appDirectory(stored.prisma, stored.clock, async (app) => {
        // Another process made the app a moment ago, and with it the first keys of its algorithm.
        if (!signingKeys.signsWith(app.tokenAlgorithm)) await signingKeys.reload('now');
      }),
      passwordHasher: await hasher,
      limiter,
      metrics: config.metricsPort === undefined ? noMetrics : processMetrics(),
      mailer,
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
    return { deps, close: () => opened.close() };
  } catch (error) {
    await opened.close();
    throw error;
  }
}

function databaseAway(cause: unknown): Error {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new Error(`the database does not answer (${reason}): start it, or change DATABASE_URL`, { cause });
}

async function limiterOf(config: Config, clock: Clock, logger: Logger): Promise<Limiter> {
  if (!config.rateLimits) {
    logger.warn('RATE_LIMITS=off: nothing protects passwords from guessing; for load tests only');
    return noLimiter;
  }
  return limiter(config.redisUrl ? await redisWindows(config.redisUrl, logger) : memoryWindows(), clock);
}

function databaseOptions(config: Config) {
  return config.databaseUrl
    ? { databaseUrl: config.databaseUrl, connections: config.databaseConnections }
    : { dataDir: config.dataDir };
}

// The composition root: the only file that knows every implementation. Builds the dependencies from the configuration.
import { type Database, makeDirectory, migrate, openDatabase } from '@foyer/prisma';
import { diskFileStore, type FileStore, loadS3FileStore } from '../engines/file-store/index.js';
import { passwordHasher } from '../engines/hashing/index.js';
import { bounds, byteBudget, defaultBudgetBytes } from '../engines/http-guard/index.js';
import { keyRing, storedEncryptionKey } from '../engines/keys/index.js';
import {
  type Limiter,
  limiter,
  loadRedisWindows,
  memoryWindows,
  noLimiter,
  type RedisPatience,
} from '../engines/limiter/index.js';
import { mailerOf } from '../engines/mailer/index.js';
import { pushSenders } from '../engines/push-senders/index.js';
import { jobQueue } from '../engines/queue/index.js';
import { type SsrfSafeFetch, ssrfSafeFetch } from '../engines/safe-fetch/index.js';
import { loadOpenTelemetry, type Tracing, tracedCalls } from '../engines/tracing/index.js';
import { ensureConsoleApp } from './apps/console-app.js';
import { appDirectory } from './apps/find-app.js';
import { auditBuffer } from './audit/buffer.js';
import { handleIndexJobs } from './data/records/index-jobs.js';
import { dataDirError } from './data-dir-error.js';
import { databaseStartError } from './database-start-error.js';
import type { ChangeAppDeps, Deps, StoreDeps, VersionTag } from './deps.js';
import type { Config } from './env.js';
import { credentialGate } from './http/credential-gate.js';
import { workTurns } from './http/work-turns.js';
import { identityProviders } from './identities/provider.js';
import { systemClock } from './lib/clock.js';
import { closing } from './lib/closing.js';
import { systemRandom } from './lib/crypto/random.js';
import { systemElapsed } from './lib/elapsed.js';
import { jsonLogger, type Logger } from './lib/logger.js';
import { noMetrics, processMetrics } from './lib/metrics.js';
import { recentValues } from './lib/recent-values.js';
import { wakeSignal } from './lib/wake-signal.js';
import { recentConfigTags } from './remote-config/current-config.js';
import { dailyCounters } from './stats/daily-counters.js';
import { accessTokens } from './tokens/access-token.js';
import { ensureSigningKeys } from './tokens/rotate-signing-keys.js';
import { loadSigningKeys, requireReadableKeys } from './tokens/signing-keys.js';

export type Overrides = Partial<
  Pick<
    Deps,
    'clock' | 'elapsed' | 'random' | 'logger' | 'passwordHasher' | 'fetch' | 'ssrfSafeFetch' | 'fileStore'
  >
> & {
  database?: Database;
  tracing?: Tracing | null;
  /** The timeouts of rate limits in Redis. */
  redisPatience?: RedisPatience;
};

/** Opens the database and migrates it. */
export async function buildStoreDeps(
  config: Config,
  overrides: Overrides = {},
): Promise<{ deps: StoreDeps; database: Database; close(): Promise<void> }> {
  const clock = overrides.clock ?? systemClock;
  const random = overrides.random ?? systemRandom();
  const opened = closing();
  try {
    const { databaseUrl, databaseConnections: connections, dataDir } = config;
    const traceStatement = overrides.tracing?.startStatement;
    const place = databaseUrl ? { databaseUrl, connections } : { dataDir };
    const database = overrides.database ?? (await openDatabase({ ...place, traceStatement }));
    opened.add(() => database.close());
    await migrate(database);
    const encryptionKeys =
      config.encryptionKeys.length > 0
        ? config.encryptionKeys
        : [storedEncryptionKey(config.dataDir, random)];
    const { prisma, query } = database;
    const deps = { config, prisma, query, clock, random, keyRing: keyRing(encryptionKeys, random) };
    return { deps, database, close: () => opened.close() };
  } catch (error) {
    await opened.close();
    if (config.databaseUrl === undefined) throw dataDirError(config.dataDir, error);
    throw databaseStartError(error);
  }
}

/** All jobs are of an app: each app has a share of the concurrency of every lane. */
const appOfJob = ({ appId }: { appId?: unknown }) => (typeof appId === 'string' ? appId : undefined);

/**
 * What changes of an app from the command line need besides: jobs are queued for the running services, which are another process.
 */
export async function withChangeDeps<Result>(
  { deps: stored, database }: { deps: StoreDeps; database: Database },
  work: (deps: ChangeAppDeps) => Promise<Result>,
): Promise<Result> {
  const logger = jsonLogger('silent');
  const queue = jobQueue({ database, keyRing: stored.keyRing, logger, shareOf: appOfJob });
  handleIndexJobs({ ...stored, queue });
  await queue.start();
  const safeFetch = ssrfSafeFetchOf(stored.config, logger);
  try {
    const configTags = recentValues<VersionTag>(stored.clock, recentConfigTags);
    return await work({ ...stored, queue, ssrfSafeFetch: safeFetch, configTags });
  } finally {
    await queue.stop();
    await safeFetch.close();
  }
}

export async function buildDeps(
  config: Config,
  overrides: Overrides = {},
): Promise<{ deps: Deps; database: Database; close(): Promise<void> }> {
  const logger = overrides.logger ?? jsonLogger(config.logLevel);
  const opened = closing();
  const hasher =
    overrides.passwordHasher ??
    passwordHasher(overrides.random ?? systemRandom(), { networkShares: config.rateLimits });
  if (!overrides.passwordHasher) opened.add(() => hasher.close());
  try {
    for (const warning of config.warnings) logger.warn(warning);
    const tracing = await tracingOf(config, logger);
    if (tracing) opened.add(() => tracing.close());
    const { deps: stored, database, close } = await buildStoreDeps(config, { ...overrides, tracing });
    opened.add(close);
    const traced = tracedCalls(tracing);
    for (const warning of await database.warnings()) logger.warn(warning);
    const bufferedAudit = auditBuffer({ ...stored, logger });
    opened.add(() => bufferedAudit.close());
    const counters = dailyCounters({ ...stored, logger });
    opened.add(() => counters.close());
    await requireReadableKeys(stored);
    await ensureSigningKeys(stored, 'ES256');
    await ensureConsoleApp(stored);
    const signingKeys = await loadSigningKeys({ ...stored, logger });
    const limiter = await limiterOf(config, stored, logger, overrides.redisPatience);
    opened.add(() => limiter.close());
    const outward = { fetch: traced.fetch(overrides.fetch ?? fetch), clock: stored.clock, logger };
    const safeFetch = overrides.ssrfSafeFetch ?? ssrfSafeFetchOf(config, logger);
    if (!overrides.ssrfSafeFetch) opened.add(() => safeFetch.close());
    const mailer = traced.mailer(await mailerOf(config, logger));
    opened.add(async () => mailer.close());
    const senders = traced.pushSenders(
      pushSenders({ ...stored, ...outward, ssrfSafeFetch: safeFetch }, config.push),
    );
    opened.add(() => senders.close());
    const deps: Deps = {
      ...stored,
      ...outward,
      elapsed: overrides.elapsed ?? systemElapsed,
      ssrfSafeFetch: traced.webhooks(safeFetch),
      providers: identityProviders(config, { ...outward, ssrfSafeFetch: safeFetch }),
      signingKeys,
      accessTokens: accessTokens({ ...stored, signingKeys, config }),
      apps: appDirectory(stored.prisma, stored.clock, async (app) => {
        // Another process may have created the app, and the first keys of its algorithm with it.
        if (!signingKeys.signsWith(app.tokenAlgorithm)) await signingKeys.reload('now');
      }),
      auditBuffer: bufferedAudit,
      dailyCounters: counters,
      configMemory: new Map(),
      configTags: recentValues(stored.clock, recentConfigTags),
      passwordHasher: hasher,
      limiter,
      credentialGate: credentialGate(limiter, stored.clock),
      byteBudget: byteBudget(config.bufferBytes ?? defaultBudgetBytes()),
      uploadBudget: byteBudget(bounds.memory.uploadBytes),
      turns: workTurns(database.kind, config.databaseConnections),
      metrics: config.metricsPort === undefined ? noMetrics : await processMetrics(),
      tracing,
      background: wakeSignal(),
      mailer,
      pushSenders: senders,
      fileStore: overrides.fileStore ?? (await fileStoreOf(config, logger)),
      queue: jobQueue({ database, keyRing: stored.keyRing, logger, shareOf: appOfJob }),
    };
    opened.add(() => deps.queue.stop());
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

async function tracingOf({ tracing }: Config, logger: Logger): Promise<Tracing | null> {
  if (!tracing) return null;
  const { openTelemetry } = await loadOpenTelemetry().catch((cause) => {
    throw new Error(
      'OTEL_EXPORTER_OTLP_ENDPOINT is set, and the optional dependencies for traces are not installed (@opentelemetry/…)',
      { cause },
    );
  });
  return openTelemetry(tracing, logger);
}

async function limiterOf(
  config: Config,
  { clock, keyRing }: Pick<StoreDeps, 'clock' | 'keyRing'>,
  logger: Logger,
  patience?: RedisPatience,
): Promise<Limiter> {
  if (!config.rateLimits) {
    logger.warn('RATE_LIMITS=off: passwords are not protected from guessing; for load tests only');
    return noLimiter;
  }
  const { redis } = config;
  const drawKey = keyRing.derive(keyRing.currentKeyId, 'draw of mails');
  if (!redis) return limiter(memoryWindows(), clock, drawKey);
  const { redisWindows } = await loadRedisWindows();
  return limiter(await redisWindows(redis, logger, patience), clock, drawKey);
}

function ssrfSafeFetchOf(config: Config, logger: Logger): SsrfSafeFetch {
  if (config.outboundLoopback) {
    logger.warn('OUTBOUND_LOOPBACK=on: webhooks can reach services on this machine; for development only');
  }
  return ssrfSafeFetch({ loopback: config.outboundLoopback });
}

export async function fileStoreOf(
  config: Pick<Config, 'fileStore' | 'databaseUrl'>,
  logger: Logger,
): Promise<FileStore> {
  const { fileStore } = config;
  if (fileStore.kind === 's3') {
    const { s3FileStore } = await loadS3FileStore();
    return s3FileStore(fileStore, logger);
  }
  if (config.databaseUrl !== undefined && !fileStore.chosen) {
    logger.warn(
      { directory: fileStore.directory },
      'neither S3_ENDPOINT nor FILES_DIR is set: files are stored on the disk of this machine, where other instances cannot read them',
    );
  }
  return diskFileStore(fileStore.directory, makeDirectory);
}

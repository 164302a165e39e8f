// testService(): the real service over HTTP on a database of its own, with a manual clock.
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AppSettingsPatch, ErrorCode, TokenAnswer } from '@foyer/contract';
import type { AuditLog, Database, Prisma } from '@foyer/prisma';
import { createTestDatabase } from '@foyer/prisma/testing';
import type { PasswordHasher } from '../engines/hashing/index.js';
import { type HasherOptions, passwordHasher } from '../engines/hashing/password-hasher.js';
import { type Listening, listen } from '../engines/http-guard/listen.js';
import type { Mail } from '../engines/mailer/mail.js';
import { createExpressApp } from '../src/app.js';
import { createApp as createFoyerApp, type NewApp } from '../src/apps/create-app.js';
import type { Deps } from '../src/deps.js';
import { type Config, readConfig } from '../src/env.js';
import { refusals } from '../src/http/refusals.js';
import { systemRandom } from '../src/lib/crypto/random.js';
import { jsonLogger } from '../src/lib/logger.js';
import { type Scheduler, scheduler, startJobs } from '../src/scheduler.js';
import { buildDeps, type Overrides } from '../src/wiring.js';
import { requireContractAnswers } from './answer-findings.js';
import { auditDemand } from './audit-demand.js';
import { requireDeclaredHeaders } from './declared-headers.js';
import { judgeAnswers } from './judged-answers.js';

export type ManualClock = { now(): Date; set(date: Date): void; advance(milliseconds: number): void };

/** Starts at a time with milliseconds, so that no test passes because of rounding. */
export function manualClock(start = new Date('2026-03-01T10:00:00.123Z')): ManualClock {
  let time = start.getTime();
  return {
    now: () => new Date(time),
    set(date) {
      time = date.getTime();
    },
    advance(milliseconds) {
      time += milliseconds;
    },
  };
}

export type Answer<Data = unknown> = {
  status: number;
  headers: Headers;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests reach into answers of every shape.
  json: any;
  data: Data;
  code: ErrorCode | undefined;
};

export type CallOptions = {
  body?: unknown;
  /** Sent as multipart/form-data instead of the body. */
  form?: FormData;
  token?: string | undefined;
  appKey?: string | null;
  headers?: Record<string, string>;
  /** The version of the API; v2 by default. */
  version?: 'v1' | 'v2';
};

export type TestServiceOptions = {
  /** Rate limits are off except in tests of them. */
  rateLimits?: boolean;
  onStatement?: (sql: string) => void;
  database?: Database;
  clock?: ManualClock;
  config?: Partial<Config>;
  overrides?: Overrides;
  /** False for tests that count what the service parses itself. */
  judgeAnswers?: boolean;
  onLogLine?: (line: string) => void;
  /** The app of an earlier service on the same database; by default a new one is created. */
  firstApp?: NewApp;
  /** Listens here, and BASE_URL says so, for clients that follow the URLs in tokens and documents. */
  port?: number;
};

export type TestUser = { uid: string; email: string; password: string; tokens: TokenAnswer };

export type TestService = {
  url: string;
  deps: Deps;
  clock: ManualClock;
  database: Database;
  app: NewApp;
  listening: Listening;
  /** Moves the clock and runs what became due, queued jobs included. */
  advance(milliseconds: number): Promise<void>;
  /** A call with the first app's key. */
  call<Data = unknown>(method: string, path: string, options?: CallOptions): Promise<Answer<Data>>;
  newApp(name?: string): Promise<NewApp>;
  /** With a secret key of the app, by default of the first one. */
  changeSettings(settings: AppSettingsPatch, app?: NewApp): Promise<void>;
  signUp(options?: { email?: string; password?: string; appKey?: string }): Promise<TestUser>;
  signIn(user: { email: string; password: string }, options?: CallOptions): Promise<Answer<TokenAnswer>>;
  refresh(refreshToken: string, appKey?: string): Promise<Answer<TokenAnswer>>;
  /** The mails to an email, newest first; queued ones are delivered before. */
  mailbox(to: string): Promise<Mail[]>;
  /** The audit entries that match, oldest first; buffered ones are written before. */
  auditEntries(where?: Prisma.AuditLogWhereInput): Promise<AuditLog[]>;
  /** A second instance on the same database, for the same app, with the same clock unless overridden. */
  secondInstance(options?: TestServiceOptions): Promise<TestService>;
  stop(): Promise<void>;
};

let sharedHasher: PasswordHasher | undefined;

/**
 * Hashing at minimal cost: the default of `testService`. Without options the hasher is shared by the whole process,
 * because starting threads takes time; closing it does nothing.
 */
export function cheapPasswordHasher(options?: HasherOptions): PasswordHasher {
  const parameters = { memoryCost: 8, timeCost: 1, parallelism: 1 };
  const start = () =>
    passwordHasher(systemRandom(), { parameters, threads: 2, networkShares: false, ...options });
  if (options) return start();
  if (!sharedHasher) {
    sharedHasher = start();
    sharedHasher.close = async () => {};
  }
  return sharedHasher;
}

/** Refuses every password, like a hasher with a full queue. */
export async function busyPasswordHasher(): Promise<PasswordHasher> {
  const hasher = await cheapPasswordHasher({ threads: 1 });
  await hasher.close();
  return hasher;
}

/** The statements a service sends, for tests of how many a call may need. */
export function statementLog() {
  const statements: string[] = [];
  return {
    onStatement: (sql: string) => {
      statements.push(sql);
    },
    async during(work: () => Promise<unknown>): Promise<string[]> {
      const from = statements.length;
      await work();
      return statements.slice(from);
    },
  };
}

/** The payload of a JWT, unverified. */
// biome-ignore lint/suspicious/noExplicitAny: tests reach into claims of every shape.
export function claimsOf(jwt: string): any {
  return JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString());
}

export const testEncryptionKey = 'a-secret-key-for-tests-alone-and-long-enough';

export async function testService(options: TestServiceOptions = {}): Promise<TestService> {
  const clock = options.clock ?? manualClock();
  const database =
    options.database ??
    (await createTestDatabase(options.onStatement ? { onStatement: options.onStatement } : {}));
  const { port = 0 } = options;
  const baseUrl = port ? `http://127.0.0.1:${port}` : 'https://accounts.test';
  const filesDirectory = join(tmpdir(), `foyer-files-${randomUUID()}`);
  const config: Config = {
    ...readConfig({ ENCRYPTION_KEYS: testEncryptionKey, BASE_URL: baseUrl, FILES_DIR: filesDirectory }),
    rateLimits: options.rateLimits ?? false,
    // Its BASE_URL is not this machine, but tests read mails.
    devMailbox: options.config?.smtp === undefined && options.config?.databaseUrl === undefined,
    ...options.config,
  };
  const logger = jsonLogger(options.onLogLine ? 'info' : 'silent', {
    write: (line) => options.onLogLine?.(line),
  });
  const hasher = options.overrides?.passwordHasher ?? cheapPasswordHasher();
  const { deps, close } = await buildDeps(config, {
    clock,
    logger,
    database,
    ...options.overrides,
    passwordHasher: hasher,
  });
  const application = createExpressApp(deps);
  if (options.judgeAnswers ?? true) judgeAnswers(application);
  const listening = await listen(application, port, '127.0.0.1', { refusals: refusals(deps) });
  await startJobs(deps);
  const background: Scheduler = scheduler(deps, { timer: false });
  const url = `http://127.0.0.1:${listening.port}`;
  const app = options.firstApp ?? (await createFoyerApp(deps, { name: 'Test' }));
  await deps.signingKeys.reload('now');

  async function call<Data>(
    method: string,
    path: string,
    overrides: CallOptions = {},
  ): Promise<Answer<Data>> {
    const headers: Record<string, string> = { ...overrides.headers };
    const appKey = overrides.appKey === undefined ? app.app.appKey : overrides.appKey;
    if (appKey !== null) headers['x-app-key'] = appKey;
    if (overrides.token) headers.authorization = `Bearer ${overrides.token}`;
    const init: RequestInit = { method, headers };
    if (overrides.body !== undefined) {
      headers['content-type'] ??= 'application/json';
      init.body = typeof overrides.body === 'string' ? overrides.body : JSON.stringify(overrides.body);
    }
    if (overrides.form) init.body = overrides.form;
    const requireEntry = await auditDemand(database, {
      method,
      path,
      appKey: headers['x-app-key'],
      token: overrides.token,
      body: overrides.body,
    });
    const response = await fetch(`${url}/api/${overrides.version ?? 'v2'}${path}`, init);
    const text = await response.text();
    const json = text === '' ? undefined : JSON.parse(text);
    if (response.ok) await requireEntry(response);
    if (overrides.version !== 'v1') requireDeclaredHeaders(method, path, response);
    return {
      status: response.status,
      headers: response.headers,
      text,
      json,
      data: json?.data,
      code: json?.error?.code,
    };
  }

  return {
    url,
    deps,
    clock,
    database,
    app,
    listening,
    call,
    async advance(milliseconds) {
      clock.advance(milliseconds);
      await background.run();
      await passQueueTime(database, milliseconds);
      await deps.queue.runNow();
    },
    newApp: (name = 'Another') => createFoyerApp(deps, { name }),
    async changeSettings(settings, { app: { appKey }, secretKey: token } = app) {
      const answer = await call('PATCH', '/admin/settings', { appKey, token, body: settings });
      if (answer.status !== 200) throw new Error(`the settings answered ${answer.status}: ${answer.text}`);
    },
    async signUp(overrides = {}) {
      const email = overrides.email ?? `user-${randomUUID()}@example.com`;
      const password = overrides.password ?? 'correct horse battery staple';
      const body = { email, password };
      const answer = await call<TokenAnswer>('POST', '/auth/sign-up', {
        body,
        ...(overrides.appKey !== undefined && { appKey: overrides.appKey }),
      });
      if (answer.status !== 201) throw new Error(`sign-up answered ${answer.status}: ${answer.text}`);
      return { uid: answer.data.user.uid, email, password, tokens: answer.data };
    },
    signIn: ({ email, password }, overrides = {}) =>
      call<TokenAnswer>('POST', '/auth/sign-in', { ...overrides, body: { email, password } }),
    async mailbox(to) {
      await deps.queue.runNow();
      return deps.mailer.mailbox?.mails(to) ?? [];
    },
    async auditEntries(where = {}) {
      await deps.auditBuffer.flush();
      return database.prisma.auditLog.findMany({ where, orderBy: { id: 'asc' } });
    },
    secondInstance: (overrides = {}) =>
      testService({
        clock,
        firstApp: app,
        database: { ...database, close: async () => {} },
        ...overrides,
        overrides: { ...options.overrides, ...overrides.overrides },
      }),
    refresh: (refreshToken, appKey) =>
      call<TokenAnswer>('POST', '/auth/token/refresh', {
        body: { refresh_token: refreshToken },
        ...(appKey !== undefined && { appKey }),
      }),
    async stop() {
      await listening.stop(1_000);
      await background.stop();
      await close();
      await rm(filesDirectory, { recursive: true, force: true });
      requireContractAnswers();
    },
  };
}

/** The queue uses the database's clock, which cannot be moved: its times are moved back instead. */
export async function passQueueTime(database: Database, milliseconds: number): Promise<void> {
  const passed = `${milliseconds} milliseconds`;
  await database.prisma.$executeRaw`UPDATE pgboss.job SET start_after = start_after - ${passed}::interval,
    started_on = started_on - ${passed}::interval, keep_until = keep_until - ${passed}::interval`;
}

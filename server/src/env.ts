// The environment variables of the process: one schema validates them, and an invalid value stops the start. No other file
// reads process.env.
import { join } from 'node:path';
import { errorMap, isUrl, limits } from '@foyer/contract';
import * as z from 'zod';
import type { FileStoreOptions } from '../engines/file-store/index.js';
import { minEncryptionKeyBytes } from '../engines/keys/index.js';
import { type RedisAddress, redisAddress } from '../engines/limiter/index.js';
import type { SmtpOptions } from '../engines/mailer/index.js';
import type { TracingOptions } from '../engines/tracing/index.js';
import { warningsOf } from './env-warnings.js';
import { givenValues, isQuoted, withoutQuotes } from './lib/given-values.js';
import { isLoopbackHost } from './lib/loopback-host.js';
import { isTrustProxy, readTrustProxy } from './lib/trust-proxy.js';
import {
  hasKnownSslMode,
  isDecodable,
  mayContainUnencodedPassword,
  namesSeveralHosts,
  requestedSchema,
  sslModes,
  withHost,
} from './lib/url-with-password.js';

const wholeNumber = (least: number, most: number) =>
  z
    .string()
    .refine(
      (value) => /^\d{1,9}$/.test(value) && Number(value) >= least && Number(value) <= most,
      `must be a whole number from ${least} to ${most}`,
    )
    .transform(Number);

const percentEncoded =
  'must be a valid URL, with special characters percent-encoded, such as a # of the password as %23';

const url = (...protocols: string[]) => {
  const starts = protocols.map((protocol) => `${protocol}//`);
  return z.string().refine((value) => isUrl(value) && protocols.includes(new URL(value).protocol), {
    error: ({ input }) =>
      starts.some((start) => String(input).startsWith(start))
        ? percentEncoded
        : `must be a URL that starts with ${starts.join(' or ')}`,
    // Later refinements may assume a valid URL.
    abort: true,
  });
};

const urlWithPassword = (...protocols: string[]) =>
  url(...protocols).refine((value) => !mayContainUnencodedPassword(value), {
    error: percentEncoded,
    abort: true,
  });

/** An identity provider authenticates users, so the connection to it must be encrypted. */
const providerUrl = url('http:', 'https:').refine(
  (value) => new URL(value).protocol === 'https:' || isLoopbackHost(new URL(value).hostname),
  'must start with https:// (http:// is for loopback hosts only)',
);

const s3Url = url('http:', 'https:').refine(
  (value) => !/[?#@]/.test(value),
  'must be a URL without credentials, query and fragment',
);

const keyList = z
  .string()
  .refine(
    (value) => splitKeys(value).every((key) => Buffer.byteLength(key) >= minEncryptionKeyBytes),
    `must have at least ${minEncryptionKeyBytes} bytes per key`,
  );

const oneHost = 'must name one host: of several servers, a DNS name or a proxy that leads to the primary';

const redisForms =
  'must be a URL such as redis://host:6379, redis+sentinel://host:26379,host:26379/master or redis+cluster://host:6379 ' +
  '(with TLS: rediss), with special characters percent-encoded, such as a % of the password as %25';

const oneOf = <const Choices extends readonly string[]>(...choices: Choices) =>
  z.enum(choices, { error: `must be one of ${choices.join(', ')}` });

const port = wholeNumber(0, 65_535);

const Environment = z.object({
  PORT: port.default(3_000),
  HOST: z.string().optional(),
  BASE_URL: z
    .string()
    .refine(isOrigin, 'must be an origin without a path, such as https://accounts.example.com')
    .optional(),
  DATABASE_URL: z
    .string()
    .refine((value) => !namesSeveralHosts(value), { error: oneHost, abort: true })
    .transform(withHost)
    .pipe(urlWithPassword('postgresql:', 'postgres:'))
    .refine(isDecodable, 'must be percent-encoded in UTF-8: write a % of the password as %25')
    .refine(
      (value) => ['public', null].includes(requestedSchema(value)),
      'must not ask for a schema (schema, or search_path in options): the tables are in the schema public, so create a ' +
        'database for Foyer alone',
    )
    .refine(hasKnownSslMode, `sslmode must be one of ${sslModes.join(', ')}`)
    .optional(),
  DATABASE_CONNECTIONS: wholeNumber(1, 1_000).default(10),
  DATA_DIR: z.string().default('.foyer'),
  ENCRYPTION_KEYS: keyList.optional(),
  /** The name of ENCRYPTION_KEYS in earlier releases. */
  SECRET_KEY: keyList.optional(),
  FILES_DIR: z.string().optional(),
  S3_ENDPOINT: s3Url.optional(),
  S3_PUBLIC_ENDPOINT: s3Url.optional(),
  S3_REGION: z.string().default('us-east-1'),
  S3_BUCKET: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'must be a bucket name')
    .optional(),
  S3_ACCESS_KEY_ID: z.string().optional(),
  S3_SECRET_ACCESS_KEY: z.string().optional(),
  S3_PATH_STYLE: oneOf('on', 'off').default('on'),
  REDIS_URL: z
    .string()
    .transform((value, context) => {
      const address = redisAddress(value);
      if (!address) context.addIssue({ code: 'custom', message: redisForms });
      return address as RedisAddress;
    })
    .optional(),
  SMTP_URL: urlWithPassword('smtp:', 'smtps:')
    .refine((value) => new URL(value).hostname !== '', 'must name the host of the mail server')
    .optional(),
  MAIL_FROM: z.email('must be an email address such as accounts@example.com').optional(),
  TRUST_PROXY: z
    .string()
    .refine(isTrustProxy, 'must be a number of hops, or a comma-separated list of IP addresses and networks')
    .optional(),
  RATE_LIMITS: oneOf('on', 'off').default('on'),
  BUFFER_MIB: wholeNumber(16, 65_536).optional(),
  AUDIT_DAYS: wholeNumber(limits.countedAuditDays, 3_650).default(limits.auditDays),
  LOG_LEVEL: oneOf('fatal', 'error', 'warn', 'info', 'debug', 'silent').default('info'),
  METRICS_PORT: port.optional(),
  METRICS_HOST: z.string().default('127.0.0.1'),
  OTEL_EXPORTER_OTLP_ENDPOINT: url('http:', 'https:').optional(),
  OTEL_EXPORTER_OTLP_HEADERS: z
    .string()
    .refine(
      (value) => readHeaders(value) !== null,
      'must be a list such as name=value,other=value, with percent-encoded values',
    )
    .default(''),
  OTEL_SERVICE_NAME: z.string().default('foyer'),
  OTEL_TRACES_SAMPLER_ARG: z
    .string()
    .refine((value) => /^(0(\.\d{1,9})?|1(\.0{1,9})?)$/.test(value), 'must be a share from 0 to 1')
    .default('1'),
  OUTBOUND_LOOPBACK: oneOf('on', 'off').default('off'),
  PROVIDER_A_ISSUER: providerUrl.optional(),
  PROVIDER_A_JWKS_URL: providerUrl.optional(),
  PROVIDER_B_ISSUER: providerUrl.optional(),
  PROVIDER_B_JWKS_URL: providerUrl.optional(),
  PROVIDER_B_TOKEN_URL: providerUrl.optional(),
  PROVIDER_B_REVOKE_URL: providerUrl.optional(),
  FCM_URL: providerUrl.default('https://fcm.googleapis.com'),
  FCM_TOKEN_URL: providerUrl.default('https://oauth2.googleapis.com/token'),
  APNS_URL: providerUrl.default('https://api.push.apple.com'),
  APNS_SANDBOX_URL: providerUrl.default('https://api.sandbox.push.apple.com'),
});

export type Config = ReturnType<typeof readConfig>;

/** The variables that `.env.example` lists. */
export const variables = Object.keys(Environment.omit({ SECRET_KEY: true }).shape);

/** Throws an Error that names each invalid variable and the reason on its own line, never the value. */
export function readConfig(environment: Record<string, string | undefined>) {
  const given = withoutServiceLinks(givenValues(environment));
  const quoted = variables.filter((name) => name !== 'ENCRYPTION_KEYS' && isQuoted(given[name]));
  if (quoted.length > 0) throw environmentError(...quoted.map((name) => `${name}: ${withoutQuotes}`));
  const result = Environment.safeParse(given, { error: errorMap });
  if (!result.success) {
    throw environmentError(
      ...result.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`),
    );
  }
  const env = result.data;
  const host = env.HOST ?? (env.DATABASE_URL ? '0.0.0.0' : '127.0.0.1');
  requireOwnMetricsPort(env, host);
  const encryptionKeys = readEncryptionKeys(env);
  const baseUrl = new URL(env.BASE_URL ?? `http://localhost:${env.PORT}`).origin;
  return {
    port: env.PORT,
    host,
    /** The public origin, without a trailing slash. */
    baseUrl,
    /** Undefined: the embedded database under `dataDir`. */
    databaseUrl: env.DATABASE_URL,
    databaseConnections: env.DATABASE_CONNECTIONS,
    dataDir: env.DATA_DIR,
    /** The first is current. Empty on the embedded database: the service generates a key and stores it in `dataDir`. */
    encryptionKeys,
    fileStore: readFileStore(env),
    redis: env.REDIS_URL,
    /** Undefined: mail goes to the development mailbox if enabled, otherwise sending fails. */
    smtp: readSmtp(env),
    /** Serves unsent mail at /dev/mailbox; only with the embedded database and a loopback `baseUrl`. */
    devMailbox:
      env.SMTP_URL === undefined &&
      env.DATABASE_URL === undefined &&
      isLoopbackHost(new URL(baseUrl).hostname),
    /** True under `foyer dev` only: the development mailbox opens without its secret. No variable sets it. */
    openMailbox: false,
    /** The `trust proxy` setting of Express: off, a number of hops, or a list of proxies. */
    trustProxy: readTrustProxy(env.TRUST_PROXY),
    rateLimits: env.RATE_LIMITS === 'on',
    /** How long entries of the audit log are stored. */
    auditDays: env.AUDIT_DAYS,
    /** Total memory for request bodies and large responses; undefined: a share of the heap. */
    bufferBytes: env.BUFFER_MIB === undefined ? undefined : env.BUFFER_MIB * 1_024 * 1_024,
    logLevel: env.LOG_LEVEL,
    /** Logged at the start. */
    warnings: warningsOf(env, baseUrl),
    metricsPort: env.METRICS_PORT,
    metricsHost: env.METRICS_HOST,
    /** Undefined: no traces. */
    tracing: readTracing(env),
    /** Allows webhooks to loopback hosts, also over http; for development. */
    outboundLoopback: env.OUTBOUND_LOOPBACK === 'on',
    /** Per process, never per app: these URLs decide who is authenticated. */
    ...readProviders(env),
    /** Receive the push credentials of apps. */
    push: {
      fcmUrl: withoutSlash(env.FCM_URL),
      fcmTokenUrl: env.FCM_TOKEN_URL,
      apnsUrl: withoutSlash(env.APNS_URL),
      apnsSandboxUrl: withoutSlash(env.APNS_SANDBOX_URL),
    },
  };
}

/** Reads the environment of an app, whose DATABASE_URL or PORT is not for Foyer: reads only what can have no other meaning. */
export function readDevConfig(environment: Record<string, string | undefined>, own: Record<string, string>) {
  const names = Object.keys(environment).filter((name) => /^(PROVIDER_[AB]|FCM|APNS)_/.test(name));
  return readConfig({ ...Object.fromEntries(names.map((name) => [name, environment[name]])), ...own });
}

/** Kubernetes sets METRICS_PORT, to a URL, for a service that is named `metrics`. */
function withoutServiceLinks(given: Record<string, string>): Record<string, string> {
  const { METRICS_PORT, ...others } = given;
  return METRICS_PORT && /^(tcp|udp|sctp):\/\//.test(METRICS_PORT) ? others : given;
}

function environmentError(...lines: string[]): Error {
  return new Error(`invalid environment:\n  ${lines.join('\n  ')}`);
}

/** Otherwise the second listener would report that another process uses the port. */
function requireOwnMetricsPort(
  { PORT, METRICS_PORT, METRICS_HOST }: z.infer<typeof Environment>,
  host: string,
) {
  if (METRICS_PORT === 0 || METRICS_PORT !== PORT) return;
  const share =
    host === METRICS_HOST || [host, METRICS_HOST].some((name) => name === '0.0.0.0' || name === '::');
  if (share) throw environmentError('METRICS_PORT: must differ from PORT');
}

function readEncryptionKeys({
  ENCRYPTION_KEYS,
  SECRET_KEY,
  DATABASE_URL,
}: z.infer<typeof Environment>): string[] {
  const keys = splitKeys(ENCRYPTION_KEYS ?? SECRET_KEY ?? '');
  if (SECRET_KEY !== undefined && splitKeys(SECRET_KEY).join() !== keys.join()) {
    throw environmentError(
      'SECRET_KEY: differs from ENCRYPTION_KEYS, its new name; remove SECRET_KEY, and list its keys in ENCRYPTION_KEYS',
    );
  }
  if (DATABASE_URL && keys.length === 0) {
    throw environmentError(
      'ENCRYPTION_KEYS: is required with DATABASE_URL; generate a key with `openssl rand -base64 32`',
    );
  }
  return keys;
}

function splitKeys(value: string): string[] {
  return value.split(',').flatMap((key) => key.trim() || []);
}

function readSmtp({ SMTP_URL, MAIL_FROM }: z.infer<typeof Environment>): SmtpOptions | undefined {
  if (SMTP_URL === undefined) return undefined;
  if (MAIL_FROM === undefined) {
    throw environmentError('MAIL_FROM: is required with SMTP_URL; it is the sender address of all mail');
  }
  return { url: SMTP_URL, from: MAIL_FROM };
}

function readFileStore(env: z.infer<typeof Environment>): FileStoreOptions {
  const s3 = allOrNone(
    env,
    ['S3_ENDPOINT', 'S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'],
    'to store files in S3',
  );
  if (!s3) {
    const directory = env.FILES_DIR ?? join(env.DATA_DIR, 'files');
    return { kind: 'disk', directory, chosen: env.FILES_DIR !== undefined };
  }
  return {
    kind: 's3',
    endpoint: s3.S3_ENDPOINT,
    publicEndpoint: env.S3_PUBLIC_ENDPOINT ?? s3.S3_ENDPOINT,
    region: env.S3_REGION,
    bucket: s3.S3_BUCKET,
    accessKeyId: s3.S3_ACCESS_KEY_ID,
    secretAccessKey: s3.S3_SECRET_ACCESS_KEY,
    pathStyle: env.S3_PATH_STYLE === 'on',
  };
}

/** Google and Apple by default. Another provider must be set completely: an issuer never combines with other keys. */
function readProviders(env: z.infer<typeof Environment>) {
  const a = allOrNone(env, ['PROVIDER_A_ISSUER', 'PROVIDER_A_JWKS_URL']);
  const b = allOrNone(env, [
    'PROVIDER_B_ISSUER',
    'PROVIDER_B_JWKS_URL',
    'PROVIDER_B_TOKEN_URL',
    'PROVIDER_B_REVOKE_URL',
  ]);
  return {
    providerA: {
      issuers: issuersOf(a?.PROVIDER_A_ISSUER ?? googleIssuer),
      jwksUrl: a?.PROVIDER_A_JWKS_URL ?? 'https://www.googleapis.com/oauth2/v3/certs',
    },
    providerB: {
      issuers: [b?.PROVIDER_B_ISSUER ?? 'https://appleid.apple.com'] as Issuers,
      jwksUrl: b?.PROVIDER_B_JWKS_URL ?? 'https://appleid.apple.com/auth/keys',
      tokenUrl: b?.PROVIDER_B_TOKEN_URL ?? 'https://appleid.apple.com/auth/token',
      revokeUrl: b?.PROVIDER_B_REVOKE_URL ?? 'https://appleid.apple.com/auth/revoke',
    },
  };
}

/** The accepted `iss` values of ID tokens. */
type Issuers = [string, ...string[]];

const googleIssuer = 'https://accounts.google.com';

/** Google issues tokens with and without the scheme in `iss`. */
function issuersOf(issuer: string): Issuers {
  return issuer === googleIssuer ? [issuer, 'accounts.google.com'] : [issuer];
}

function allOrNone<Name extends string>(
  env: Partial<Record<Name, string | undefined>>,
  names: Name[],
  purpose = 'with the other URLs of the same provider',
): Record<Name, string> | null {
  const missing = names.filter((name) => env[name] === undefined);
  if (missing.length === names.length) return null;
  if (missing.length > 0) throw environmentError(`${missing.join(', ')}: required ${purpose}`);
  return Object.fromEntries(names.map((name) => [name, env[name]])) as Record<Name, string>;
}

function readTracing(env: z.infer<typeof Environment>): TracingOptions | undefined {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint } = env;
  if (endpoint === undefined) return undefined;
  return {
    url: `${withoutSlash(endpoint)}/v1/traces`,
    headers: readHeaders(env.OTEL_EXPORTER_OTLP_HEADERS) ?? {},
    serviceName: env.OTEL_SERVICE_NAME,
    ratio: Number(env.OTEL_TRACES_SAMPLER_ARG),
  };
}

/** `name=value,other=value`, URL-encoded; null if it has another form. */
function readHeaders(value: string): Record<string, string> | null {
  const entries = value.split(',').flatMap((entry) => entry.trim() || []);
  if (!entries.every((entry) => /^[\w-]+=[^\s,]*$/.test(entry))) return null;
  try {
    return Object.fromEntries(
      entries.map((entry) => {
        const [name = '', ...rest] = entry.split('=');
        return [name, decodeURIComponent(rest.join('='))];
      }),
    );
  } catch {
    return null;
  }
}

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, '');
}

function isOrigin(value: string): boolean {
  if (/[?#@]/.test(value) || !isUrl(value)) return false;
  const { protocol, pathname } = new URL(value);
  return (protocol === 'https:' || protocol === 'http:') && pathname === '/';
}

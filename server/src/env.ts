// The environment of the process (conventions of the API, "The process"): one schema reads it, and a wrong value stops
// the start with a sentence. Nothing else reads process.env.
import { isIP } from 'node:net';
import { join } from 'node:path';
import { errorMap } from '@foyer/contract';
import { z } from 'zod';
import { minSecretKeyBytes } from './lib/crypto/key-ring.js';
import type { FileStoreOptions } from './lib/files/file-store.js';
import type { SmtpOptions } from './lib/mail/smtp-mailer.js';
import type { PushAddresses } from './lib/push/push-senders.js';

const wholeNumber = (least: number, most: number) =>
  z
    .string()
    .refine(
      (value) => /^\d{1,9}$/.test(value) && Number(value) >= least && Number(value) <= most,
      `must be a whole number from ${least} to ${most}`,
    )
    .transform(Number);

const address = (...protocols: string[]) =>
  z.string().refine((value) => URL.canParse(value) && protocols.includes(new URL(value).protocol), {
    error: `must be an address that starts with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
    // What is asked of an address beyond this can count on its being one.
    abort: true,
  });

/** Identity providers decide who somebody is: nothing on the way to them may be read or changed by others. */
const providerAddress = address('http:', 'https:').refine(
  (value) => new URL(value).protocol === 'https:' || isLoopback(new URL(value).hostname),
  'must start with https:// (http:// is for this machine alone)',
);

/** An S3-compatible service: where it is, and nothing else. */
const s3Address = address('http:', 'https:').refine(
  (value) => !/[?#@]/.test(value),
  'must be an address alone, without credentials and query',
);

const oneOf = <const Choices extends readonly string[]>(...choices: Choices) =>
  z.enum(choices, { error: `must be one of ${choices.join(', ')}` });

const port = wholeNumber(0, 65_535);

const Environment = z.object({
  PORT: port.default(3_000),
  HOST: z.string().optional(),
  BASE_URL: z
    .string()
    .refine(isOrigin, 'must be an origin alone, such as https://accounts.example.com')
    .optional(),
  DATABASE_URL: address('postgresql:', 'postgres:').optional(),
  DATABASE_CONNECTIONS: wholeNumber(1, 1_000).default(10),
  DATA_DIR: z.string().default('.foyer'),
  SECRET_KEY: z
    .string()
    .refine(
      (value) => keysOf(value).every(isLongEnough),
      `must have at least ${minSecretKeyBytes} bytes a key`,
    )
    .optional(),
  FILES_DIR: z.string().optional(),
  S3_ENDPOINT: s3Address.optional(),
  S3_PUBLIC_ENDPOINT: s3Address.optional(),
  S3_REGION: z.string().default('us-east-1'),
  S3_BUCKET: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'must be the name of a bucket')
    .optional(),
  S3_ACCESS_KEY_ID: z.string().optional(),
  S3_SECRET_ACCESS_KEY: z.string().optional(),
  S3_PATH_STYLE: oneOf('on', 'off').default('on'),
  REDIS_URL: address('redis:', 'rediss:').optional(),
  SMTP_URL: address('smtp:', 'smtps:').optional(),
  MAIL_FROM: z.email('must be an email address such as accounts@example.com').optional(),
  TRUST_PROXY: z
    .string()
    .refine(
      (value) => /^\d{1,3}$/.test(value) || value.split(',').every((entry) => isProxy(entry.trim())),
      'must be a number of hops, or addresses and networks, separated by commas',
    )
    .optional(),
  RATE_LIMITS: oneOf('on', 'off').default('on'),
  BUFFER_MIB: wholeNumber(16, 65_536).optional(),
  LOG_LEVEL: oneOf('fatal', 'error', 'warn', 'info', 'debug', 'silent').default('info'),
  METRICS_PORT: port.optional(),
  METRICS_HOST: z.string().default('127.0.0.1'),
  OUTBOUND_LOOPBACK: oneOf('on', 'off').default('off'),
  PROVIDER_A_ISSUER: providerAddress.optional(),
  PROVIDER_A_JWKS_URL: providerAddress.optional(),
  PROVIDER_B_ISSUER: providerAddress.optional(),
  PROVIDER_B_JWKS_URL: providerAddress.optional(),
  PROVIDER_B_TOKEN_URL: providerAddress.optional(),
  PROVIDER_B_REVOKE_URL: providerAddress.optional(),
  FCM_URL: providerAddress.default('https://fcm.googleapis.com'),
  FCM_TOKEN_URL: providerAddress.default('https://oauth2.googleapis.com/token'),
  APNS_URL: providerAddress.default('https://api.push.apple.com'),
  APNS_SANDBOX_URL: providerAddress.default('https://api.sandbox.push.apple.com'),
});

/** Where an identity provider is, and what its ID tokens name as their issuer. */
export type ProviderAddresses = { issuers: [string, ...string[]]; jwksUrl: string };

export type Config = {
  port: number;
  host: string;
  /** The public origin, without a slash at the end. */
  baseUrl: string;
  /** Undefined: the embedded database under `dataDir`. */
  databaseUrl: string | undefined;
  databaseConnections: number;
  dataDir: string;
  /** Empty on an embedded database: a key is made and kept under `dataDir`. */
  secretKeys: string[];
  fileStore: FileStoreOptions;
  redisUrl: string | undefined;
  /** Undefined: mail goes to the development mailbox where there is one, else no mail can be sent. */
  smtp: SmtpOptions | undefined;
  /** Mail is kept for /dev/mailbox: for development, with everything on one machine. */
  devMailbox: boolean;
  /** What express is to believe of forwarded headers: nothing, a number of hops, or a list of proxies. */
  trustProxy: number | string | false;
  rateLimits: boolean;
  /** What all bodies being read and large answers may hold together; undefined: a part of the heap. */
  bufferBytes: number | undefined;
  logLevel: string;
  metricsPort: number | undefined;
  metricsHost: string;
  /** Webhooks may go to this machine, by http too: for development. */
  outboundLoopback: boolean;
  /** Settings of the process, never of an app: whoever sets them can sign in as anybody. */
  providerA: ProviderAddresses;
  providerB: ProviderAddresses & { tokenUrl: string; revokeUrl: string };
  /** Where push messages go; app credentials are shown to whoever is there. */
  push: PushAddresses;
};

/** What is read, as `.env.example` lists it. */
export const variables = Object.keys(Environment.shape);

/** Throws an Error whose message says, a line each, which variable is wrong and how; no value is in it. */
export function readConfig(environment: Record<string, string | undefined>): Config {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value?.trim() !== ''));
  const result = Environment.safeParse(given, { error: errorMap });
  if (!result.success) {
    const lines = result.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
    throw new Error(`the environment is wrong:\n  ${lines.join('\n  ')}`);
  }
  const env = result.data;
  const secretKeys = keysOf(env.SECRET_KEY ?? '');
  if (env.DATABASE_URL && secretKeys.length === 0) {
    throw new Error(
      'the environment is wrong:\n  SECRET_KEY: is needed with DATABASE_URL; make one with `openssl rand -base64 32`',
    );
  }
  const baseUrl = new URL(env.BASE_URL ?? `http://localhost:${env.PORT}`).origin;
  return {
    port: env.PORT,
    host: env.HOST ?? (env.DATABASE_URL ? '0.0.0.0' : '127.0.0.1'),
    baseUrl,
    databaseUrl: env.DATABASE_URL,
    databaseConnections: env.DATABASE_CONNECTIONS,
    dataDir: env.DATA_DIR,
    secretKeys,
    fileStore: readFileStore(env),
    redisUrl: env.REDIS_URL,
    smtp: readSmtp(env),
    devMailbox:
      env.SMTP_URL === undefined && env.DATABASE_URL === undefined && isLoopback(new URL(baseUrl).hostname),
    trustProxy: readTrustProxy(env.TRUST_PROXY),
    rateLimits: env.RATE_LIMITS === 'on',
    bufferBytes: env.BUFFER_MIB === undefined ? undefined : env.BUFFER_MIB * 1_024 * 1_024,
    logLevel: env.LOG_LEVEL,
    metricsPort: env.METRICS_PORT,
    metricsHost: env.METRICS_HOST,
    outboundLoopback: env.OUTBOUND_LOOPBACK === 'on',
    ...readProviders(env),
    push: {
      fcmUrl: withoutSlash(env.FCM_URL),
      fcmTokenUrl: env.FCM_TOKEN_URL,
      apnsUrl: withoutSlash(env.APNS_URL),
      apnsSandboxUrl: withoutSlash(env.APNS_SANDBOX_URL),
    },
  };
}

function readSmtp({ SMTP_URL, MAIL_FROM }: z.infer<typeof Environment>): Config['smtp'] {
  if (SMTP_URL === undefined) return undefined;
  if (MAIL_FROM === undefined) {
    throw new Error(
      'the environment is wrong:\n  MAIL_FROM: is needed with SMTP_URL; it is the address that mail comes from',
    );
  }
  return { url: SMTP_URL, from: MAIL_FROM };
}

/** On S3 where its addresses and keys are given, all of them; else on the disk. */
function readFileStore(env: z.infer<typeof Environment>): FileStoreOptions {
  const s3 = allOrNone(
    env,
    ['S3_ENDPOINT', 'S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'],
    'to keep files in S3',
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

/** Google's and Apple's, unless another provider is set, and then all of it: no issuer goes with another's keys. */
function readProviders(env: z.infer<typeof Environment>): Pick<Config, 'providerA' | 'providerB'> {
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
    providerB: b
      ? {
          issuers: [b.PROVIDER_B_ISSUER],
          jwksUrl: b.PROVIDER_B_JWKS_URL,
          tokenUrl: b.PROVIDER_B_TOKEN_URL,
          revokeUrl: b.PROVIDER_B_REVOKE_URL,
        }
      : {
          issuers: ['https://appleid.apple.com'],
          jwksUrl: 'https://appleid.apple.com/auth/keys',
          tokenUrl: 'https://appleid.apple.com/auth/token',
          revokeUrl: 'https://appleid.apple.com/auth/revoke',
        },
  };
}

const googleIssuer = 'https://accounts.google.com';

/** Google writes its issuer with and without the scheme. */
function issuersOf(issuer: string): ProviderAddresses['issuers'] {
  return issuer === googleIssuer ? [issuer, 'accounts.google.com'] : [issuer];
}

function allOrNone<Name extends string>(
  env: Partial<Record<Name, string | undefined>>,
  names: Name[],
  purpose = 'with the other addresses of the same provider',
): Record<Name, string> | null {
  const missing = names.filter((name) => env[name] === undefined);
  if (missing.length === names.length) return null;
  if (missing.length > 0) {
    throw new Error(`the environment is wrong:\n  ${missing.join(', ')}: needed ${purpose}`);
  }
  return Object.fromEntries(names.map((name) => [name, env[name]])) as Record<Name, string>;
}

function withoutSlash(address: string): string {
  return address.replace(/\/+$/, '');
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

function readTrustProxy(value: string | undefined): number | string | false {
  if (value === undefined) return false;
  return /^\d+$/.test(value) ? Number(value) : value;
}

function keysOf(value: string): string[] {
  return value.split(',').flatMap((key) => key.trim() || []);
}

function isLongEnough(key: string): boolean {
  return Buffer.byteLength(key) >= minSecretKeyBytes;
}

function isOrigin(value: string): boolean {
  if (/[?#@]/.test(value) || !URL.canParse(value)) return false;
  const { protocol, pathname } = new URL(value);
  return (protocol === 'https:' || protocol === 'http:') && pathname === '/';
}

/** What express's `trust proxy` takes in a list. */
function isProxy(entry: string): boolean {
  if (['loopback', 'linklocal', 'uniquelocal'].includes(entry)) return true;
  const [ip = '', bits, ...more] = entry.split('/');
  const version = isIP(ip);
  if (version === 0 || more.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}

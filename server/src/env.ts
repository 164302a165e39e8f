// The environment of the process (conventions of the API, "The process"): one schema reads it, and a wrong value stops
// the start with a sentence. Nothing else reads process.env.
import { isIP } from 'node:net';
import { z } from 'zod';
import { minSecretKeyBytes } from './lib/key-ring.js';

const wholeNumber = (least: number, most: number) =>
  z
    .string()
    .refine(
      (value) => /^\d{1,9}$/.test(value) && Number(value) >= least && Number(value) <= most,
      `must be a whole number from ${least} to ${most}`,
    )
    .transform(Number);

const address = (...protocols: string[]) =>
  z
    .string()
    .refine(
      (value) => URL.canParse(value) && protocols.includes(new URL(value).protocol),
      `must be an address that starts with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
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
  REDIS_URL: address('redis:', 'rediss:').optional(),
  TRUST_PROXY: z
    .string()
    .refine(
      (value) => /^\d{1,3}$/.test(value) || value.split(',').every((entry) => isProxy(entry.trim())),
      'must be a number of hops, or addresses and networks, separated by commas',
    )
    .optional(),
  RATE_LIMITS: oneOf('on', 'off').default('on'),
  LOG_LEVEL: oneOf('fatal', 'error', 'warn', 'info', 'debug', 'silent').default('info'),
  METRICS_PORT: port.optional(),
});

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
  redisUrl: string | undefined;
  /** What express is to believe of forwarded headers: nothing, a number of hops, or a list of proxies. */
  trustProxy: number | string | false;
  rateLimits: boolean;
  logLevel: string;
  metricsPort: number | undefined;
};

/** Throws an Error whose message says, a line each, which variable is wrong and how; no value is in it. */
export function readConfig(environment: Record<string, string | undefined>): Config {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value?.trim() !== ''));
  const result = Environment.safeParse(given);
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
  return {
    port: env.PORT,
    host: env.HOST ?? (env.DATABASE_URL ? '0.0.0.0' : '127.0.0.1'),
    baseUrl: new URL(env.BASE_URL ?? `http://localhost:${env.PORT}`).origin,
    databaseUrl: env.DATABASE_URL,
    databaseConnections: env.DATABASE_CONNECTIONS,
    dataDir: env.DATA_DIR,
    secretKeys,
    redisUrl: env.REDIS_URL,
    trustProxy: readTrustProxy(env.TRUST_PROXY),
    rateLimits: env.RATE_LIMITS === 'on',
    logLevel: env.LOG_LEVEL,
    metricsPort: env.METRICS_PORT,
  };
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

// The environment of the process (conventions of the API, "The process"): one schema reads it, and a wrong value stops
// the start with a sentence. Nothing else reads process.env.
import { z } from 'zod';

const port = z.coerce.number().int().min(0).max(65_535);
const address = (...protocols: string[]) =>
  z
    .string()
    .refine(
      (value) => URL.canParse(value) && protocols.includes(new URL(value).protocol),
      `must be an address that starts with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
    );

const Environment = z.object({
  PORT: port.default(3_000),
  HOST: z.string().min(1).optional(),
  BASE_URL: address('http:', 'https:')
    .refine(
      (value) => new URL(value).pathname === '/' && !value.includes('?'),
      'must be an origin, without a path',
    )
    .optional(),
  DATABASE_URL: address('postgresql:', 'postgres:').optional(),
  DATABASE_CONNECTIONS: z.coerce.number().int().min(1).max(1_000).default(10),
  DATA_DIR: z.string().min(1).default('.foyer'),
  SECRET_KEY: z.string().optional(),
  REDIS_URL: address('redis:', 'rediss:').optional(),
  TRUST_PROXY: z.string().min(1).optional(),
  RATE_LIMITS: z.enum(['on', 'off']).default('on'),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent']).default('info'),
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

/** Throws an Error whose message says, a line each, which variable is wrong and how. */
export function readConfig(environment: Record<string, string | undefined>): Config {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const result = Environment.safeParse(given);
  if (!result.success) {
    const lines = result.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
    throw new Error(`the environment is wrong:\n  ${lines.join('\n  ')}`);
  }
  const env = result.data;
  const secretKeys = (env.SECRET_KEY ?? '').split(',').flatMap((key) => key.trim() || []);
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

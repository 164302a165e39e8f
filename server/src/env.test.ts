// The environment variables: their defaults, and the values that stop a start.
import { readFileSync } from 'node:fs';
import { AppSettingsPatch } from '@foyer/contract';
import express from 'express';
import { describe, expect, test } from 'vitest';
import { readConfig, variables } from './env.js';

type Environment = Record<string, string>;

const key = 'x'.repeat(32);
const postgresql = { DATABASE_URL: 'postgresql://foyer@db/foyer', ENCRYPTION_KEYS: key };
const withoutBaseUrl = expect.stringMatching(/^BASE_URL is not set: .* name http:\/\/localhost:3000; /);
const deprecated = 'SECRET_KEY is deprecated: rename it to ENCRYPTION_KEYS';

const s3 = {
  ...{ S3_ENDPOINT: 'http://s3.test:9000', S3_BUCKET: 'accounts.files-1' },
  ...{ S3_ACCESS_KEY_ID: 'id', S3_SECRET_ACCESS_KEY: 'secret' },
};
const s3Store = {
  ...{ kind: 's3', endpoint: 'http://s3.test:9000', publicEndpoint: 'http://s3.test:9000' },
  ...{ region: 'us-east-1', bucket: 'accounts.files-1', pathStyle: true },
  ...{ accessKeyId: 'id', secretAccessKey: 'secret' },
};

test('an empty environment selects the embedded database on a loopback host', () => {
  expect(readConfig({})).toEqual({
    port: 3_000,
    host: '127.0.0.1',
    baseUrl: 'http://localhost:3000',
    databaseUrl: undefined,
    databaseConnections: 10,
    dataDir: '.foyer',
    encryptionKeys: [],
    redis: undefined,
    trustProxy: false,
    rateLimits: true,
    auditDays: 400,
    bufferBytes: undefined,
    logLevel: 'info',
    warnings: [],
    metricsPort: undefined,
    metricsHost: '127.0.0.1',
    outboundLoopback: false,
    fileStore: { kind: 'disk', directory: '.foyer/files', chosen: false },
    smtp: undefined,
    devMailbox: true,
    openMailbox: false,
    push: {
      fcmUrl: 'https://fcm.googleapis.com',
      fcmTokenUrl: 'https://oauth2.googleapis.com/token',
      apnsUrl: 'https://api.push.apple.com',
      apnsSandboxUrl: 'https://api.sandbox.push.apple.com',
    },
    providerA: expect.objectContaining({ jwksUrl: 'https://www.googleapis.com/oauth2/v3/certs' }),
    providerB: expect.objectContaining({ jwksUrl: 'https://appleid.apple.com/auth/keys' }),
  });
});

test.each<[string, Environment, unknown[]]>([
  ['with DATABASE_URL alone', {}, [withoutBaseUrl]],
  ['with a deprecated variable too', { SECRET_KEY: key }, [deprecated, withoutBaseUrl]],
  ['with BASE_URL', { BASE_URL: 'https://accounts.example.com' }, []],
])('%s on PostgreSQL, the start warns of what is missing', (_what, given, warnings) => {
  expect(readConfig({ ...postgresql, ...given }).warnings).toEqual(warnings);
});

test('.env.example lists exactly the supported variables', () => {
  const text = readFileSync(new URL('../../.env.example', import.meta.url), 'utf8');
  const listed = [...text.matchAll(/^#?([A-Z][A-Z0-9_]*)=/gm)].map(([, name]) => name);
  expect(listed.sort()).toEqual([...variables].sort());
});

test('with PostgreSQL the service listens on every interface by default', () => {
  const config = { host: '0.0.0.0', databaseUrl: postgresql.DATABASE_URL, encryptionKeys: [key] };
  expect(readConfig(postgresql)).toMatchObject(config);
  expect(readConfig({ ...postgresql, HOST: '::1' }).host).toBe('::1');
});

test.each([
  ...['http://localhost:8080', 'http://127.0.0.2', 'http://[::1]:3000'].map((BASE_URL) => [
    { BASE_URL },
    true,
  ]),
  ...['https://accounts.example.com', 'http://localhost.example.com', 'http://192.168.1.5:3000'].map(
    (BASE_URL) => [{ BASE_URL }, false],
  ),
  [{ ...postgresql, BASE_URL: 'http://localhost' }, false],
  [{ SMTP_URL: 'smtp://mail.test', MAIL_FROM: 'accounts@mail.test' }, false],
] as [Environment, boolean][])('with %o the development mailbox is enabled: %s', (env, devMailbox) => {
  expect(readConfig(env).devMailbox).toBe(devMailbox);
});

test('a blank variable counts as unset', () => {
  const names = ['PORT', 'ENCRYPTION_KEYS', 'TRUST_PROXY', 'RATE_LIMITS', 'HOST'];
  const blank = Object.fromEntries(names.map((name) => [name, '']));
  expect(readConfig({ ...blank, DATABASE_URL: ' ' })).toEqual(readConfig({}));
});

test('white space around a value is ignored, and the line endings of Windows', () => {
  const given = {
    ...{ ...postgresql, ...s3, REDIS_URL: 'redis://cache:6379', FCM_URL: 'https://fcm.test' },
    ...{ PORT: '80', HOST: '192.0.2.1', DATA_DIR: '/data', S3_REGION: 'eu-west-1', RATE_LIMITS: 'off' },
    ...{ SMTP_URL: 'smtp://mail.test', MAIL_FROM: 'accounts@mail.test', TRUST_PROXY: '1', LOG_LEVEL: 'warn' },
  };
  for (const [before, after] of [
    [' ', '\n'],
    ['', '\r'],
  ]) {
    const pasted = Object.entries(given).map(([name, value]) => [name, `${before}${value}${after}`]);
    expect(readConfig(Object.fromEntries(pasted))).toEqual(readConfig(given));
  }
});

test('the quotation marks of a file that a tool passes on are refused, except around keys in use', () => {
  const sentence = 'must not be in quotation marks, which are a part of the value here: remove them';
  for (const env of [
    { DATA_DIR: '"/data"' },
    { HOST: "'::'" },
    { ...s3, S3_SECRET_ACCESS_KEY: '"secret"' },
  ]) {
    const name = Object.keys(env).at(-1);
    expect(() => readConfig(env)).toThrow(new Error(`invalid environment:\n  ${name}: ${sentence}`));
  }
  expect(readConfig({ DATA_DIR: '/a "b"', ENCRYPTION_KEYS: `"${key}"`, EDITOR: '"vi"' })).toMatchObject({
    dataDir: '/a "b"',
    encryptionKeys: [`"${key}"`],
  });
});

describe('valid values', () => {
  test.each([
    [{ PORT: '0' }, { port: 0 }],
    [
      { PORT: '65535', METRICS_PORT: '9464', METRICS_HOST: '0.0.0.0' },
      { port: 65_535, metricsPort: 9_464, metricsHost: '0.0.0.0' },
    ],
    [
      { PORT: '0', METRICS_PORT: '0' },
      { port: 0, metricsPort: 0 },
    ],
    [
      { PORT: '80', METRICS_PORT: '80', HOST: '192.0.2.1' },
      { port: 80, metricsPort: 80 },
    ],
    [{ BUFFER_MIB: '16' }, { bufferBytes: 16_777_216 }],
    [{}, { auditDays: 400 }],
    [{ AUDIT_DAYS: '30' }, { auditDays: 30 }],
    [
      { BUFFER_MIB: '65536', AUDIT_DAYS: '3650', DATABASE_CONNECTIONS: '1000' },
      { bufferBytes: 65_536 * 1_048_576, auditDays: 3_650, databaseConnections: 1_000 },
    ],
    [{ FILES_DIR: '/srv/files' }, { fileStore: { kind: 'disk', directory: '/srv/files', chosen: true } }],
    [s3, { fileStore: s3Store }],
    [
      { ...s3, S3_PUBLIC_ENDPOINT: 'https://files.test', S3_REGION: 'eu-west-1', S3_PATH_STYLE: 'off' },
      {
        fileStore: {
          ...s3Store,
          ...{ publicEndpoint: 'https://files.test', region: 'eu-west-1', pathStyle: false },
        },
      },
    ],
    [
      {
        FCM_URL: 'https://fcm.test/',
        APNS_URL: 'https://apns.test/',
        APNS_SANDBOX_URL: 'https://sandbox.test/',
      },
      {
        push: expect.objectContaining({
          ...{
            fcmUrl: 'https://fcm.test',
            apnsUrl: 'https://apns.test',
            apnsSandboxUrl: 'https://sandbox.test',
          },
        }),
      },
    ],
    [{ PORT: '8080' }, { baseUrl: 'http://localhost:8080' }],
    [{ BASE_URL: 'https://accounts.example.com' }, { baseUrl: 'https://accounts.example.com' }],
    [{ BASE_URL: 'HTTPS://Accounts.Example.com:443/' }, { baseUrl: 'https://accounts.example.com' }],
    [{ ENCRYPTION_KEYS: ` ${key} ,,${key}2, ` }, { encryptionKeys: [key, `${key}2`] }],
    [{ ENCRYPTION_KEYS: 'ü'.repeat(16) }, { encryptionKeys: ['ü'.repeat(16)] }],
    [{ SECRET_KEY: `${key},${key}2` }, { encryptionKeys: [key, `${key}2`], warnings: [deprecated] }],
    [
      { SECRET_KEY: ` ${key}`, ENCRYPTION_KEYS: key },
      { encryptionKeys: [key], warnings: [deprecated] },
    ],
    [{ TRUST_PROXY: '2' }, { trustProxy: 2 }],
    [{ TRUST_PROXY: '0' }, { trustProxy: 0 }],
    [{ TRUST_PROXY: 'loopback, 10.0.0.0/8, 2001:db8::/32, 203.0.113.7' }, {}],
    [{ OUTBOUND_LOOPBACK: 'on' }, { outboundLoopback: true }],
    [{ OTEL_SERVICE_NAME: 'accounts' }, { tracing: undefined }],
    [
      {
        OTEL_EXPORTER_OTLP_ENDPOINT: 'https://collector.example.com/otlp/',
        OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Basic%20YTpi==, x-tenant=one,',
        OTEL_TRACES_SAMPLER_ARG: '0.25',
      },
      {
        tracing: {
          url: 'https://collector.example.com/otlp/v1/traces',
          headers: { authorization: 'Basic YTpi==', 'x-tenant': 'one' },
          serviceName: 'foyer',
          ratio: 0.25,
        },
      },
    ],
    [
      { RATE_LIMITS: 'off', LOG_LEVEL: 'warn' },
      { rateLimits: false, logLevel: 'warn' },
    ],
    [
      { REDIS_URL: 'rediss://user:pass@redis:6380/1' },
      { redis: { kind: 'server', tls: true, url: 'rediss://user:pass@redis:6380/1' } },
    ],
    [
      { DATABASE_CONNECTIONS: '50', DATA_DIR: '/var/lib/foyer' },
      { databaseConnections: 50, dataDir: '/var/lib/foyer' },
    ],
    ...['postgresql://a:b@', 'postgres://a@'].map((start): [Environment, object] => [
      { ...postgresql, DATABASE_URL: `${start}/c?host=/cloudsql/project:region:instance` },
      { databaseUrl: `${start}localhost/c?host=/cloudsql/project:region:instance` },
    ]),
    // As Kubernetes sets it for a service named `metrics`.
    [{ METRICS_PORT: 'tcp://10.96.0.7:9464' }, { metricsPort: undefined }],
    ...['postgresql://a:b,c@d/e', 'postgresql://d/e,f', 'postgresql:///e?host=/run/postgresql&user=a'].map(
      (databaseUrl): [Environment, object] => [{ ...postgresql, DATABASE_URL: databaseUrl }, { databaseUrl }],
    ),
  ])('%o gives %o', (env, expected) => {
    expect(readConfig(env)).toMatchObject(expected);
  });

  test('Express accepts every TRUST_PROXY value that is accepted here', () => {
    const names = ['loopback', 'loopback,linklocal, uniquelocal'];
    for (const TRUST_PROXY of ['1', '0', ...names, '10.0.0.0/8', '128.0.0.0/1', '::1/128', 'fe80::/10']) {
      const { trustProxy } = readConfig({ TRUST_PROXY });
      expect(() => express().set('trust proxy', trustProxy)).not.toThrow();
    }
  });
});

describe('invalid values', () => {
  const ports = 'must be a whole number from 0 to 65535';
  const proxies = 'must be a number of hops, or a comma-separated list of IP addresses and networks';
  const origin = 'must be an origin without a path, such as https://accounts.example.com';
  const databases = 'must be a URL that starts with postgresql:// or postgres://';
  const encoded =
    'must be a valid URL, with special characters percent-encoded, such as a # of the password as %23';
  const keys = 'must have at least 32 bytes per key';
  const each = (name: string, sentence: string, ...values: string[]): [Environment, string][] =>
    values.map((value) => [{ [name]: value }, `${name}: ${sentence}`]);
  test.each<[Environment, string]>([
    ...each('PORT', ports, 'http', '65536', '-1', '80.5', '0x50', '1e3'),
    ...each('BUFFER_MIB', 'must be a whole number from 16 to 65536', '15', '65537'),
    ...each('AUDIT_DAYS', 'must be a whole number from 30 to 3650', '29', '3651'),
    ...each('S3_ENDPOINT', 'must be a URL without credentials, query and fragment', 'https://secret@s3.test'),
    ...each('S3_BUCKET', 'must be a bucket name', 'secret/x', 'Secret', 'se', '-secret', 'a'.repeat(64)),
    [
      { S3_BUCKET: 'files' },
      'S3_ENDPOINT, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY: required to store files in S3',
    ],
    [{ MAIL_FROM: 'Accounts' }, 'MAIL_FROM: must be an email address such as accounts@example.com'],
    ...each(
      'OTEL_EXPORTER_OTLP_HEADERS',
      'must be a list such as name=value,other=value, with percent-encoded values',
      'secret',
      'a=%',
      'authorization=Bearer secret',
    ),
    [{ OTEL_TRACES_SAMPLER_ARG: '1.5' }, 'OTEL_TRACES_SAMPLER_ARG: must be a share from 0 to 1'],
    [{ METRICS_PORT: 'yes' }, `METRICS_PORT: ${ports}`],
    [{ METRICS_PORT: '3000' }, 'METRICS_PORT: must differ from PORT'],
    [{ PORT: '80', METRICS_PORT: '80', HOST: '::' }, 'METRICS_PORT: must differ from PORT'],
    [
      { METRICS_PORT: '3000', HOST: '192.0.2.1', METRICS_HOST: '0.0.0.0' },
      'METRICS_PORT: must differ from PORT',
    ],
    [{ ...postgresql, METRICS_PORT: '3000' }, 'METRICS_PORT: must differ from PORT'],
    ...each('DATABASE_CONNECTIONS', 'must be a whole number from 1 to 1000', '0', '1001'),
    ...each('BASE_URL', origin, 'accounts.example.com', 'ftp://a.example', 'https://user:secret@a.example'),
    ...each('BASE_URL', origin, 'https://a.example/path', 'https://a.example/?', 'https://a.example/#x'),
    ...each('DATABASE_URL', databases, 'mysql://a:secret@b/c', 'postgresql//a:secret@b'),
    ...each('DATABASE_URL', encoded, 'postgresql://a:secret#1@b/c', 'postgres://a:secret/1@b/c'),
    ...each(
      'DATABASE_URL',
      encoded,
      'postgresql://a:p@secret/w#rd@b:5432/c',
      'postgresql://a:p@secret/w@b/c',
      'postgresql://a:p@secret?w@b/c',
      'postgresql://a:1/secret@b/c',
    ),
    ...each(
      'DATABASE_URL',
      'must not ask for a schema (schema, or search_path in options): the tables are in the schema public, so create a ' +
        'database for Foyer alone',
      'postgresql://a:secret@b/c?schema=foyer',
      'postgresql://a:secret@b/c?currentSchema=foyer',
      'postgresql://a:secret@b/c?search_path=foyer',
      'postgresql://a:secret@b/c?sslmode=require&options=-c%20search_path%3Dfoyer%2Cpublic',
    ),
    ...each(
      'DATABASE_URL',
      'must name one host: of several servers, a DNS name or a proxy that leads to the primary',
      'postgresql://a:secret@b:5432,c:5432/d',
      'postgresql://b,c/d?target_session_attrs=read-write',
      'postgresql:///d?user=a&host=b,c',
    ),
    ...each(
      'DATABASE_URL',
      'sslmode must be one of disable, allow, prefer, require, verify-ca, verify-full, no-verify',
      'postgresql://a@b/c?sslmode=foo',
      'postgresql://a@b/c?sslmode=',
      'postgresql://a@b/c?sslmode=verify_full',
    ),
    ...each('SMTP_URL', encoded, 'smtps://a:secret?1@b', 'smtp://a:p@secret/w#rd@b'),
    [{ SMTP_URL: 'smtp://' }, 'SMTP_URL: must name the host of the mail server'],
    ...each(
      'DATABASE_URL',
      'must be percent-encoded in UTF-8: write a % of the password as %25',
      'postgresql://a:secret%e4@b/c',
      'postgresql://a@b/secret%C3%28',
    ),
    [
      { DATABASE_URL: 'postgresql://db/foyer' },
      'ENCRYPTION_KEYS: is required with DATABASE_URL; generate a key with `openssl rand -base64 32`',
    ],
    ...each('ENCRYPTION_KEYS', keys, `${key},secret`, 'secret'.repeat(5)),
    ...each('SECRET_KEY', keys, 'secret'.repeat(5)),
    [
      { SECRET_KEY: 'secret'.repeat(6), ENCRYPTION_KEYS: key },
      'SECRET_KEY: differs from ENCRYPTION_KEYS, its new name; remove SECRET_KEY, and list its keys in ENCRYPTION_KEYS',
    ],
    ...each(
      'REDIS_URL',
      'must be a URL such as redis://host:6379, redis+sentinel://host:26379,host:26379/master or ' +
        'redis+cluster://host:6379 (with TLS: rediss), with special characters percent-encoded, such as a % of the ' +
        'password as %25',
      'localhost:6379',
      'redis://a:secret#1@b',
      'redis://a:p@secret/w#rd@b',
      'redis://a:p@secret/w@b',
      'redis://a:secret%@b',
      'rediss://a:secret%zz@b',
    ),
    ...each('TRUST_PROXY', proxies, 'true', 'loopback, proxy.example', '10.0.0.0/33', '-1'),
    ...each(
      'TRUST_PROXY',
      proxies,
      '0.0.0.0/0',
      '::/0',
      '10.0.0.0/8/8',
      '10.0.0.0/',
      '::/129',
      '1000',
      '10.0.0.0/x',
    ),
    [{ RATE_LIMITS: 'OFF' }, 'RATE_LIMITS: must be one of on, off'],
    [{ LOG_LEVEL: 'verbose' }, 'LOG_LEVEL: must be one of fatal, error, warn, info, debug, silent'],
    [
      { PORT: 'x', LOG_LEVEL: 'y' },
      `PORT: ${ports}\n  LOG_LEVEL: must be one of fatal, error, warn, info, debug, silent`,
    ],
  ])('%o: the error names the variable and not its value', (env, sentence) => {
    expect(() => readConfig(env)).toThrow(new Error(`invalid environment:\n  ${sentence}`));
    expect(sentence).not.toContain('secret');
  });
});

describe('identity providers, from the environment only', () => {
  const a = {
    PROVIDER_A_ISSUER: 'https://id.example.com/realm',
    PROVIDER_A_JWKS_URL: 'https://id.example.com/keys',
  };
  const b = {
    PROVIDER_B_ISSUER: 'http://127.0.0.1:4000',
    PROVIDER_B_JWKS_URL: 'http://localhost:4000/keys',
    PROVIDER_B_TOKEN_URL: 'http://[::1]:4000/token',
    PROVIDER_B_REVOKE_URL: 'http://127.8.9.10/revoke',
  };

  test('the default providers are Google, with both its issuers, and Apple', () => {
    const { providerA, providerB } = readConfig({});
    expect(providerA).toEqual({
      issuers: ['https://accounts.google.com', 'accounts.google.com'],
      jwksUrl: 'https://www.googleapis.com/oauth2/v3/certs',
    });
    expect(providerB).toEqual({
      issuers: ['https://appleid.apple.com'],
      jwksUrl: 'https://appleid.apple.com/auth/keys',
      tokenUrl: 'https://appleid.apple.com/auth/token',
      revokeUrl: 'https://appleid.apple.com/auth/revoke',
    });
  });

  test('each can be replaced by another provider, with all of its URLs', () => {
    const { providerA, providerB } = readConfig({ ...a, ...b });
    expect(providerA).toEqual({ issuers: [a.PROVIDER_A_ISSUER], jwksUrl: a.PROVIDER_A_JWKS_URL });
    expect(providerB.issuers).toEqual([b.PROVIDER_B_ISSUER]);
    const google = readConfig({ ...a, PROVIDER_A_ISSUER: 'https://accounts.google.com' });
    expect(google.providerA.issuers).toEqual(['https://accounts.google.com', 'accounts.google.com']);
    for (const name of Object.keys({ ...a, ...b })) {
      const others = Object.fromEntries(Object.entries({ ...a, ...b }).filter(([other]) => other !== name));
      expect(() => readConfig(others)).toThrow(name);
    }
  });

  test.each([
    'http://id.example.com',
    'http://localhost.example.com',
    'http://127.0.0.1.example.com',
    'http://10.0.0.1',
    'ftp://id.example.com',
    'id.example.com',
  ])('%s is refused as a provider URL', (url) => {
    expect(() => readConfig({ ...a, PROVIDER_A_JWKS_URL: url })).toThrow('PROVIDER_A_JWKS_URL');
  });

  test('an app cannot set provider URLs', () => {
    for (const key of ['issuer', 'jwks_url', 'token_url', 'revoke_url']) {
      const patch = { [key]: 'https://evil.example' };
      expect(AppSettingsPatch.safeParse({ provider_a: patch }).success).toBe(false);
      expect(AppSettingsPatch.safeParse({ provider_b: patch }).success).toBe(false);
    }
  });
});

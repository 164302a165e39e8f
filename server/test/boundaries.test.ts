// The architecture as rules: which layer may import which, and which files may query the database, read the clock or
// draw random bytes. Type imports count like any others.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { cycleIn, importsOf, root, type SourceFile, sourcesOf, withoutComments } from './import-graph.js';

const contract = sourcesOf('contract/src');
const prisma = sourcesOf('prisma/src');
const openapi = sourcesOf('openapi');
const sdk = sourcesOf('sdk/src');
const server = sourcesOf('server/src');
const everything = [...contract, ...prisma, ...openapi, ...sdk, ...server];

/**
 * The layers of the server, top to bottom; a file may import from its own layer and from lower ones. Each entry is a
 * file or a folder, and the longest match is the layer of a path: `users/admin` is above `users`.
 */
const layers = [
  ['cli.ts', 'cli'],
  ['main.ts', 'app.ts'],
  ['router.ts', 'scheduler.ts', 'wiring.ts'],
  ['retention.ts'],
  // Checks sessions, v1 tokens, secret keys, roles and access to records with the modules that own them.
  ['auth'],
  ['v1/import'],
  ['v1/api'],
  ['sign-in'],
  ['users/admin'],
  ['profile'],
  ['console'],
  ['data'],
  ['passwords'],
  ['users'],
  ['settings-checks'],
  ['identities'],
  ['push/messages'],
  ['push/devices'],
  ['files'],
  ['sessions'],
  ['codes'],
  ['v1/tokens'],
  ['mail'],
  ['loyalty'],
  ['data/collections'],
  ['apps'],
  ['remote-config'],
  ['tokens'],
  ['webhooks'],
  // The rows of users, written only here, for the modules below `users`.
  ['users/account.ts', 'users/write-user.ts', 'users/update-fragments.ts'],
  ['stats'],
  ['audit'],
  ['idempotency'],
  ['events'],
  ['schedule'],
  ['http'],
  ['deps.ts', 'env.ts', 'data-dir-error.ts'],
  ['model'],
  ['lib'],
];
const layerNames = layers.flat();

/** The layer of a server file, such as `users/admin`; null outside the server. */
function layerOf(path: string): string | null {
  if (!path.startsWith('server/src/')) return null;
  const inside = path.slice('server/src/'.length);
  const fitting = layerNames.filter((name) => inside === name || inside.startsWith(`${name}/`));
  return fitting.sort((a, b) => b.length - a.length)[0] ?? null;
}

/** Capabilities: the layers other than transport, foundations and the process itself. */
function isModule(layer: string | null): layer is string {
  return layer !== null && !layer.endsWith('.ts') && !['cli', 'auth', 'http', 'model', 'lib'].includes(layer);
}

const isRoutes = ({ path }: SourceFile) => path.endsWith('/routes.ts');
const isStore = (path: string) => path.endsWith('/store.ts');

type Forbidden = (to: string, typeOnly: boolean, from: SourceFile) => boolean;

/** Every import that breaks a rule, as `file -> import`. */
function breaches(files: SourceFile[], forbidden: Forbidden): string[] {
  return files.flatMap((from) =>
    from.imports
      .filter(({ to, typeOnly }) => forbidden(to, typeOnly, from))
      .map(({ to }) => `${from.path} -> ${to}`),
  );
}

/** Every file outside `allowed` whose code matches the pattern; comments are ignored. */
function uses(files: SourceFile[], pattern: RegExp, allowed: Record<string, string>): string[] {
  const found = files.filter(({ text }) => pattern.test(withoutComments(text))).map(({ path }) => path);
  const unused = Object.keys(allowed).filter((path) => !found.includes(path));
  return [
    ...found.filter((path) => !(path in allowed)),
    ...unused.map((path) => `${path} needs no exception`),
  ];
}

describe('the reader of imports', () => {
  test('finds every form of import', () => {
    const forms: [string, boolean][] = [
      ["import a from 'x';", false],
      ["import type { b } from 'x';", true],
      ["import { type c, type d } from 'x';", true],
      ["import { type e, f } from 'x';", false],
      ["import {\n  g,\n  h,\n} from 'x';", false],
      ["import * as i from 'x';", false],
      ["import 'x';", false],
      ["export * from 'x';", false],
      ["export type { j } from 'x';", true],
      ["const k = await import('x');", false],
      ["const l = require(import.meta.url)('y') as typeof import('x');", true],
      ["const m = createRequire(import.meta.url)('x');", false],
    ];
    for (const [text, typeOnly] of forms) {
      expect([text, ...importsOf(`\n${text}\n`)]).toEqual([
        text,
        expect.objectContaining({ to: 'x', typeOnly }),
      ]);
    }
  });

  test('finds the listed files, and a layer for each file of the server', () => {
    const paths = new Set(everything.map(({ path }) => path));
    const lost = breaches(
      [...contract, ...sdk, ...server],
      (to) => /^(contract|sdk|server)\//.test(to) && !to.endsWith('.json') && !paths.has(to),
    );
    expect(lost).toEqual([]);
    for (const files of [contract, prisma, openapi, sdk, server]) expect(files.length).toBeGreaterThan(2);
    expect(server.filter(({ path }) => layerOf(path) === null)).toEqual([]);
    const inUse = new Set(server.map(({ path }) => layerOf(path)));
    expect(layerNames.filter((name) => !inUse.has(name))).toEqual([]);
    expect(server.flatMap(({ imports }) => imports).length).toBeGreaterThan(200);
  });

  test('finds a cycle where there is one, including one of type imports', () => {
    const file = (path: string, to: string, typeOnly = false) => ({
      path,
      text: '',
      imports: [{ to, typeOnly }],
    });
    expect(cycleIn([file('a', 'b'), file('b', 'c'), file('c', 'a')])).toEqual(['a', 'b', 'c', 'a']);
    expect(cycleIn([file('a', 'b', true), file('b', 'a')])).toEqual(['a', 'b', 'a']);
    expect(cycleIn([file('a', 'b'), file('c', 'b')])).toBeNull();
  });
});

const ours = /^@foyer\/([a-z]+)/;
const importsOfOurs = (files: SourceFile[]) =>
  [...new Set(files.flatMap(({ imports }) => imports.flatMap(({ to }) => ours.exec(to)?.[1] ?? [])))].sort();

describe('between the workspaces', () => {
  test.each([
    ['the database', prisma, []],
    ['the OpenAPI document', openapi, ['contract']],
    ['the server', server, ['contract', 'openapi', 'prisma']],
    ['the SDK', sdk, []],
  ])('%s imports only those below it', (_, files, below) => {
    expect(importsOfOurs(files)).toEqual(below);
  });

  test('the SDK imports no package at run time except jose to verify tokens and React for its hooks', () => {
    const packages = breaches(sdk, (to, typeOnly) => !to.startsWith('sdk/src/') && !typeOnly);
    const ofHooks = /^sdk\/src\/react\/[\w-]+\.ts -> react$/;
    expect(packages.filter((each) => !ofHooks.test(each))).toEqual(['sdk/src/access-token.ts -> jose']);
  });

  test.each<[string, SourceFile[], Forbidden]>([
    [
      'the contract imports zod and @ts-rest/core, and nothing else',
      contract,
      (to) => !to.startsWith('contract/src/') && !/^zod(\/|$)/.test(to) && to !== '@ts-rest/core',
    ],
    [
      'nothing imports the server',
      [...contract, ...prisma, ...openapi, ...sdk],
      (to) => /^(@foyer\/server|server\/)/.test(to),
    ],
    [
      'no workspace imports another by a relative path',
      everything,
      (to, _, { path }) =>
        /^(contract|prisma|openapi|sdk|server)\//.test(to) && to.split('/')[0] !== path.split('/')[0],
    ],
  ])('%s', (_, files, forbidden) => {
    expect(breaches(files, forbidden)).toEqual([]);
  });

  test('there is no import cycle', () => {
    expect(cycleIn(everything)).toBeNull();
  });
});

const rank = new Map(layers.flatMap((names, index) => names.map((name) => [name, index])));
const rankOf = (path: string) => rank.get(layerOf(path) ?? '') ?? Number.NaN;

/** Idempotency wraps route handlers and therefore receives requests and answers. */
const handlesRequests = (from: SourceFile) =>
  isRoutes(from) ||
  from.path === 'server/src/idempotency/idempotency-key.ts' ||
  ['app.ts', 'router.ts', 'auth', 'http'].includes(layerOf(from.path) ?? '');

describe('inside the server', () => {
  const rules = server.filter(({ path }) => path.endsWith('-rules.ts'));
  const lib = server.filter(({ path }) => layerOf(path) === 'lib');
  const below = server.filter(({ path }) => !layerOf(path)?.endsWith('.ts') && layerOf(path) !== 'cli');

  test.each<[string, SourceFile[], Forbidden]>([
    ['imports go downwards, type imports included', server, (to, _, { path }) => rankOf(to) < rankOf(path)],
    [
      'express and ts-rest are imported only where requests are handled',
      server,
      (to, _, from) => /^(express|@ts-rest\/)/.test(to) && !handlesRequests(from),
    ],
    [
      'operations, rules and stores import nothing from http/',
      server,
      (to, _, from) => layerOf(to) === 'http' && isModule(layerOf(from.path)) && !handlesRequests(from),
    ],
    [
      'only router.ts imports routes',
      server,
      (to, _, { path }) => to.endsWith('/routes.ts') && path !== 'server/src/router.ts',
    ],
    [
      'a store is imported only in its own module',
      server,
      (to, _, { path }) => isStore(to) && layerOf(to) !== layerOf(path),
    ],
    [
      'rules import only the contract, other rules and types',
      rules,
      (to, typeOnly) => !typeOnly && to !== '@foyer/contract' && !to.endsWith('-rules.ts'),
    ],
    [
      'lib imports nothing else of the server',
      lib,
      (to) => to.startsWith('server/') && layerOf(to) !== 'lib',
    ],
    [
      'of lib, only the job queue imports the database',
      lib.filter(({ path }) => !path.startsWith('server/src/lib/queue/')),
      (to) => to === '@foyer/prisma',
    ],
    [
      'modules, auth/ and http/ take only types from deps.ts and env.ts',
      below,
      (to, typeOnly) => /^server\/src\/[^/]+\.ts$/.test(to) && !typeOnly,
    ],
  ])('%s', (_, files, forbidden) => {
    expect(files.length).toBeGreaterThan(1);
    expect(breaches(files, forbidden)).toEqual([]);
  });

  test('only stores query the database', () => {
    const schema = readFileSync(join(root, 'prisma/schema.prisma'), 'utf8');
    const models = [...schema.matchAll(/^model (\w)(\w*)/gm)].map(
      ([, first, rest]) => `${first?.toLowerCase()}${rest}`,
    );
    expect(models).toContain('signingKey');
    const asks = new RegExp(`\\$(query|execute)Raw|\\bquery(<[^(]*>)?\\(|\\.(${models.join('|')})\\.\\w+\\(`);
    const stores = server.filter(({ path }) => isStore(path));
    expect(stores.filter(({ text }) => !asks.test(text))).toEqual([]);
    const others = server.filter(({ path }) => !isStore(path));
    expect(
      uses(others, asks, {
        'server/src/http/health.ts': 'the readiness query, on no table',
        'server/src/lib/queue/queue-boss.ts': 'the tables of pg-boss, which belong to no module',
        'server/src/users/account.ts': 'the lock of a user, for modules below `users`',
        'server/src/users/write-user.ts': 'the rows of users, for modules below `users`',
      }),
    ).toEqual([]);
  });

  test('transactions are opened by operations, never by stores, routes or http/', () => {
    const files = server.filter(
      (file) => isStore(file.path) || isRoutes(file) || layerOf(file.path) === 'http',
    );
    expect(uses(files, /\$transaction/, {})).toEqual([]);
    expect(server.filter(({ text }) => text.includes('$transaction(')).length).toBeGreaterThan(0);
  });
});

describe('injected dependencies', () => {
  test('only the command line passes on the environment, and only env.ts reads it', () => {
    const cli = { 'server/src/cli.ts': 'passes it to the command' };
    expect(uses(server, /process\.env/, cli)).toEqual([]);
    const run = server.find(({ path }) => path === 'server/src/cli/run.ts')?.text ?? '';
    const reads = run.match(/\benv\b(?!: NodeJS|\.js)/g)?.length;
    // Except the declaration of the type: in the functions of env.ts only.
    expect(reads).toBe(1 + (run.match(/read(Dev)?Config\((surroundings\.)?env\b/g)?.length ?? 0));
  });

  test.each<[string, RegExp, Record<string, string>]>([
    [
      'only lib/clock.ts reads the time',
      /new Date\(\)|Date\.now\(|\bDate\(\)/,
      {
        'server/src/lib/clock.ts': 'the clock itself',
        'server/src/lib/logger.ts': 'when a line was written, also where a test moves the clock',
      },
    ],
    [
      "durations are measured only where no decision depends on the service's clock",
      /performance\.now\(|hrtime/,
      {
        'server/src/http/request-log.ts': 'how long a request took',
        'server/src/lib/elapsed.ts': 'how long work has taken, for what limits it',
        'server/src/lib/rate-limit/redis-windows.ts': 'when to look again whether Redis is back',
        'server/src/webhooks/deliveries/attempt.ts': 'how long a receiver took',
      },
    ],
    [
      'only lib/random.ts draws bytes',
      /Math\.random|random(Bytes|UUID|Int|Fill|FillSync)\b|getRandomValues|generateKey/,
      {
        'server/src/lib/crypto/random.ts': 'the drawing itself',
        'server/src/tokens/rotate-signing-keys.ts': 'key pairs are made by the library that uses them',
        'server/src/lib/push/vapid.ts': 'key pairs are made by the platform',
      },
    ],
  ])('%s', (_, pattern, allowed) => {
    expect(uses(server, pattern, allowed)).toEqual([]);
  });
});

test('no file has a generic name', () => {
  const vague = /(^|[/-])(utils?|helpers?|managers?|common|misc|services?)(\.ts|\.js|\/)/;
  expect(everything.map(({ path }) => path).filter((path) => vague.test(path))).toEqual([]);
});

test('no hand-written source file exceeds 400 lines, and each opens with a comment that describes it', () => {
  const lines = ({ text }: SourceFile) => text.split('\n');
  const written = everything.filter(({ path }) => !path.startsWith('sdk/src/generated/'));
  expect(written.filter((file) => lines(file).length > 401).map(({ path }) => path)).toEqual([]);
  const silent = everything.filter((file) => !/^(#!|\/\/|\/\*)/.test(lines(file)[0] ?? ''));
  expect(silent.map(({ path }) => path)).toEqual([]);
});

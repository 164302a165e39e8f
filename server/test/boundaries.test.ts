// The architecture as rules: no cycle between folders, and which files may query the database, read the clock or draw random
// bytes. Type imports count like any others.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  cycleIn,
  entriesOf,
  foldersOf,
  importsOf,
  root,
  type SourceFile,
  sourcesOf,
  withoutComments,
} from './import-graph.js';
import { functionsWith } from './parameters.js';

const contract = sourcesOf('contract/src');
const prisma = sourcesOf('prisma/src');
const openapi = sourcesOf('openapi');
const sdk = sourcesOf('sdk/src');
const server = sourcesOf('server/src');
/** Parts that know no app, no user and no module of the server. */
const engines = sourcesOf('server/engines');
const service = [...server, ...engines];
const everything = [...contract, ...prisma, ...openapi, ...sdk, ...service];

/** The folder directly under server/src in which a file is, or the file itself; null outside the server. */
function placeOf(path: string): string | null {
  return /^server\/src\/([^/]+)/.exec(path)?.[1] ?? null;
}

/** Capabilities: the folders other than transport, foundations and the process itself. */
function isModule(place: string | null): place is string {
  return place !== null && !place.endsWith('.ts') && !['cli', 'auth', 'http', 'model', 'lib'].includes(place);
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

  test('finds the imported files', () => {
    const paths = new Set(everything.map(({ path }) => path));
    const lost = breaches(
      [...contract, ...sdk, ...service],
      (to) => /^(contract|sdk|server)\//.test(to) && !to.endsWith('.json') && !paths.has(to),
    );
    expect(lost).toEqual([]);
    for (const files of [contract, prisma, openapi, sdk, server, engines])
      expect(files.length).toBeGreaterThan(2);
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

  test('finds a cycle of folders whose files form none', () => {
    const file = (path: string, ...to: string[]) => ({
      path,
      text: '',
      imports: to.map((each) => ({ to: each, typeOnly: true })),
    });
    const files = [file('s/a/1', 's/b/1'), file('s/b/1'), file('s/b/2', 's/a/x/1'), file('s/a/x/1', 's/a/2')];
    expect(cycleIn(files)).toBeNull();
    expect(cycleIn(entriesOf(files, 's'))).toEqual(['s/a', 's/b', 's/a']);
    expect(cycleIn(entriesOf(files, 's/a'))).toBeNull();
    expect(cycleIn(entriesOf([...files, file('s/a/2', 's/a/x/2')], 's/a'))).toEqual([
      's/a/x',
      's/a/2',
      's/a/x',
    ]);
    expect(foldersOf(files)).toEqual(['s', 's/a', 's/a/x', 's/b']);
  });
});

const ours = /^@foyer\/([a-z]+)/;
const importsOfOurs = (files: SourceFile[]) =>
  [...new Set(files.flatMap(({ imports }) => imports.flatMap(({ to }) => ours.exec(to)?.[1] ?? [])))].sort();

describe('between the workspaces', () => {
  test.each([
    ['the database', prisma, []],
    ['the OpenAPI document', openapi, ['contract']],
    ['the server', service, ['contract', 'openapi', 'prisma']],
    ['the SDK', sdk, []],
  ])('%s imports only those below it', (_, files, below) => {
    expect(importsOfOurs(files)).toEqual(below);
  });

  test('the SDK imports no package at run time except jose to verify tokens and React for its hooks', () => {
    const packages = breaches(sdk, (to, typeOnly) => !to.startsWith('sdk/src/') && !typeOnly);
    const ofHooks = /^sdk\/src\/react\/[\w-]+\.ts -> react$/;
    const others = new Set(packages.filter((each) => !ofHooks.test(each)));
    expect([...others]).toEqual(['sdk/src/admin/access-token.ts -> jose']);
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

/** Idempotency wraps route handlers and therefore receives requests and answers. */
const handlesRequests = (from: SourceFile) =>
  isRoutes(from) ||
  from.path === 'server/src/idempotency/idempotency-key.ts' ||
  ['app.ts', 'router.ts', 'auth', 'http'].includes(placeOf(from.path) ?? '');

test('each engine has one door, tests, and a page that names only files that exist', () => {
  const folder = join(root, 'server/engines');
  for (const engine of readdirSync(folder)) {
    const files = readdirSync(join(folder, engine));
    expect(files, engine).toEqual(expect.arrayContaining(['index.ts', 'README.md']));
    expect(
      files.filter((name) => name.endsWith('.test.ts')),
      engine,
    ).not.toEqual([]);
    const page = readFileSync(join(folder, engine, 'README.md'), 'utf8');
    const named = [...page.matchAll(/`([\w./-]+\.(?:ts|js))`/g)].map(([, name]) => name as string);
    expect(named.length, engine).toBeGreaterThan(4);
    const lost = named.filter(
      (name) => !existsSync(join(name.includes('/') ? root : join(folder, engine), name)),
    );
    expect(lost, engine).toEqual([]);
  }
});

describe('inside the server', () => {
  const rules = server.filter(({ path }) => path.endsWith('-rules.ts'));
  const lib = server.filter(({ path }) => placeOf(path) === 'lib');
  const below = server.filter(({ path }) => !placeOf(path)?.endsWith('.ts') && placeOf(path) !== 'cli');

  test.each<[string, SourceFile[], Forbidden]>([
    [
      'express and ts-rest are imported only where requests are handled',
      server,
      (to, _, from) => /^(express|@ts-rest\/)/.test(to) && !handlesRequests(from),
    ],
    [
      'operations, rules and stores import nothing from http/',
      server,
      (to, _, from) => placeOf(to) === 'http' && isModule(placeOf(from.path)) && !handlesRequests(from),
    ],
    [
      'only router.ts imports routes',
      server,
      (to, _, { path }) => to.endsWith('/routes.ts') && path !== 'server/src/router.ts',
    ],
    [
      'rules import only the contract, other rules, pure lib and types',
      rules,
      (to, typeOnly) =>
        !typeOnly && to !== '@foyer/contract' && !to.endsWith('-rules.ts') && placeOf(to) !== 'lib',
    ],
    [
      'lib imports nothing else of the server',
      lib,
      (to) => to.startsWith('server/') && placeOf(to) !== 'lib',
    ],
    [
      'engines import nothing of the server except lib',
      engines,
      (to) => to.startsWith('server/src/') && placeOf(to) !== 'lib',
    ],
    [
      'an engine is imported only through its door',
      service,
      (to, _, { path }) =>
        to.startsWith('server/engines/') && !to.endsWith('/index.ts') && dirname(to) !== dirname(path),
    ],
    [
      'of lib and the engines, only the job queue, the schedule and the queries of documents import the database',
      [...lib, ...engines.filter(({ path }) => !/\/(queue|schedule|document-query)\//.test(path))],
      (to) => to === '@foyer/prisma',
    ],
    [
      'modules, auth/ and http/ take only types from deps.ts and env.ts',
      below,
      (to, typeOnly) => /^server\/src\/(?!change\.ts)[^/]+\.ts$/.test(to) && !typeOnly,
    ],
  ])('%s', (_, files, forbidden) => {
    expect(files.length).toBeGreaterThan(1);
    expect(breaches(files, forbidden)).toEqual([]);
  });

  test.each(foldersOf(service).filter((folder) => /^server\/(src|engines)/.test(folder)))(
    'there is no cycle between the folders and files in %s',
    (folder) => {
      expect(cycleIn(entriesOf(service, folder))).toBeNull();
    },
  );

  test('only stores query the database', () => {
    const schema = readFileSync(join(root, 'prisma/schema.prisma'), 'utf8');
    const models = [...schema.matchAll(/^model (\w)(\w*)/gm)].map(
      ([, first, rest]) => `${first?.toLowerCase()}${rest}`,
    );
    expect(models).toContain('signingKey');
    const asks = new RegExp(`\\$(query|execute)Raw|\\bquery(<[^(]*>)?\\(|\\.(${models.join('|')})\\.\\w+\\(`);
    const stores = service.filter(({ path }) => isStore(path));
    expect(stores.filter(({ text }) => !asks.test(text))).toEqual([]);
    const others = service.filter(({ path }) => !isStore(path));
    expect(
      uses(others, asks, {
        'server/src/http/health.ts': 'the readiness query, on no table',
        'server/engines/queue/queue-boss.ts': 'the tables of pg-boss, which belong to no module',
        'server/src/accounts/account.ts': 'the lock of a user, for every module',
        'server/src/accounts/write-user.ts': 'the rows of users, for every module',
      }),
    ).toEqual([]);
  });

  test('the rows of a table are written by one module', () => {
    const schema = readFileSync(join(root, 'prisma/schema.prisma'), 'utf8');
    const tables = [...schema.matchAll(/^model (\w+) \{.*?@@map\("(\w+)"\)/gms)].map(
      ([, model = '', table = '']) => [table, `${model[0]?.toLowerCase()}${model.slice(1)}`] as const,
    );
    expect(tables.length).toBeGreaterThan(30);
    const writers = tables.map(([table, model]): [string, unknown[]] => {
      const writes = new RegExp(
        `(INSERT INTO|UPDATE|DELETE FROM)\\s+${table}\\b|\\.${model}\\.(create|update|delete|upsert)`,
      );
      return [
        table,
        [...new Set(server.filter(({ text }) => writes.test(text)).map(({ path }) => placeOf(path)))],
      ];
    });
    expect(writers.filter(([, modules]) => modules.length > 1)).toEqual([
      // `accounts` has the statements; sign-up sets the v1 id of a user itself, under the lock that assigns it.
      ['users', ['accounts', 'sign-up']],
      // Webhooks mark an event as dispatched, and blank those of a deleted account.
      ['events', ['events', 'webhooks']],
    ]);
  });

  test('a transaction of a call is opened by change.ts, which wakes the queue', () => {
    expect(
      uses(server, /\$transaction\(/, {
        'server/src/change.ts': 'opens them',
        'server/src/cli/rotate-keys.ts': 'the command line, which queues nothing',
        'server/src/data/records/index-jobs.ts': 'a job, which queues nothing',
        'server/src/sign-up/v1-id.ts': 'a number of the app, which queues nothing',
        'server/src/stats/daily-counters.ts': 'counters, for no call',
        'server/src/tokens/rotate-signing-keys.ts': 'keys, for no call',
        'server/src/v1/api/migration-figures.ts': 'reads only',
        'server/src/v1/import/import-batch.ts': 'the command line, which queues nothing',
        'server/src/v1/import/import-file.ts': 'the command line, which queues nothing',
      }),
    ).toEqual([]);
  });

  test('transactions are opened by operations, never by stores, routes or http/', () => {
    const files = server.filter(
      (file) => isStore(file.path) || isRoutes(file) || placeOf(file.path) === 'http',
    );
    expect(uses(files, /\$transaction/, {})).toEqual([]);
    expect(server.filter(({ text }) => text.includes('$transaction(')).length).toBeGreaterThan(0);
  });
});

describe('injected dependencies', () => {
  test('only the command line passes on the environment, and only env.ts reads it', () => {
    const cli = { 'server/src/cli.ts': 'passes it to the command' };
    expect(uses(service, /process\.env/, cli)).toEqual([]);
    const run = server.find(({ path }) => path === 'server/src/cli/run.ts')?.text ?? '';
    const reads = run.match(/\benv\b(?!: NodeJS|\.js)/g)?.length;
    // The environment is read in the functions of env.ts only; one match is the declaration of the type.
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
        'server/engines/limiter/redis-windows.ts': 'when to look again whether Redis is back',
        'server/src/webhooks/deliveries/attempt.ts': 'how long a receiver took',
      },
    ],
    [
      'only lib/random.ts draws bytes',
      /Math\.random|random(Bytes|UUID|Int|Fill|FillSync)\b|getRandomValues|generateKey/,
      {
        'server/src/lib/crypto/random.ts': 'the drawing itself',
        'server/src/tokens/rotate-signing-keys.ts': 'key pairs are made by the library that uses them',
        'server/engines/push-senders/vapid.ts': 'key pairs are made by the platform',
      },
    ],
  ])('%s', (_, pattern, allowed) => {
    expect(uses(service, pattern, allowed)).toEqual([]);
  });
});

test('no file has a generic name', () => {
  const vague = /(^|[/-])(utils?|helpers?|managers?|common|misc|services?)(\.ts|\.js|\/)/;
  expect(everything.map(({ path }) => path).filter((path) => vague.test(path))).toEqual([]);
});

test('few functions of the server have five or more positional parameters', () => {
  const text = 'function a(b, { c }, d = 1, ...e) {} const f = (g: 1, h: 2, i: 3, j: 4, k: 5) => 0;';
  expect(functionsWith(4, [{ path: 'x.ts', text, imports: [] }])).toEqual(['x.ts: a', 'x.ts: anonymous']);
  expect(functionsWith(5, [...server, ...engines]).length).toBeLessThanOrEqual(10);
});

test('no hand-written source file exceeds 400 lines, and each opens with a comment that describes it', () => {
  const lines = ({ text }: SourceFile) => text.split('\n');
  const written = everything.filter(({ path }) => !path.startsWith('sdk/src/generated/'));
  expect(written.filter((file) => lines(file).length > 401).map(({ path }) => path)).toEqual([]);
  const silent = everything.filter((file) => !/^(#!|\/\/|\/\*)/.test(lines(file)[0] ?? ''));
  expect(silent.map(({ path }) => path)).toEqual([]);
});

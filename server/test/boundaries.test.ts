// Who may import whom, ask the database, read the time, draw bytes: the rules that keep each room readable alone.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { circleIn, importsOf, root, type SourceFile, sourcesOf } from './import-graph.js';

const contract = sourcesOf('contract/src');
const prisma = sourcesOf('prisma/src');
const openapi = sourcesOf('openapi');
const sdk = sourcesOf('sdk/src');
const server = sourcesOf('server/src');
const everything = [...contract, ...prisma, ...openapi, ...sdk, ...server];

/** `server/src/sessions/store.ts` is in the room `sessions`; what lies beside the rooms is in none. */
function roomOf(path: string): string | null {
  return /^server\/src\/([^/]+)\//.exec(path)?.[1] ?? null;
}

/** The command line stands above all rooms. */
const isRoom = (room: string | null): room is string =>
  room !== null && !['http', 'lib', 'cli'].includes(room);
const isRoutes = ({ path }: SourceFile) => path.endsWith('/routes.ts');
const isStore = (path: string) => path.endsWith('/store.ts');

/** Every import that breaks a rule, as `file -> import`. */
function breaches(
  files: SourceFile[],
  forbidden: (to: string, typeOnly: boolean, from: SourceFile) => boolean,
): string[] {
  return files.flatMap((from) =>
    from.imports
      .filter(({ to, typeOnly }) => forbidden(to, typeOnly, from))
      .map(({ to }) => `${from.path} -> ${to}`),
  );
}

/** Every file outside `allowed` whose text has the pattern. Comments are no code. */
function uses(files: SourceFile[], pattern: RegExp, allowed: Record<string, string>): string[] {
  const found = files.filter(({ text }) => pattern.test(withoutComments(text))).map(({ path }) => path);
  const unused = Object.keys(allowed).filter((path) => !found.includes(path));
  return [
    ...found.filter((path) => !(path in allowed)),
    ...unused.map((path) => `${path} needs no exception`),
  ];
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '');
}

describe('the reader of imports', () => {
  test('sees every way to import', () => {
    const text = [
      "import a from 'one';",
      "import type { b } from 'two';",
      "import { type c, type d } from 'three';",
      "import { type e, f } from 'four';",
      "import {\n  g,\n  h,\n} from 'five';",
      "import * as i from 'six';",
      "import 'seven';",
      "export * from 'eight';",
      "export type { j } from 'nine';",
      "const k = await import('ten');",
      "const l = require(import.meta.url)('x') as typeof import('eleven');",
      "const m = createRequire(import.meta.url)('twelve');",
    ].join('\n');
    const seen = new Map(importsOf(text).map(({ to, typeOnly }) => [to, typeOnly]));
    expect(Object.fromEntries(seen)).toMatchObject({
      one: false,
      two: true,
      three: true,
      four: false,
      five: false,
      six: false,
      seven: false,
      eight: false,
      nine: true,
      ten: false,
      eleven: true,
      twelve: false,
    });
  });

  test('finds the files that it names, and every room', () => {
    const paths = new Set(everything.map(({ path }) => path));
    const lost = breaches(
      [...contract, ...sdk, ...server],
      (to) => /^(contract|sdk|server)\//.test(to) && !paths.has(to),
    );
    expect(lost).toEqual([]);
    for (const files of [contract, prisma, openapi, sdk, server]) expect(files.length).toBeGreaterThan(2);
    expect(server.flatMap(({ imports }) => imports).length).toBeGreaterThan(200);
  });

  test('sees a circle where there is one', () => {
    const file = (path: string, to: string, typeOnly = false) => ({
      path,
      text: '',
      imports: [{ to, typeOnly }],
    });
    expect(circleIn([file('a', 'b'), file('b', 'c'), file('c', 'a')])).toEqual(['a', 'b', 'c', 'a']);
    expect(circleIn([file('a', 'b'), file('b', 'a', true)])).toBeNull();
  });
});

describe('between the workspaces', () => {
  const ours = /^@foyer\/([a-z]+)/;
  const importsOfOurs = (files: SourceFile[]) =>
    new Set(files.flatMap(({ imports }) => imports.flatMap(({ to }) => ours.exec(to)?.[1] ?? [])));

  test('the contract imports zod and @ts-rest/core, and nothing else', () => {
    expect(
      breaches(contract, (to) => !to.startsWith('contract/src/') && to !== 'zod' && to !== '@ts-rest/core'),
    ).toEqual([]);
  });

  test('the database imports nothing of ours, and the OpenAPI document the contract alone', () => {
    expect([...importsOfOurs(prisma)]).toEqual([]);
    expect([...importsOfOurs(openapi)]).toEqual(['contract']);
  });

  test('the server imports contract, database and OpenAPI document, never the SDK', () => {
    expect([...importsOfOurs(server)].sort()).toEqual(['contract', 'openapi', 'prisma']);
  });

  test('nothing imports the server', () => {
    expect(
      breaches([...contract, ...prisma, ...openapi, ...sdk], (to) => /^(@foyer\/server|server\/)/.test(to)),
    ).toEqual([]);
  });

  test('the SDK takes types from the contract, and no package at run time but jose to verify tokens', () => {
    expect([...importsOfOurs(sdk)]).toEqual(['contract']);
    expect(breaches(sdk, (to, typeOnly) => !to.startsWith('sdk/src/') && !typeOnly)).toEqual([
      'sdk/src/access-token.ts -> jose',
    ]);
  });

  test('no workspace reaches into another by a path', () => {
    const outside = breaches(
      everything,
      (to, _, from) =>
        /^[a-z]+\//.test(to) &&
        /^(contract|prisma|openapi|sdk|server)\//.test(to) &&
        to.split('/')[0] !== from.path.split('/')[0],
    );
    expect(outside).toEqual([]);
  });

  test('imports go round in no circle', () => {
    expect(circleIn(everything)).toBeNull();
  });
});

describe('inside the server', () => {
  test('express and ts-rest are known to routes, http/, app.ts and router.ts alone', () => {
    const knows = (from: SourceFile) =>
      isRoutes(from) ||
      roomOf(from.path) === 'http' ||
      ['app.ts', 'router.ts'].some((name) => from.path === `server/src/${name}`);
    expect(breaches(server, (to, _, from) => /^(express|@ts-rest\/)/.test(to) && !knows(from))).toEqual([]);
  });

  test('of a room, routes alone import from http/', () => {
    const breach = breaches(
      server,
      (to, _, from) => roomOf(to) === 'http' && isRoom(roomOf(from.path)) && !isRoutes(from),
    );
    expect(breach).toEqual([]);
  });

  test('routes are imported by the map alone', () => {
    expect(
      breaches(server, (to, _, from) => to.endsWith('/routes.ts') && from.path !== 'server/src/router.ts'),
    ).toEqual([]);
  });

  test('a store is imported in its own room alone', () => {
    expect(breaches(server, (to, _, from) => isStore(to) && roomOf(to) !== roomOf(from.path))).toEqual([]);
  });

  test('stores alone ask the database', () => {
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
        'server/src/http/health.ts': 'whether the database answers, of no table',
        'server/src/lib/queue-boss.ts': "pg-boss's own tables, which belong to no room",
      }),
    ).toEqual([]);
  });

  test('transactions are opened by operations, never by stores, routes or http/', () => {
    const files = server.filter(
      (file) => isStore(file.path) || isRoutes(file) || roomOf(file.path) === 'http',
    );
    expect(uses(files, /\$transaction/, {})).toEqual([]);
    expect(server.filter(({ text }) => text.includes('$transaction(')).length).toBeGreaterThan(0);
  });

  test('rules import the contract, other rules and types alone', () => {
    const rules = server.filter(({ path }) => path.endsWith('-rules.ts'));
    expect(rules.length).toBeGreaterThan(1);
    expect(
      breaches(rules, (to, typeOnly) => !typeOnly && to !== '@foyer/contract' && !to.endsWith('-rules.ts')),
    ).toEqual([]);
  });

  test('lib knows no room, no express, no dependencies, and of queries those of the job queue alone', () => {
    const queue = ['queue.ts', 'queue-boss.ts'].map((name) => `server/src/lib/${name}`);
    const lib = server.filter(({ path }) => roomOf(path) === 'lib');
    expect(
      breaches(
        lib,
        (to, _, { path }) =>
          (to === '@foyer/prisma' && !queue.includes(path)) ||
          (to.startsWith('server/') && roomOf(to) !== 'lib'),
      ),
    ).toEqual([]);
  });

  /**
   * Each room may import those that stand after it. `passwords` knows no other room; making an app makes its first signing
   * keys, so `apps` stands above `tokens`. What a backend does to whole accounts needs most rooms, and is one of its own.
   */
  const downward = [
    'v1-import',
    'v1',
    'sign-in',
    'admin-users',
    'profile',
    'data',
    'passwords',
    'users',
    'identities',
    'push-messages',
    'push',
    'files',
    'sessions',
    'codes',
    'v1-tokens',
    'mail',
    'loyalty',
    'collections',
    'apps',
    'remote-config',
    'tokens',
    'webhooks',
    'audit',
    'idempotency',
  ];
  /** Open to every room: what an app and a user are, and the event that a change writes in its own statement. */
  const open = ['apps/app.ts', 'users/user.ts', 'webhooks/outbox.ts'].map((path) => `server/src/${path}`);

  test('rooms import downward, but for the files that are open to all', () => {
    const rooms = new Set(server.map(({ path }) => roomOf(path)).filter(isRoom));
    expect([...rooms].sort()).toEqual([...downward].sort());
    const upward = breaches(server, (to, _, { path }) => {
      const [from, into] = [roomOf(path), roomOf(to)];
      if (!isRoom(from) || !isRoom(into) || from === into || open.includes(to)) return false;
      return downward.indexOf(into) < downward.indexOf(from);
    });
    expect(upward).toEqual([]);
  });

  test('nothing but the program itself imports the command line', () => {
    const others = server.filter(({ path }) => path !== 'server/src/cli.ts' && roomOf(path) !== 'cli');
    expect(breaches(others, (to) => roomOf(to) === 'cli')).toEqual([]);
  });

  test('what is open to all rooms imports no room but others that are open', () => {
    const files = server.filter(({ path }) => open.includes(path));
    expect(files).toHaveLength(open.length);
    expect(breaches(files, (to) => isRoom(roomOf(to)) && !open.includes(to))).toEqual([]);
  });

  test('rooms take the types of deps.ts, and nothing that it makes', () => {
    const beside = /^server\/src\/[^/]+\.ts$/;
    expect(
      breaches(server, (to, typeOnly, from) => beside.test(to) && !typeOnly && roomOf(from.path) !== null),
    ).toEqual([]);
  });
});

describe('what is given and not taken', () => {
  test('only the command line hands over the environment, and only env.ts reads it', () => {
    const cli = { 'server/src/cli.ts': 'passes it to readConfig' };
    expect(uses(server, /process\.env/, cli)).toEqual([]);
    const text = server.find(({ path }) => path === 'server/src/cli.ts')?.text ?? '';
    expect(text.match(/process\.env/g)?.length).toBe(text.match(/readConfig\(process\.env\)/g)?.length);
  });

  test('only lib/clock.ts reads the time', () => {
    const takesTime = /new Date\(\)|Date\.now\(|\bDate\(\)/;
    expect(
      uses(server, takesTime, {
        'server/src/lib/clock.ts': 'the clock itself',
        'server/src/lib/logger.ts': 'when a line was written, also where a test moves the clock',
      }),
    ).toEqual([]);
  });

  test("durations are measured where nothing is decided by the service's time", () => {
    expect(
      uses(server, /performance\.now\(|hrtime/, {
        'server/src/http/request-log.ts': 'how long a request took',
        'server/src/lib/elapsed.ts': 'how long work has taken, for what limits it',
        'server/src/http/redis-windows.ts': 'when to look again whether Redis is back',
        'server/src/webhooks/deliveries/attempt.ts': 'how long a receiver took',
      }),
    ).toEqual([]);
  });

  test('only lib/random.ts draws bytes', () => {
    const draws = /Math\.random|random(Bytes|UUID|Int|Fill|FillSync)\b|getRandomValues|generateKey/;
    expect(
      uses(server, draws, {
        'server/src/lib/random.ts': 'the drawing itself',
        'server/src/tokens/signing-keys.ts': 'key pairs are made by the library that uses them',
        'server/src/lib/vapid.ts': 'key pairs are made by the platform',
      }),
    ).toEqual([]);
  });
});

test('no file is named after nothing in particular', () => {
  const vague = /(^|[/-])(utils?|helpers?|managers?|common|misc|services?)(\.ts|\.js|\/)/;
  expect(everything.map(({ path }) => path).filter((path) => vague.test(path))).toEqual([]);
});

test('no source file is longer than 400 lines, and each opens with a comment that says what it is', () => {
  const lines = ({ text }: SourceFile) => text.split('\n');
  expect(everything.filter((file) => lines(file).length > 401).map(({ path }) => path)).toEqual([]);
  const silent = everything.filter((file) => !/^(#!|\/\/|\/\*)/.test(lines(file)[0] ?? ''));
  expect(silent.map(({ path }) => path)).toEqual([]);
});

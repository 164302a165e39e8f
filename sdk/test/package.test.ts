// The published package: packed, installed alone into an empty folder, compiled and run.
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, normalize, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { quickStart } from '../../server/test/quick-start.js';
import { argv, observe, programs, typed, typedClaims, untyped } from './package-sources.js';
import { installPackedSdk, stubs } from './packed-sdk.js';
import { type ScriptedService, startScriptedService } from './scripted-service.js';
import { typecheck } from './typecheck.js';

const run = promisify(execFile);
const room = fileURLToPath(new URL('..', import.meta.url));
const require = createRequire(import.meta.url);

let folder = '';
let installed = '';
let service: ScriptedService;

beforeAll(async () => {
  service = await startScriptedService();
  folder = await mkdtemp(join(tmpdir(), 'foyer-sdk-'));
  installed = await installPackedSdk(folder);
  await mkdir(join(folder, 'app/node_modules/@types'));
  for (const types of ['node', 'react', 'react-dom']) {
    const source = dirname(require.resolve(`@types/${types}/package.json`));
    await symlink(source, join(folder, 'app/node_modules/@types', types));
  }
});

afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true, force: true });
});

/** Every file of a folder, recursively, by relative path. */
async function filesIn(path: string): Promise<string[]> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(path, join(entry.parentPath, entry.name)));
}

const formats = ['mjs', 'cjs'] as const;
const names = Object.keys(programs) as (keyof typeof programs)[];

async function outputOf(name: keyof typeof programs, format: (typeof formats)[number]): Promise<string> {
  const file = join(folder, 'app', `${names.indexOf(name)}.${format}`);
  await writeFile(file, untyped(programs[name], format));
  const args = [...quickStart, file, service.baseUrl, format, join(folder, format, 'session')];
  return (await run('node', args, { timeout: 60_000 })).stdout.trim();
}

describe('a project without the contract or zod', () => {
  test.each(names.flatMap((name) => formats.map((format) => [name, format] as const)))(
    'runs %s, as %s, and the process ends by itself',
    async (name, format) => {
      expect(await outputOf(name, format)).toBe(programs[name].output);
    },
  );

  test('verifies access tokens once jose is installed', async () => {
    const jose = join(folder, 'app/node_modules/jose');
    await cp(new URL('../..', import.meta.resolve('jose')), jose, { recursive: true });
    for (const format of formats) {
      const output = await outputOf('a backend with a secret key', format);
      expect(output).toBe('auth/invalid-token client/network');
    }
    await rm(jose, { recursive: true });
  });

  test('receives webhooks with nothing of Node: WebCrypto and the web’s encodings suffice', async () => {
    const text = await readFile(join(installed, 'dist/webhooks.js'), 'utf8');
    expect(text).not.toMatch(/\b(process|Buffer|require|globalThis|node:)/);
    const used = new Set(text.match(/\b(crypto\.[a-z]+|atob|TextEncoder|TextDecoder)\b/g));
    expect([...used].sort()).toEqual(['TextDecoder', 'TextEncoder', 'atob', 'crypto.subtle']);
  });
});

describe('strictly compiled', () => {
  const withoutConsole = argv.replace(/declare const console.*/, '');
  /** Filled from docs/, where a snippet is a file that its first line names. */
  const snippetsOfDocs: Record<string, string> = {};
  const snippetNames: string[] = [];
  const app = typed(programs['an app']);
  /** As TypeScript, in both formats. */
  const both = (name: string, source: string) => ({ [`${name}.mts`]: source, [`${name}.cts`]: source });
  const sources = {
    node: {
      ...both('app', app),
      ...both('receiver', typed(programs['a receiver of webhooks'])),
      ...both('backend', typed(programs['a backend with a secret key'])),
      ...both('unit-test', typed(programs['a unit test with the fake service'])),
      'mistake.mts': app.replace("'auth/invalid-credential'", "'auth/invalid-credentials'"),
    },
    dom: both('dom', app + withoutConsole),
    bundler: { 'bundled.ts': app, 'claims.tsx': typedClaims },
  };
  const compiled = Object.values(sources).flatMap((files) => Object.keys(files));
  let errors: Record<string, string>;
  beforeAll(async () => {
    const project = join(folder, 'app');
    for (const page of await readdir(join(room, 'docs'))) {
      const text = await readFile(join(room, 'docs', page), 'utf8');
      for (const [, name, snippet] of text.matchAll(/```tsx?\n\/\/ ([\w-]+\.tsx?)\n(.*?)```/gs)) {
        snippetsOfDocs[name!] = snippet!;
        snippetNames.push(name!);
      }
    }
    errors = {
      ...(await typecheck(project, 'node', sources.node, { types: ['node'] })),
      ...(await typecheck(project, 'dom', sources.dom, { lib: ['ES2022', 'DOM'] })),
      ...(await typecheck(
        project,
        'bundler',
        { ...sources.bundler, ...snippetsOfDocs },
        {
          types: ['node'],
          module: 'ESNext',
          moduleResolution: 'Bundler',
          jsx: 'react-jsx',
          lib: ['ES2022', 'DOM', 'DOM.Iterable'],
        },
      )),
    };
  });

  test.each(compiled.filter((file) => file !== 'mistake.mts'))('%s has no error', (file) => {
    expect(errors[file]).toBe('');
  });

  test('no snippet of docs/ has an error, or the name of another', () => {
    expect(snippetNames.length).toBeGreaterThan(3);
    expect(snippetNames).toEqual(Object.keys(snippetsOfDocs));
    expect(snippetNames.map((file) => errors[file]).join('')).toBe('');
  });

  test('a type error is found', () => {
    expect(errors['mistake.mts']).toContain('error TS');
  });
});

describe('minification', () => {
  test('changes no name of an event, or of what is stored between releases', async () => {
    const file = join(folder, 'app/observe.mjs');
    await writeFile(file, observe);
    const { stdout } = await run('node', [...quickStart, file, service.baseUrl], { timeout: 60_000 });
    expect(JSON.parse(stdout)).toEqual({
      request: ['type', 'method', 'path', 'status', 'durationMs', 'requestId'],
      retry: ['type', 'code', 'attempt', 'delayMs'],
      refresh: ['type', 'code', 'durationMs'],
      'memory-storage': ['type'],
      kept: ['id', 'serial', 'user', 'access_token', 'expires_in', 'at'],
    });
  });
});

/** The anchors of the headings of a page, as GitHub makes them. */
async function anchorsOf(page: string): Promise<string[]> {
  const text = await readFile(join(installed, page), 'utf8');
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replace(/[^\w\s-]/g, '')
      .replace(/\s/g, '-'),
  );
}

describe('the package', () => {
  test('contains the required files only', async () => {
    const names = ['CHANGELOG.md', 'LICENSE', 'README.md', 'dist', 'docs', 'package.json', 'src', ...stubs];
    expect((await readdir(installed)).sort()).toEqual(names.sort());
    const files = await filesIn(join(installed, 'dist'));
    const built = stubs.map((entry) => (entry === 'webhooks' ? entry : `${entry}/index`));
    const entries = ['index', ...built].flatMap((entry) =>
      ['.cjs', '.cjs.map', '.js', '.js.map'].map((extension) => `${entry}${extension}`),
    );
    expect(files.filter((file) => !/\.d\.c?ts(\.map)?$/.test(file)).sort()).toEqual(entries.sort());
  });

  test('requires no package except jose for token verification and React for hooks, in code and declarations', async () => {
    const { dependencies, peerDependencies, peerDependenciesMeta } = JSON.parse(
      await readFile(join(installed, 'package.json'), 'utf8'),
    );
    expect(dependencies).toBeUndefined();
    expect(Object.keys(peerDependencies)).toEqual(['jose', 'react']);
    expect(peerDependenciesMeta).toEqual({ jose: { optional: true }, react: { optional: true } });
    for (const file of await filesIn(join(installed, 'dist'))) {
      if (file.endsWith('.map')) continue;
      const content = await readFile(join(installed, 'dist', file), 'utf8');
      const text = file.startsWith('react/')
        ? content.replace(/(from |require\()['"]react['"]/g, '')
        : content;
      expect(text, file).not.toMatch(/(?<!\/)\b(from|import|require\()\s*['"](?!\.\.?\/)|reference types/);
      expect(
        [...text.matchAll(/import\(['"][^)]*\)/g)].map(([found]) => found),
        file,
        // The second one is for Jest.
      ).toEqual(/^admin\/index\.c?js$/.test(file) ? ['import("jose")', "import('jose')"] : []);
    }
  });

  test('names only files that it contains, and no condition of the workspace', async () => {
    const manifest = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'));
    expect(JSON.stringify(manifest)).not.toMatch(/"source"|devDependencies|scripts/);
    const named = [...JSON.stringify(manifest).matchAll(/"(\.\/[\w./-]+)"(?!:)/g)].map(([, file]) => file!);
    expect(named.length).toBeGreaterThan(12);
    const files = await filesIn(installed);
    expect(named.filter((file) => !files.includes(file.slice(2)))).toEqual([]);
    await run('node', ['--conditions=source', join(folder, 'app/0.mjs'), service.baseUrl, 'source']);
  });

  test('contains every page of docs/, and no page links to a file or a heading that does not exist', async () => {
    const pages = await readdir(join(installed, 'docs'));
    expect(pages.sort()).toEqual((await readdir(join(room, 'docs'))).sort());
    const files = await filesIn(installed);
    const broken: string[] = [];
    for (const page of ['README.md', ...pages.map((name) => join('docs', name))]) {
      const text = await readFile(join(installed, page), 'utf8');
      for (const [, target, anchor] of text.matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g)) {
        const file = target ? normalize(join(dirname(page), target)) : page;
        const exists = files.includes(file) && (!anchor || (await anchorsOf(file)).includes(anchor));
        if (!exists) broken.push(`${page}: ${target}#${anchor}`);
      }
    }
    expect(broken).toEqual([]);
  });

  test('has a manifest whose original survives an interrupted pack', async () => {
    const cwd = await mkdtemp(join(folder, 'interrupted-'));
    await cp(join(room, 'package.json'), join(cwd, 'package.json'));
    const manifest = (task: string) => run('node', [join(room, 'manifest.mjs'), task], { cwd });
    await manifest('publish');
    await expect(manifest('publish')).rejects.toThrow('EEXIST');
    await manifest('restore');
    const [restored, original] = await Promise.all(
      [cwd, room].map((each) => readFile(join(each, 'package.json'), 'utf8')),
    );
    expect(restored).toBe(original);
  });

  test('leads from each declaration to its source', async () => {
    const map = JSON.parse(await readFile(join(installed, 'dist/admin/index.d.ts.map'), 'utf8'));
    expect(map.sources).toEqual([expect.stringMatching(/src\/admin\/index\.ts$/)]);
    expect(await filesIn(installed)).toContain('src/admin/index.ts');
  });

  test('uses nothing that React Native lacks', async () => {
    const text = await readFile(join(installed, 'dist/index.js'), 'utf8');
    expect(text).not.toMatch(/subtle|searchParams|new URL\b|AbortSignal\.|structuredClone|process\.|Buffer/);
    // Feature-detected: see nonce.test.ts.
    expect(text.match(/crypto\b.*/g)).toEqual(['crypto;']);
  });

  test('uses no function that is younger than Safari 14 and Chrome 85', async () => {
    const text = await readFile(join(installed, 'dist/index.js'), 'utf8');
    const younger =
      /\.(at|findLast|findLastIndex|replaceAll|toSorted|toReversed|with|group|isWellFormed)\(|Object\.(hasOwn|groupBy)|Array\.fromAsync|Promise\.(any|withResolvers)|WeakRef|structuredClone|AbortSignal\.|randomUUID|URL\.(canParse|parse)|static \{|#\w+ in /;
    expect(text.match(younger)).toBeNull();
    // Web Locks and channels are looked for first.
    expect(text).toMatch(/navigator\?\.locks/);
    expect(text).toMatch(/globalThis\.BroadcastChannel/);
  });

  test('stays within its budget', async () => {
    const { stdout } = await run('node', [join(room, 'size.mjs'), installed]);
    expect(stdout).toMatch(/^core: \d+ bytes/);
  });
});

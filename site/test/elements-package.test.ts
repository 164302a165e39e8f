// The package of the ready screens as the service serves it, in a program of Node: a server renders pages that contain them.
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';

const run = promisify(execFile);
const served = fileURLToPath(new URL('../dist/sdk/', import.meta.url));
const installed = fileURLToPath(new URL('../../node_modules/', import.meta.url));
/** What npm installs beside the two packages. */
const dependencies = [
  'lit',
  'lit-element',
  'lit-html',
  '@lit',
  '@lit-labs',
  'uqr',
  'react',
  'react-dom',
  'scheduler',
];

let app = '';
beforeAll(async () => {
  app = await mkdtemp(join(tmpdir(), 'foyer-elements-'));
  for (const name of await readdir(served)) {
    const target = join(app, 'node_modules/@foyer', /foyer-(\w+)/.exec(name)?.[1] ?? '');
    await mkdir(target, { recursive: true });
    await run('tar', ['-xzf', join(served, name), '-C', target, '--strip-components=1']);
  }
  for (const name of dependencies) {
    const place = join(app, 'node_modules', name);
    await mkdir(dirname(place), { recursive: true });
    await symlink(join(installed, name), place);
  }
});
afterAll(() => rm(app, { recursive: true, force: true }));

async function outputOf(source: string): Promise<string> {
  await writeFile(join(app, 'program.mjs'), source);
  return (await run('node', ['program.mjs'], { cwd: app })).stdout.trim();
}

test.each(['@foyer/elements', '@foyer/elements/sign-in', '@foyer/elements/account', '@foyer/elements/react'])(
  'importing %s in Node does nothing, and does not throw',
  async (entry) => {
    expect(await outputOf(`import * as all from '${entry}'; console.log(Object.keys(all).length > 0);`)).toBe(
      'true',
    );
  },
);

test('a server renders the components for React as empty elements with their attributes', async () => {
  const html = await outputOf(`
    import { SignIn } from '@foyer/elements/react';
    import { createElement } from 'react';
    import { renderToString } from 'react-dom/server';
    const props = { baseUrl: 'https://accounts.example.com/api/v2', appKey: 'pk_1', lang: 'de' };
    console.log(renderToString(createElement(SignIn, props)));`);
  expect(html).toMatch(
    /^<foyer-sign-in [^<]*base-url="https:\/\/accounts\.example\.com\/api\/v2"[^<]*><\/foyer-sign-in>$/,
  );
  expect(html).toContain('app-key="pk_1"');
});

test('the bundle of an app keeps the drawing of QR codes in a script that is loaded later', async () => {
  const { metafile } = await build({
    stdin: { contents: "import '@foyer/elements';", resolveDir: app },
    outdir: join(app, 'bundle'),
    bundle: true,
    splitting: true,
    format: 'esm',
    external: ['react'],
    write: false,
    metafile: true,
  });
  const scripts = Object.values(metafile.outputs);
  const drawing = scripts.filter(({ inputs }) => Object.keys(inputs).some((path) => path.includes('/uqr/')));
  expect(drawing.map(({ entryPoint }) => entryPoint)).toEqual([
    expect.stringMatching(/@foyer\/elements\/dist\/qr-code\.js$/),
  ]);
  const start = scripts.find(({ entryPoint }) => entryPoint === '<stdin>');
  expect(start?.imports).toContainEqual(
    expect.objectContaining({ kind: 'dynamic-import', path: expect.stringContaining('qr-code') }),
  );
});

// The packages that a release publishes: what is in them, and that they belong together.
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { root } from './import-graph.js';

const run = promisify(execFile);
const mebibyte = 1_048_576;

/** The files of a package as it is packed, and its size in MiB. */
async function packed(packer: string): Promise<{ files: string[]; size: number; archive: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'foyer-packed-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const { stdout } = await run('node', [join(root, packer), folder]);
  const archive = stdout.trim();
  const list = await run('tar', ['-tzf', archive], { maxBuffer: mebibyte });
  const files = list.stdout.trim().split('\n');
  return {
    files: files.map((file) => file.replace(/^package\//, '')),
    size: (await stat(archive)).size / mebibyte,
    archive,
  };
}

/** What no package has by accident. */
const strangers = /(\.test\.|\.env|tsconfig|(^|\/)(test|proofs|samples|generator)\/|\.tsbuildinfo|\.tgz$)/;

test('the package of the SDK has the build, the guides and the sources that declarations lead to, and nothing else', async () => {
  const { files, size } = await packed('sdk/pack.mjs');
  expect(files.filter((file) => strangers.test(file))).toEqual([]);
  expect(files.filter((file) => file.startsWith('src/console/'))).toEqual([]);
  const folders = new Set(files.filter((file) => file.includes('/')).map((file) => file.split('/')[0]));
  expect([...folders].sort()).toEqual([
    'admin',
    'dist',
    'docs',
    'expo',
    'react',
    'server',
    'src',
    'storage',
    'testing',
    'webhooks',
  ]);
  expect(size).toBeLessThan(1.5);
});

test('the package of the elements has the build and its sources, no tests, and a manifest without those of the workspace', async () => {
  const { files, size, archive } = await packed('elements/pack.mjs');
  expect(files.filter((file) => strangers.test(file))).toEqual([]);
  const folders = new Set(files.filter((file) => file.includes('/')).map((file) => file.split('/')[0]));
  expect([...folders].sort()).toEqual(['dist', 'src']);
  const outside = files.filter((file) => !file.includes('/'));
  expect(outside.sort()).toEqual(['CHANGELOG.md', 'LICENSE', 'README.md', 'package.json']);
  const { stdout } = await run('tar', ['-xzOf', archive, 'package/package.json']);
  const manifest = JSON.parse(stdout);
  expect([manifest.devDependencies, manifest.scripts]).toEqual([undefined, undefined]);
  expect(JSON.stringify(manifest.exports)).not.toContain('src/');
  expect(size).toBeLessThan(0.2);
});

test('the package of the command line has builds only, and the packages that its service serves', async () => {
  const { files, size } = await packed('server/pack.mjs');
  const served = 'node_modules/@foyer/site/dist/sdk/';
  expect(files.filter((file) => strangers.test(file) && !file.startsWith(served))).toEqual([]);
  expect(files.filter((file) => /\.tsx?$/.test(file) || /\.map$/.test(file))).toEqual([]);
  expect(files.filter((file) => file.startsWith(served)).length).toBe(2);
  expect(files).toContain('node_modules/@foyer/site/dist/account/index.html');
  const outside = files.filter(
    (file) => !file.startsWith('dist/') && !file.startsWith('node_modules/@foyer/'),
  );
  expect(outside.sort()).toEqual(['LICENSE', 'README.md', 'package.json']);
  expect(size).toBeLessThan(12);
});

test('all have the same version, which the guides name, and the elements need an SDK that is no older', () => {
  const manifestOf = (name: string) => JSON.parse(readFileSync(join(root, name, 'package.json'), 'utf8'));
  const { version } = manifestOf('sdk');
  expect(manifestOf('server').version).toBe(version);
  expect(manifestOf('elements').version).toBe(version);
  expect(manifestOf('elements').peerDependencies['@foyer/sdk']).toBe(`>=${version} <1.0.0`);
  const guides = readdirSync(join(root, 'sdk/docs')).map((name) => `sdk/docs/${name}`);
  const named = [...guides, 'sdk/README.md', 'elements/README.md', 'server/PACKAGE.md', 'README.md'].flatMap(
    (file) =>
      [
        ...readFileSync(join(root, file), 'utf8').matchAll(
          /foyer-(?:sdk|elements|cli)-(\d+\.\d+\.\d+)\.tgz/g,
        ),
      ].map((match) => match[1]),
  );
  expect(named.length).toBeGreaterThan(8);
  expect(new Set(named)).toEqual(new Set([version]));
});

// The pages of docs/: every snippet compiles, and the tests that testing.md shows pass.
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';

const run = promisify(execFile);
const workspace = fileURLToPath(new URL('..', import.meta.url));
const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');
/** Those of the other pages are compiled with the packed SDK, in package.test.ts. */
const pages = ['testing', 'google-and-apple', 'server', 'storage'];

test('every snippet compiles, and the tests of testing.md pass', async () => {
  // In the workspace, where `@foyer/sdk` is the build and Node finds its types.
  const folder = await mkdtemp(join(workspace, 'docs-snippets-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const files: string[] = [];
  for (const page of pages) {
    const text = await readFile(join(workspace, 'docs', `${page}.md`), 'utf8');
    for (const [, snippet] of text.matchAll(/```ts\n(.*?)```/gs)) {
      files.push(`${page}-${files.length}.mts`);
      await writeFile(join(folder, files.at(-1)!), snippet!);
    }
  }
  expect(files).toHaveLength(10);
  const compilerOptions = {
    ...{ module: 'NodeNext', target: 'ES2022', strict: true, exactOptionalPropertyTypes: true },
    types: ['node'],
  };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
  await run('node', [compiler, '--pretty', 'false', '-p', folder]).catch(({ stdout }) => expect.fail(stdout));
  const { stdout } = await run('node', ['--test', join(folder, 'testing-0.mjs')]);
  expect(stdout).toMatch(/pass 4\n/);
});

// Compiles programs in the folder of an app, as the app's own compiler does.
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');

/** The errors of each file of an app, compiled strictly in one run. */
export async function typecheck(
  app: string,
  name: string,
  sources: Record<string, string>,
  options: object,
): Promise<Record<string, string>> {
  const tsconfig = {
    compilerOptions: {
      module: 'NodeNext',
      strict: true,
      exactOptionalPropertyTypes: true,
      noEmit: true,
      skipLibCheck: false,
      lib: ['ES2022'],
      types: [],
      ...options,
    },
    files: Object.keys(sources),
  };
  for (const [file, source] of Object.entries(sources)) await writeFile(join(app, file), source);
  await writeFile(join(app, `${name}.json`), JSON.stringify(tsconfig));
  const output = await run('node', [compiler, '--pretty', 'false', '-p', `${name}.json`], { cwd: app }).then(
    () => '',
    ({ stdout }: { stdout: string }) => stdout,
  );
  const lines = output.split('\n').filter(Boolean);
  // An error of the package itself is an error of each file.
  const owner = (line: string) => Object.keys(sources).find((file) => line.startsWith(`${file}(`));
  return Object.fromEntries(
    Object.keys(sources).map((file) => [
      file,
      lines.filter((line) => [file, undefined].includes(owner(line))).join('\n'),
    ]),
  );
}

// Compiles programs in the folder of an app, as the app's own compiler does.
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');

/** Compiles files of a folder; returns what the compiler says. */
export async function compile(
  folder: string,
  name: string,
  compilerOptions: object,
  files: string[],
): Promise<string> {
  await writeFile(join(folder, name), JSON.stringify({ compilerOptions, files }));
  return run('node', [compiler, '--pretty', 'false', '-p', name], { cwd: folder }).then(
    () => '',
    ({ stdout }: { stdout: string }) => stdout,
  );
}

/** The errors of each file of an app, compiled strictly in one run. */
export async function typecheck(
  app: string,
  name: string,
  sources: Record<string, string>,
  options: object,
): Promise<Record<string, string>> {
  const compilerOptions = {
    module: 'NodeNext',
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    skipLibCheck: false,
    lib: ['ES2022'],
    types: [],
    ...options,
  };
  for (const [file, source] of Object.entries(sources)) await writeFile(join(app, file), source);
  const output = await compile(app, `${name}.json`, compilerOptions, Object.keys(sources));
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

// Generates the text of the files in `src/generated/`, and of the page of the error codes in `docs/`.
import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { errorCatalogue } from '@foyer/contract';
import { callsText } from './call-files.js';
import { adminCalls, type Call, consoleCalls } from './calls.js';
import { errorPage } from './error-page.js';
import { sources } from './models.js';
import { declarationOf, type NameOf, shapeOf } from './typescript.js';

const formatter = createRequire(import.meta.url).resolve('@biomejs/biome/bin/biome');
const root = fileURLToPath(new URL('../..', import.meta.url));

/** Every generated file by its path in the package, with its text. */
export function generatedFiles(): Map<string, string> {
  const files = new Map(Object.keys(sources).map((file) => [`src/generated/${file}.ts`, textOf(file)]));
  return files
    .set(
      'src/generated/admin-calls.ts',
      callFile('admin-calls', "The calls of an app's backend.", adminCalls, 'Admin'),
    )
    .set(
      'src/generated/console-calls.ts',
      callFile('console-calls', 'The calls of a team member.', consoleCalls, 'Console'),
    )
    .set('src/generated/error-catalogue.ts', catalogueText())
    .set('docs/errors.md', errorPage());
}

/** Apps never import this value, only `/testing` does. */
function catalogueText(): string {
  const header = headerOf('The status and message of each error code.');
  const type = 'Record<ServerCode, { status: number; message: string }>';
  return formatted(
    `${header}import type { ServerCode } from './error-codes.js';\n\n` +
      `export const errorCatalogue: ${type} = ${JSON.stringify(errorCatalogue)};\n`,
    'sdk/src/generated/error-catalogue.ts',
  );
}

function headerOf(purpose: string): string {
  return `// ${purpose} Generated from the contract by \`npm run generate\`. Do not edit.\n`;
}

function textOf(file: string): string {
  const { purpose, types } = sources[file] ?? { purpose: '', types: {} };
  const { nameOf, imports } = namesIn(file);
  const declarations = Object.entries(types).map(([name, schema]) => declarationOf(name, schema, nameOf));
  return formatted(
    [headerOf(purpose) + imports(), ...declarations].join('\n'),
    `sdk/src/generated/${file}.ts`,
  );
}

function callFile(file: string, purpose: string, calls: Call[], prefix: string): string {
  const { nameOf, imports } = namesIn(file);
  const text = callsText(calls, prefix, nameOf);
  const own = [
    importOf(text, '../admin/typed-client.js', ['CallTable', 'OnceOptions', 'Tagged']),
    importOf(text, '../api.js', ['CallOptions', 'PageList', 'RepeatableCallOptions']),
  ];
  return formatted(
    `${headerOf(purpose)}${own.join('')}${imports()}\n${text}`,
    `sdk/src/generated/${file}.ts`,
  );
}

function importOf(text: string, from: string, names: string[]): string {
  const used = names.filter((name) => new RegExp(`\\b${name}\\b`).test(text));
  return `import type { ${used.join(', ')} } from '${from}';\n`;
}

/** The names of types for a file, and the imports of those that were used. */
function namesIn(file: string): { nameOf: NameOf; imports: () => string } {
  const fileOf = visibleTypes(file);
  const used = new Map<string, Set<string>>();
  return {
    nameOf(shape) {
      const found = fileOf.get(shape);
      if (found && found.file !== file)
        used.set(found.file, (used.get(found.file) ?? new Set()).add(found.name));
      return found?.name;
    },
    imports: () =>
      [...used]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([from, names]) => `import type { ${[...names].sort().join(', ')} } from './${from}.js';\n`)
        .join(''),
  };
}

type Named = { file: string; name: string };

/** The named types that a file can use, by their shape: its own before those of earlier files. */
function visibleTypes(file: string): Map<string, Named> {
  const names = Object.keys(sources);
  // A file of calls has no types of its own, and can use all.
  const earlier = file in sources ? names.slice(0, names.indexOf(file)) : names.reverse();
  const visible = new Map<string, Named>();
  for (const each of [file, ...earlier]) {
    for (const [name, schema] of Object.entries(sources[each]?.types ?? {})) {
      const shape = shapeOf(schema);
      if (!visible.has(shape)) visible.set(shape, { file: each, name });
    }
  }
  return visible;
}

function formatted(text: string, path: string): string {
  const options = { input: text, cwd: root, encoding: 'utf8' } as const;
  return execFileSync(process.execPath, [formatter, 'format', `--stdin-file-path=${path}`], options);
}

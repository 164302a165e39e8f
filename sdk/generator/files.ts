// Generates the text of the files in `src/generated/`, and of the page of the error codes in `docs/`.
import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { errorCatalogue } from '@foyer/contract';
import { errorPage } from './error-page.js';
import { sources } from './models.js';
import { declarationOf, shapeOf } from './typescript.js';

const formatter = createRequire(import.meta.url).resolve('@biomejs/biome/bin/biome');
const root = fileURLToPath(new URL('../..', import.meta.url));

/** Every generated file by its path in the package, with its text. */
export function generatedFiles(): Map<string, string> {
  const files = new Map(Object.keys(sources).map((file) => [`src/generated/${file}.ts`, textOf(file)]));
  return files.set('src/generated/error-catalogue.ts', catalogueText()).set('docs/errors.md', errorPage());
}

/** The one generated value: apps never import it, only `/testing` does. */
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
  const fileOf = visibleTypes(file);
  const imported = new Map<string, Set<string>>();
  const nameOf = (shape: string) => {
    const found = fileOf.get(shape);
    if (found && found.file !== file) {
      imported.set(found.file, (imported.get(found.file) ?? new Set()).add(found.name));
    }
    return found?.name;
  };
  const declarations = Object.entries(types).map(([name, schema]) => declarationOf(name, schema, nameOf));
  const imports = [...imported]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([from, names]) => `import type { ${[...names].sort().join(', ')} } from './${from}.js';\n`);
  return formatted(
    `${[headerOf(purpose) + imports.join(''), ...declarations].join('\n')}`,
    `sdk/src/generated/${file}.ts`,
  );
}

type Named = { file: string; name: string };

/** The named types that a file can use, by their shape: its own before those of earlier files. */
function visibleTypes(file: string): Map<string, Named> {
  const names = Object.keys(sources);
  const earlier = names.slice(0, names.indexOf(file));
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

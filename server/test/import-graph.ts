// The import graph, read from the sources of every workspace without tests and benchmarks.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

export type Import = {
  /** A path from the root for one of our files (`server/src/app.ts`), else the package name as written. */
  to: string;
  /** A type import, removed by the compiler. */
  typeOnly: boolean;
};

export type SourceFile = { path: string; text: string; imports: Import[] };

export const root = fileURLToPath(new URL('../..', import.meta.url));

/** The sources below a folder; `folder` is a path from the root. */
export function sourcesOf(folder: string): SourceFile[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter(
      (name) =>
        /\.(tsx?|js)$/.test(name) && !/\.test\.ts$|\.d\.ts$|(^|\/)(dist|node_modules|test)\//.test(name),
    )
    .map((name) => join(folder, name))
    .filter((path) => !path.startsWith('prisma/src/generated/'))
    .map((path) => {
      const text = readFileSync(join(root, path), 'utf8');
      return {
        path,
        text,
        imports: importsOf(text).map((each) => ({ ...each, to: resolved(path, each.to) })),
      };
    });
}

/** As Biome formats them: a statement begins a line, and names are in single quotes. */
export function importsOf(text: string): Import[] {
  const statements = /^(?:import|export)\s+(type\s+)?([^;'"]*?)\s*from\s+'([^']+)'/gm;
  const found: Import[] = [...text.matchAll(statements)].map(([, type, clause, to]) => ({
    to: to as string,
    typeOnly: type !== undefined || isAllTypes(clause as string),
  }));
  for (const [, to] of text.matchAll(/^import\s+'([^']+)'/gm))
    found.push({ to: to as string, typeOnly: false });
  for (const [, type, to] of text.matchAll(/(typeof\s+)?\bimport\(\s*'([^']+)'/g)) {
    found.push({ to: to as string, typeOnly: type !== undefined });
  }
  for (const [, to] of text.matchAll(/(?:createRequire\([^)]*\)|\brequire|\brequire\.resolve)\('([^']+)'/g)) {
    found.push({ to: to as string, typeOnly: false });
  }
  return found;
}

/** The first cycle of imports, type imports included, as the list of its files, or null. */
export function cycleIn(files: SourceFile[]): string[] | null {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const done = new Set<string>();
  function visit(path: string, trail: string[]): string[] | null {
    if (trail.includes(path)) return [...trail.slice(trail.indexOf(path)), path];
    if (done.has(path)) return null;
    for (const { to } of byPath.get(path)?.imports ?? []) {
      const cycle = visit(to, [...trail, path]);
      if (cycle) return cycle;
    }
    done.add(path);
    return null;
  }
  for (const { path } of files) {
    const cycle = visit(path, []);
    if (cycle) return cycle;
  }
  return null;
}

/** Every folder that holds one of the files, at any depth. */
export function foldersOf(files: SourceFile[]): string[] {
  const folders = new Set<string>();
  for (const { path } of files) {
    for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) folders.add(folder);
  }
  return [...folders].sort();
}

/** The files and folders directly in a folder, each with the imports of all its files. */
export function entriesOf(files: SourceFile[], folder: string): SourceFile[] {
  const entryOf = (path: string) =>
    path.startsWith(`${folder}/`) ? path.split('/', folder.split('/').length + 1).join('/') : path;
  const entries = new Map<string, SourceFile>();
  for (const { path, imports } of files) {
    if (!path.startsWith(`${folder}/`)) continue;
    const entry = entries.get(entryOf(path)) ?? { path: entryOf(path), text: '', imports: [] };
    for (const each of imports) {
      const to = entryOf(each.to);
      if (to !== entry.path) entry.imports.push({ ...each, to });
    }
    entries.set(entry.path, entry);
  }
  return [...entries.values()];
}

function isAllTypes(clause: string): boolean {
  const named = /^\{([^}]*)\}$/.exec(clause.trim())?.[1];
  if (named === undefined) return false;
  const names = named
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean);
  return names.length > 0 && names.every((name) => name.startsWith('type '));
}

export function resolved(from: string, to: string): string {
  if (!to.startsWith('.')) return to;
  const path = relative(root, join(root, dirname(from), to));
  return /\.tsx?$/.test(from) && !path.endsWith('/hash-worker.js') ? path.replace(/\.js$/, '.ts') : path;
}

/** The code of a file, without its comments. */
export function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '');
}

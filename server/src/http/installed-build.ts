// The build of a package that only serves files: the dashboard, the site. It is found at run time: the server does not depend on
// the package, and runs without it.
import { type Dirent, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, sep } from 'node:path';

/** A file with its path below the build: `assets/index-BKk6R_dk.js`. */
export type BuiltFile = { path: string; body: Buffer };

const installed = new Map<string, BuiltFile[]>();

/** Read once in a process: the services of the tests, which share one, would read it hundreds of times. */
export function installedBuild(packageName: string): BuiltFile[] {
  const read = installed.get(packageName);
  if (read) return read;
  const folder = folderOf(packageName);
  const files = folder === null ? [] : readBuild(folder);
  installed.set(packageName, files);
  return files;
}

/** The folder of the build, whether or not it exists; null if the package is not installed. */
function folderOf(packageName: string): string | null {
  try {
    return join(dirname(createRequire(import.meta.url).resolve(`${packageName}/package.json`)), 'dist');
  } catch {
    return null;
  }
}

/** Empty before the package is built. */
export function readBuild(folder: string): BuiltFile[] {
  let entries: Dirent[];
  try {
    entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  } catch {
    return [];
  }
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return paths.map((path) => ({
    path: path.slice(folder.length + 1).replaceAll(sep, '/'),
    body: readFileSync(path),
  }));
}

// The folder with the files of an app on this machine.
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { makeDirectory } from '@foyer/prisma';
import { appFilePath } from '../../app-files/app-file.js';
import type { File } from '../../app-files/write-files.js';

const mailFolder = 'mails';
/** Reduced by the umask, as that of other folders. */
const folderMode = 0o777;
/** Wider than `contentOf`, so that a later service may have other languages and purposes. */
const mailPathPattern = /^mails\/[\w-]+\/[\w-]+\.md$/;

/**
 * `app.yaml` and everything below `mails`, without the byte order mark that editors of Windows put first; null if there is no such
 * folder.
 */
export function readFolder(folder: string): File[] | null {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return null;
  const textOf = (path: string) => readFileSync(join(folder, path), 'utf8').replace(/^\uFEFF/, '');
  return pathsIn(folder).map((path) => ({ path, text: textOf(path) }));
}

/**
 * Makes the folder hold exactly these files; what else it holds is left alone. Returns the paths that were removed. The paths
 * come from a service, which could otherwise have any file on this machine overwritten.
 */
export async function writeFolder(folder: string, files: File[]): Promise<string[]> {
  const foreign = files.find(({ path }) => path !== appFilePath && !mailPathPattern.test(path));
  if (foreign) throw new Error(`the service names a file that no app has: ${JSON.stringify(foreign.path)}`);
  const kept = new Set(files.map(({ path }) => path));
  const removed = pathsIn(folder).filter((path) => !kept.has(path) && path.endsWith('.md'));
  for (const path of removed) rmSync(join(folder, path));
  for (const { path, text } of files) {
    await makeDirectory(dirname(join(folder, path)), folderMode);
    writeFileSync(join(folder, path), text);
  }
  return removed;
}

function pathsIn(folder: string): string[] {
  const hasAppFile = statSync(join(folder, appFilePath), { throwIfNoEntry: false }) !== undefined;
  const mails = join(folder, mailFolder);
  if (!statSync(mails, { throwIfNoEntry: false })?.isDirectory()) return hasAppFile ? [appFilePath] : [];
  const below = readdirSync(mails, { recursive: true, withFileTypes: true })
    // Editors and systems leave files such as .DS_Store.
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
    // The path of the folder may be written in several ways, such as `./app`.
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll('\\', '/'));
  return [...(hasAppFile ? [appFilePath] : []), ...below.sort()];
}

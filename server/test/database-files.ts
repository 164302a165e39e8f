// The test files that a run on PostgreSQL leaves out because it would repeat the embedded run: those that neither read
// DATABASE_URL nor do more when the run is thorough.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** The test databases read DATABASE_URL, as do tests that open one themselves. */
const needed = /process\.env\.DATABASE_URL|'@foyer\/prisma\/testing'|\/(testing|thorough)\.js'/;

export function filesToLeaveOut(folders: string[]): string[] {
  if (!process.env.DATABASE_URL) return [];
  return folders
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true }).map((name) => `${folder}/${name}`),
    )
    .filter((path) => path.endsWith('.test.ts') && !path.includes('node_modules/') && !isNeeded(path));
}

/** Directly, or through the test files that it imports. */
function isNeeded(path: string, seen = new Set<string>()): boolean {
  if (seen.has(path)) return false;
  seen.add(path);
  const text = readFileSync(join(root, path), 'utf8');
  if (needed.test(text)) return true;
  return [...text.matchAll(/from '(\.[^']+)\.js'/g)]
    .map(([, module]) => `${join(dirname(path), module as string)}.ts`)
    .filter((imported) => /\/(test|proofs)\//.test(imported))
    .some((imported) => isNeeded(imported, seen));
}

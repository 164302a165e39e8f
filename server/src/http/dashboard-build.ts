// The files of the built dashboard, found at run time: the server does not depend on the package, and runs without it.
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, sep } from 'node:path';

export type DashboardFile = { path: string; body: Buffer };

export type DashboardBuild = {
  /** The page, with placeholders for its configuration and the nonce of its policy. */
  page: string;
  /** All other files, by their path below the dashboard: `assets/index-BKk6R_dk.js`. */
  files: DashboardFile[];
};

const packageName = '@foyer/dashboard';
const pageName = 'index.html';

/** The folder of the build, whether or not it exists; null if the package is not installed. */
export function dashboardFolder(): string | null {
  try {
    return join(dirname(createRequire(import.meta.url).resolve(`${packageName}/package.json`)), 'dist');
  } catch {
    return null;
  }
}

/** Null before the dashboard is built. */
export function readDashboardBuild(folder: string): DashboardBuild | null {
  let names: string[];
  try {
    names = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
  } catch {
    return null;
  }
  if (!names.includes(pageName)) return null;
  return {
    page: readFileSync(join(folder, pageName), 'utf8'),
    files: names
      .filter((name) => name !== pageName)
      .map((name) => ({ path: name.replaceAll(sep, '/'), body: readFileSync(join(folder, name)) })),
  };
}

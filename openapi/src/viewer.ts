// The browser bundle that draws a document: Redoc's, from its npm package. A build puts a copy beside this file, so that
// an installed package carries the few files it needs and none of the packages that made them.
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename } from 'node:path';

// The one address the bundle would ask for by itself: the logo of its makers.
const remoteLogo = 'https://cdn.redoc.ly/redoc/logo-mini.svg';

const script = 'redoc/bundles/redoc.standalone.js';
const licences = ['redoc/LICENSE', 'redoc/bundles/redoc.standalone.js.LICENSE.txt'];

export function readScript(): Buffer {
  return Buffer.from(readFileSync(pathOf(script), 'utf8').replaceAll(remoteLogo, 'data:,'));
}

export function readLicence(): Buffer {
  return Buffer.from(licences.map((file) => readFileSync(pathOf(file), 'utf8')).join('\n'));
}

/** Where the package keeps the files, for the build to copy. */
export function viewerSources(): string[] {
  return [script, ...licences].map(packagedPathOf);
}

function pathOf(file: string): URL | string {
  const copy = new URL(`./viewer/${basename(file)}`, import.meta.url);
  return existsSync(copy) ? copy : packagedPathOf(file);
}

function packagedPathOf(file: string): string {
  return createRequire(import.meta.url).resolve(file);
}

// The last release, the version that follows from what has changed since, and the changelog.
import { readFileSync } from 'node:fs';
import type { ClientDocument } from '../generator/client/schema.js';
import { type Change, isBreaking } from './changes.js';
import { changesBetween } from './compare.js';

const folder = new URL('../released/', import.meta.url);

export function releasedDocument(): ClientDocument {
  return JSON.parse(readFileSync(new URL('v2.json', folder), 'utf8')) as ClientDocument;
}

export function releasedChangelog(): string {
  return readFileSync(new URL('CHANGELOG.md', folder), 'utf8');
}

/** What `released/v2.json` keeps of a document: all that is compared, and the words, but no samples and examples. */
export function recordOf(document: ClientDocument): ClientDocument {
  const dropped = ['x-codeSamples', 'example', 'examples'];
  const text = JSON.stringify(document, function (this: unknown, key, value) {
    // A property or parameter may have such a name.
    const isName = typeof value === 'object' && value !== null && ('type' in value || 'schema' in value);
    return dropped.includes(key) && !isName ? undefined : value;
  });
  return JSON.parse(text) as ClientDocument;
}

/**
 * `2.<minor>.<patch>`: minor grows with what is added, patch with words alone. A breaking change has no version within 2.
 */
export function nextVersion(released: ClientDocument, document: ClientDocument): string {
  const [major = '2', minor = '0', patch = '0'] = released.info.version.split('.');
  const changes = changesBetween(released, document);
  if (changes.length > 0) return `${major}.${Number(minor) + 1}.0`;
  return withoutVersion(recordOf(document)) === withoutVersion(released)
    ? released.info.version
    : `${major}.${minor}.${Number(patch) + 1}`;
}

export function changelogOf(released: ClientDocument, document: ClientDocument, earlier: string): string {
  const { version } = document.info;
  if (version === released.info.version) return earlier;
  const [title, ...sections] = earlier.split(/\n(?=## )/);
  return [title, sectionOf(version, changesBetween(released, document)), ...sections].join('\n');
}

function sectionOf(version: string, changes: Change[]): string {
  if (changes.length === 0) return `## ${version}\n\nDescriptions only.\n`;
  const parts = [
    ['Breaking', changes.filter(isBreaking)],
    ['Added and changed', changes.filter((change) => !isBreaking(change))],
  ] as const;
  const written = parts
    .filter(([, list]) => list.length > 0)
    .map(
      ([title, list]) => `### ${title}\n\n${list.map(({ at, what }) => `- \`${at}\`: ${what}`).join('\n')}\n`,
    );
  return [`## ${version}\n`, ...written].join('\n');
}

function withoutVersion(document: ClientDocument): string {
  return JSON.stringify({ ...document, info: { ...document.info, version: '' } });
}

// Makes the current v2.json the release that later ones are compared with: `npm run release -w @foyer/openapi`.
import { readFileSync, writeFileSync } from 'node:fs';
import { recordOf } from './compare/release.js';

const read = (file: string) => readFileSync(new URL(file, import.meta.url), 'utf8');
const document = JSON.parse(read('v2.json'));

writeFileSync(
  new URL('released/v2.json', import.meta.url),
  `${JSON.stringify(recordOf(document), null, 1)}\n`,
);
writeFileSync(new URL('released/CHANGELOG.md', import.meta.url), read('CHANGELOG.md'));

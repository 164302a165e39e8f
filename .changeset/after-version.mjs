// Part of `npm run release:version`: the command line has the version of the SDK and of the elements, which need an SDK that is no
// older, and the guides name the files of the packages, which have the version in them.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

const { version } = JSON.parse(readFileSync('sdk/package.json', 'utf8'));
const manifest = readFileSync('server/package.json', 'utf8');
writeFileSync('server/package.json', manifest.replace(/"version": "[^"]+"/, `"version": "${version}"`));
// Changesets would make a major version of the elements if the range became too narrow.
const elements = readFileSync('elements/package.json', 'utf8');
writeFileSync('elements/package.json', elements.replace(/(?<="@foyer\/sdk": ">=)[^ "]+/, version));

const guides = readdirSync('sdk/docs').map((name) => `sdk/docs/${name}`);

for (const file of [...guides, 'sdk/README.md', 'elements/README.md', 'server/PACKAGE.md', 'README.md']) {
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, text.replace(/\b(foyer-[a-z]+-)\d+\.\d+\.\d+(?=\.tgz)/g, `$1${version}`));
}

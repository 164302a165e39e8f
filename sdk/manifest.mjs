// The package.json of the tarball. `node manifest.mjs publish` removes from the one in this folder what names files that
// only the workspace has: the `source` conditions, scripts and devDependencies. `node manifest.mjs restore` undoes it.
import { constants, copyFileSync, readFileSync, renameSync, writeFileSync } from 'node:fs';

const original = 'package.json.workspace';

if (process.argv[2] === 'publish') {
  const { scripts, devDependencies, ...manifest } = JSON.parse(readFileSync('package.json', 'utf8'));
  // The dashboard builds it from its source.
  delete manifest.exports['./console'];
  for (const entry of Object.values(manifest.exports)) delete entry.source;
  // After an interrupted pack, package.json no longer is the original.
  copyFileSync('package.json', original, constants.COPYFILE_EXCL);
  writeFileSync('package.json', `${JSON.stringify(manifest, null, 2)}\n`);
} else {
  renameSync(original, 'package.json');
}

// Packs the command line `foyer` from the builds, as a tarball that installs without a checkout: the packages of the workspace
// are bundled, those of others are dependencies. `node server/pack.mjs [folder]` writes foyer-cli-<version>.tgz there.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const bundled = ['openapi', 'prisma', 'dashboard', 'site'];

const readManifest = (folder) => JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
const isOwn = (name) => name.startsWith('@foyer/');

/** The files and folders of a package that a pattern of its manifest names, such as `dist` or `v*.json`. */
function matching(folder, pattern) {
  const form = new RegExp(`^${pattern.replaceAll('.', '\\.').replaceAll('*', '.*')}$`);
  return readdirSync(join(root, folder)).filter((name) => form.test(name));
}

function copyPackage(folder, target, manifest) {
  const { files } = readManifest(folder);
  mkdirSync(target, { recursive: true });
  for (const file of files.flatMap((pattern) => matching(folder, pattern))) {
    const filter = (path) => !/(\.d\.ts|\.map)$/.test(path);
    cpSync(join(root, folder, file), join(target, file), { recursive: true, filter });
  }
  writeFileSync(join(target, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}

const { version, description, license, repository, type, bin, optionalDependencies } = readManifest('server');
const dependencies = {};
for (const folder of ['server', ...bundled]) Object.assign(dependencies, readManifest(folder).dependencies);
for (const name of Object.keys(dependencies)) if (isOwn(name)) delete dependencies[name];
const bundleDependencies = bundled.map((folder) => `@foyer/${folder}`);
for (const name of bundleDependencies) dependencies[name] = version;

const staging = mkdtempSync(join(tmpdir(), 'foyer-pack-'));
try {
  const { engines } = readManifest('.');
  const own = {
    // The name `foyer` belongs to somebody else on npm.
    name: '@foyer/cli',
    version,
    description,
    license,
    repository,
    type,
    engines,
    bin,
    files: ['dist'],
  };
  copyPackage('server', staging, { ...own, dependencies, optionalDependencies, bundleDependencies });
  cpSync(join(root, 'server/PACKAGE.md'), join(staging, 'README.md'));
  cpSync(join(root, 'LICENSE'), join(staging, 'LICENSE'));
  for (const folder of bundled) {
    const { name, exports } = readManifest(folder);
    // The sources are not in the tarball.
    for (const entry of Object.values(exports)) delete entry.source;
    const inner = { name, version, license, type, exports };
    copyPackage(folder, join(staging, 'node_modules', name), inner);
  }
  const target = resolve(process.argv[2] ?? root);
  execFileSync('npm', ['pack', '--silent', '--pack-destination', target], { cwd: staging });
  console.log(join(target, `foyer-cli-${version}.tgz`));
} finally {
  rmSync(staging, { recursive: true, force: true });
}

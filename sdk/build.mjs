// Builds dist/: one ESM and one CommonJS file per entry, and declarations for both that need no other package.
// `node build.mjs [folder]` builds into another folder.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, posix, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const entries = [
  'index',
  'admin/index',
  'expo/index',
  'react/index',
  'server/index',
  'storage/index',
  'testing/index',
  'webhooks',
];
/**
 * The objects of the fake service are those of the wire, whose names are not the SDK's own. A server needs no short names, and
 * its own would make those of the core longer.
 */
const unshortened = ['server/index', 'testing/index'];
// Property names that only the SDK's own objects have, shortened in the output: minifiers shorten only variables. Never a
// name that an app sees, that is stored or that travels between tabs: it must be the same in every release.
const internal =
  /^(access|active|ageMs|authState|backoff|bearer|cache|closing|device|emit|ended|ending|endings|failure|fetchNow|flows|lastWrite|latest|lifeMs|listeners|lostToken|options|params|peers|pending|recover|refreshes|refreshToken|refused|renewal|restoring|sent|session|signOutCount|signedOut|signingIn|storageKey|tokenStorage|unsaved)$/;
const workspace = dirname(fileURLToPath(import.meta.url));
const folder = resolve(process.argv[2] ?? join(workspace, 'dist'));

rmSync(folder, { recursive: true, force: true });
await Promise.all([bundle('esm', 'neutral', '.js'), bundle('cjs', 'node', '.cjs')]);
declare();

function bundle(format, platform, extension) {
  const shortened = entries.filter((entry) => !unshortened.includes(entry));
  const settings = [format, platform, extension];
  return Promise.all([
    write(shortened, { mangleProps: internal }, ...settings),
    write(unshortened, {}, ...settings),
  ]);
}

function write(modules, options, format, platform, extension) {
  return build({
    ...options,
    entryPoints: modules.map((entry) => join(workspace, 'src', `${entry}.ts`)),
    outbase: join(workspace, 'src'),
    outdir: folder,
    outExtension: { '.js': extension },
    bundle: true,
    // Loaded by `admin` at the first token verification; the React of the app.
    external: ['jose', 'react'],
    plugins: [sharedStorage(extension)],
    sourcemap: true,
    target: 'es2021',
    format,
    // esbuild annotates CommonJS exports only with `node`, so that Node can import them by name.
    platform,
  });
}

/** Makes `storage` re-export the storages of the core, of which an app would otherwise have two copies. */
function sharedStorage(extension) {
  return {
    name: 'shared-storage',
    setup: ({ onResolve }) =>
      onResolve({ filter: /\/session\/storage\.js$/ }, ({ importer }) =>
        /storage[\\/]index\.ts$/.test(importer)
          ? { path: `../index${extension}`, external: true }
          : undefined,
      ),
  };
}

/** Emits the declarations, already type-checked, and deletes those that no entry imports. */
function declare() {
  const compiler = join(
    dirname(createRequire(import.meta.url).resolve('typescript/package.json')),
    'bin/tsc',
  );
  const project = ['-p', join(workspace, 'tsconfig.build.json'), '--noCheck', '--sourceMap', 'false'];
  execFileSync(process.execPath, [compiler, ...project, '--outDir', folder], { stdio: 'inherit' });

  const reached = new Set();
  entries.forEach(reach);
  for (const name of readdirSync(folder, { recursive: true })) {
    const module = /^(.*)\.d\.ts(?:\.map)?$/.exec(name.replaceAll('\\', '/'))?.[1];
    if (module && !reached.has(module)) rmSync(join(folder, name));
  }

  function reach(module) {
    if (reached.has(module)) return;
    reached.add(module);
    const text = readFileSync(join(folder, `${module}.d.ts`), 'utf8');
    // TypeScript takes a file's module format from its extension, so CommonJS callers need their own declarations.
    writeFileSync(join(folder, `${module}.d.cts`), text.replace(/(from '\.[\w./-]+)\.js'/g, "$1.cjs'"));
    for (const [, next] of text.matchAll(/from '(\.[\w./-]+)\.js'/g)) {
      reach(posix.join(posix.dirname(module), next));
    }
  }
}

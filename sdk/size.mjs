// Measures what the packed SDK adds to an app that creates a client, signs in and reads the user: minified by esbuild,
// brotli; and what the other entries add to it. Fails over a budget. Without an argument it packs the package; `node size.mjs <folder>` measures an unpacked
// one.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const budgetBytes = 7_300;

/** Entries of which an app adds everything to the core, with their budgets. No app has both storages. */
const entries = {
  expo: { names: 'foreground, secureStorage', entryBytes: 1_024 },
  react: { names: 'FoyerProvider, useAuthState, useClaims, usePages, useUser', entryBytes: 1_024 },
  storage: { names: 'chromeStorage, fileStorage', entryBytes: 1_152 },
};

const app = (imports, options) => `
  import { createClient${imports} } from '@foyer/sdk';
  const client = createClient({
    baseUrl: 'https://accounts.example.com/api/v2',
    appKey: 'pk_1',${options}
  });
  await client.auth.signIn({ email: 'ada@example.com', password: 'correct horse' });
  console.log(await client.me.get());
`;
/** What an app adds that imports a feature. */
const features = {
  v1Migration: 'migrateV1: v1Migration({ read: () => null, clear() {} }),',
  inSessionStorage: 'keepAccessToken: inSessionStorage(),',
};

const scratch = mkdtempSync(join(tmpdir(), 'foyer-sdk-size-'));
try {
  await measure(process.argv[2] ? resolve(process.argv[2]) : unpacked());
} finally {
  rmSync(scratch, { recursive: true });
}

function unpacked() {
  const workspace = dirname(fileURLToPath(import.meta.url));
  const pack = ['pack', '--ignore-scripts', '--silent', '--pack-destination', scratch];
  const tarball = execFileSync('npm', pack, { cwd: workspace, encoding: 'utf8' }).trim();
  execFileSync('tar', ['-xzf', join(scratch, tarball), '-C', scratch]);
  return join(scratch, 'package');
}

/** The minified program, without the packages that the app has anyway. */
async function bundled(folder, imports = '', options = '', more = '') {
  const { outputFiles } = await build({
    stdin: { contents: app(imports, options) + more, resolveDir: scratch, loader: 'js' },
    alias: { '@foyer/sdk': folder },
    external: ['react'],
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    write: false,
  });
  return outputFiles[0].contents;
}

async function measure(folder) {
  const contents = await bundled(folder);
  const brotliBytes = brotliCompressSync(contents).length;
  console.log(
    `core: ${brotliBytes} bytes brotli of ${budgetBytes} (gzip ${gzipSync(contents).length}, plain ${contents.length})`,
  );
  if (brotliBytes > budgetBytes) {
    console.error('The core is over its budget.');
    process.exitCode = 1;
  }
  for (const [name, options] of Object.entries(features)) {
    const more = brotliCompressSync(await bundled(folder, `, ${name}`, options)).length - brotliBytes;
    console.log(`${name}: ${more} bytes more`);
    if (more < 50) {
      console.error(`${name} is not left out of an app that does not import it.`);
      process.exitCode = 1;
    }
  }
  for (const [entry, { names, entryBytes }] of Object.entries(entries)) {
    const use = `import { ${names} } from '@foyer/sdk/${entry}'; console.log(${names});`;
    const all = await bundled(folder, '', '', use);
    const more = brotliCompressSync(all).length - brotliBytes;
    console.log(`${entry}: ${more} bytes more, of ${entryBytes}`);
    if (more > entryBytes) {
      console.error(`The entry ${entry} is over its budget.`);
      process.exitCode = 1;
    }
  }
}

// Builds dist/: the command line with the service, in few files. Node would spend a quarter of its start on finding and linking
// the 470 modules of the service and the contract. The packages of others, and those of the workspace that read files of
// their own (prisma, openapi, dashboard), are loaded from where they are installed; but for zod, whose texts in fifty languages are left
// out here.
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const folder = fileURLToPath(new URL('.', import.meta.url));
rmSync(`${folder}dist`, { recursive: true, force: true });
await build({
  absWorkingDir: folder,
  entryPoints: ['src/cli.ts', 'engines/hashing/hash-worker.js'],
  // All in one folder, where the service finds the file of its hashing threads.
  entryNames: '[name]',
  outdir: 'dist',
  bundle: true,
  // What few processes need, such as Redis and S3, is in files of its own.
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  conditions: ['source'],
  plugins: [{ name: 'packages', setup: leaveOutPackages }],
  sourcemap: true,
  sourcesContent: false,
});

function leaveOutPackages({ onResolve }) {
  onResolve({ filter: /^[^./]/ }, ({ path, kind }) =>
    kind === 'entry-point' || path === '@foyer/contract' || /^zod(\/|$)/.test(path)
      ? null
      : { path, external: true },
  );
}

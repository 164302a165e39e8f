// The SDK as one script for a page, with its exports in the global `foyer`.
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** From the sources, or from `dist/index.js`, the build that is published. */
export async function browserBundle(entry = 'src/index.ts'): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL(`../${entry}`, import.meta.url))],
    bundle: true,
    format: 'iife',
    globalName: 'foyer',
    write: false,
  });
  return outputFiles[0]!.text;
}

// The SDK as one script for a page, with its exports in the global `foyer`.
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

export async function browserBundle(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('../src/index.ts', import.meta.url))],
    bundle: true,
    format: 'iife',
    globalName: 'foyer',
    write: false,
  });
  return outputFiles[0]!.text;
}

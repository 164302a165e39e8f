// Part of the build, after `prisma generate`: the query compiler as a file. The generated client imports it as a module that has
// the program in base64: the source of that module and its text, 4.5 MB, would stay in memory.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));
const clientFile = path('src/generated/internal/class.ts');
const client = await readFile(clientFile, 'utf8');
const loading =
  /const \{ wasm \} = await import\("(?<module>[^"]+)"\)\s+return await decodeBase64AsWasm\(wasm\)/.exec(
    client,
  );
if (!loading?.groups) throw new Error('the generated client loads its query compiler in another way');

const { wasm } = await import(loading.groups.module as string);
await mkdir(path('dist'), { recursive: true });
await writeFile(path('dist/query-compiler.wasm'), Buffer.from(wasm, 'base64'));
// The path is the same from src/generated and from dist/generated.
const reading = `const { readFile } = await import('node:fs/promises')
    return new WebAssembly.Module(await readFile(new URL('../../../dist/query-compiler.wasm', import.meta.url)))`;
await writeFile(clientFile, client.replace(loading[0], reading));

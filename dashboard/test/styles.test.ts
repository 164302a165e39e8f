// The styles of the built dashboard: each component of the library that a page shows has its own.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const assets = fileURLToPath(new URL('../dist/assets', import.meta.url));
const library = fileURLToPath(import.meta.resolve('@mantine/core/styles.css'));

function built(ending: string): string {
  const files = readdirSync(assets).filter((name) => name.endsWith(ending));
  return files.map((name) => readFileSync(`${assets}/${name}`, 'utf8')).join('\n');
}

/** The library's own names of classes. */
const classesIn = (text: string) => new Set(text.match(/\bm_[0-9a-f]{6,8}\b/g));

test('every class of the library that a script names has the styles of the library', () => {
  const [shown, styled] = [classesIn(built('.js')), classesIn(built('.css'))];
  const missing = [...classesIn(readFileSync(library, 'utf8'))].filter(
    (name) => shown.has(name) && !styled.has(name),
  );
  expect(shown.size).toBeGreaterThan(100);
  expect(missing).toEqual([]);
});

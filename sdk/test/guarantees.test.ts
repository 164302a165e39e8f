// The table of README.md: it has every row, and names tests that exist.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const folder = new URL('./', import.meta.url);
const page = readFileSync(new URL('README.md', folder), 'utf8');
const rows = page.matchAll(/^\| (F\d+b?) \| [^|]+ \| `([\w-]+\.test\.ts)`: (.+) \| [^|]+ \|$/gm);
const named = [...rows].map(([, row, file, title]) => ({ row, file: file!, title: title! }));

test('every guarantee has a test that exists', () => {
  const numbers = Array.from({ length: 25 }, (_, index) => `F${index + 1}`);
  expect([...new Set(named.map(({ row }) => row))]).toEqual([
    ...numbers.slice(0, 3),
    'F3b',
    ...numbers.slice(3),
  ]);
  // A row that is written otherwise would not be checked.
  expect(named).toHaveLength(page.match(/^\|\s*F\d+b?\s*\|/gm)!.length);
  const missing = named.filter(({ file, title }) => {
    const text = readFileSync(new URL(file, folder), 'utf8');
    return !["'", '`', '"'].some((quote) => text.includes(`${quote}${title}${quote}`));
  });
  expect(missing).toEqual([]);
});

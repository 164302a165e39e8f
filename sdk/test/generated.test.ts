// The committed files that are generated, against the contract that they are generated from.
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { generatedFiles } from '../generator/files.js';

const workspace = new URL('../', import.meta.url);
const generated = generatedFiles();

test("the committed files equal the generator's output, and there are no others", () => {
  expect(generated.has('docs/errors.md')).toBe(true);
  const inFolder = readdirSync(new URL('src/generated/', workspace)).map((file) => `src/generated/${file}`);
  const committed = [...inFolder, 'docs/errors.md'].map((file) => [
    file,
    readFileSync(new URL(file, workspace), 'utf8'),
  ]);
  expect(Object.fromEntries(committed)).toEqual(Object.fromEntries(generated));
});

test('the page of the error codes has a row for every code', () => {
  const page = generated.get('docs/errors.md')!;
  const rows = [...page.matchAll(/^\| `([\w/-]+)` \| (?:\d+|any) \| .+\. \| .+\. \|$/gm)].map(
    ([, code]) => code,
  );
  const types = ['generated/error-codes.ts', 'errors.ts'].map((file) =>
    readFileSync(new URL(`src/${file}`, workspace), 'utf8'),
  );
  const codes = types.flatMap((text) =>
    [...text.matchAll(/^ {2}\| '([\w-]+\/[\w-]+)'/gm)].map(([, code]) => code),
  );
  expect(codes.length).toBeGreaterThan(80);
  expect(rows.sort()).toEqual(codes.sort());
});

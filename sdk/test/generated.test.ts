// The committed `src/generated/` against the contract that it is generated from.
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { generatedFiles } from '../generator/files.js';

const folder = new URL('../src/generated/', import.meta.url);

test("the committed files equal the generator's output, and there are no others", () => {
  const committed = readdirSync(folder).map((file) => [file, readFileSync(new URL(file, folder), 'utf8')]);
  expect(Object.fromEntries(committed)).toEqual(Object.fromEntries(generatedFiles()));
});

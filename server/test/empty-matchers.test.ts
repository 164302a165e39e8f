// `toMatchObject` and `objectContaining` compare the properties that they are given: an empty object in them matches every
// object, and so tests nothing.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './import-graph.js';

/** The arguments of each such matcher in a source, without its strings. */
function argumentsIn(source: string): string[] {
  const text = source.replace(/'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/g, "''");
  return [...text.matchAll(/\b(?:toMatchObject|objectContaining)\(/g)].map(({ index, 0: name }) => {
    const start = index + name.length;
    let depth = 1;
    let end = start;
    for (; depth > 0 && end < text.length; end += 1) {
      if ('([{'.includes(text[end] as string)) depth += 1;
      else if (')]}'.includes(text[end] as string)) depth -= 1;
    }
    return text.slice(start, end - 1);
  });
}

const isEmpty = (given: string) => /\{\s*\}/.test(given);

test('an empty object in a matcher is found, and a full one is not', () => {
  const found = argumentsIn(
    "expect(a).toMatchObject({ b: {\n} }); expect(a).toMatchObject({ b: { c: '{}' } });",
  );
  expect(found.map(isEmpty)).toEqual([true, false]);
});

test('no matcher is given an empty object, which would match every object', () => {
  const names = execFileSync('git', ['ls-files', '*.ts', '*.tsx'], { cwd: root, encoding: 'utf8' });
  const files = names.split('\n').filter((name) => name !== '' && !name.endsWith('empty-matchers.test.ts'));
  const given = files.map((name) => [name, argumentsIn(readFileSync(join(root, name), 'utf8'))] as const);
  expect(given.flatMap(([, each]) => each).length).toBeGreaterThan(500);
  expect(given.filter(([, each]) => each.some(isEmpty)).map(([name]) => name)).toEqual([]);
});

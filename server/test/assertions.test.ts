// A test without an assertion passes whatever the code does. Biome refuses `test.skip` and `test.only`; this finds what it cannot.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'vite';
import { expect, test } from 'vitest';
import { root } from './import-graph.js';

type Node = { type: string; start: number; end: number } & Record<string, unknown>;

/** What fails by itself; a page is waited for. */
const asserts = /^(expect|assert|until|waitFor|require)/;
const isTest =
  /^(test|it|testOnServer|testWithoutCitus|onLinux)(\.(each|for|skipIf|runIf|concurrent|sequential))*\(/;

const isFunction = (value: unknown): value is Node => isNode(value) && value.type.includes('Function');

/** The lines of tests that assert nothing, themselves or through the functions of their file. */
function testsWithoutAssertion(source: string): number[] {
  const program = parseSync('a.test.ts', source).program as unknown as Node;
  const functions = new Map<string, Set<string>>();
  const tests: { line: number; names: Set<string> }[] = [];
  walk(program, (node) => {
    const { type, id, key, body, init, value } = node;
    if (type === 'FunctionDeclaration' && isNode(body)) functions.set(nameOf(id), namesIn(body));
    if (type === 'VariableDeclarator' && isFunction(init)) functions.set(nameOf(id), namesIn(init));
    if (type === 'Property' && isFunction(value)) functions.set(nameOf(key), namesIn(value));
    if (type !== 'CallExpression' || !isTest.test(source.slice(node.start, node.end))) return;
    const run = (node.arguments as unknown[]).find(isFunction);
    if (run) tests.push({ line: source.slice(0, node.start).split('\n').length, names: namesIn(run) });
  });
  const doesAssert = (names: Set<string>, seen = new Set<string>()): boolean =>
    [...names].some((name) => {
      if (asserts.test(name)) return true;
      const called = functions.get(name);
      if (!called || seen.has(name)) return false;
      return doesAssert(called, seen.add(name));
    });
  return tests.filter(({ names }) => !doesAssert(names)).map(({ line }) => line);
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
}

function walk(node: Node, visit: (node: Node) => void): void {
  visit(node);
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) walk(child, visit);
  }
}

function nameOf(node: unknown): string {
  return isNode(node) && typeof node.name === 'string' ? node.name : '';
}

function namesIn(node: Node): Set<string> {
  const names = new Set<string>();
  walk(node, (each) => void (each.type === 'Identifier' && names.add(nameOf(each))));
  return names;
}

test.each([
  ['test("a", () => { call(); });', [1]],
  ['test.each([1])("a", async (n) => { await call(n); });', [1]],
  ['test("a", () => { expect(call()).toBe(1); });', []],
  ['const is = () => expect(1);\ntest("a", () => { is(); });', []],
  ['const is = () => call();\ntest("a", () => { is(); });', [2]],
])('control: %s', (source, lines) => {
  expect(testsWithoutAssertion(source)).toEqual(lines);
});

test('every test asserts something', () => {
  const files = execFileSync('git', ['ls-files', '*.test.ts'], { cwd: root, encoding: 'utf8' })
    .trim()
    .split('\n');
  const found = files.flatMap((file) =>
    testsWithoutAssertion(readFileSync(join(root, file), 'utf8')).map((line) => `${file}:${line}`),
  );
  expect(found).toEqual([]);
});

// Every member of the public types has a sentence, which editors show where it is used.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const folder = new URL('../src/', import.meta.url);
/** The modules whose types the package exports. */
const modules = new Set(
  ['', 'admin/', 'expo/', 'react/', 'server/', 'storage/', 'testing/'].flatMap((entry) => {
    const index = readFileSync(new URL(`${entry}index.ts`, folder), 'utf8');
    const named = index.matchAll(/from '(\.\.?\/[\w/-]+)\.js'/g);
    const modules = [...named].map(([, module]) => `${module}.ts`);
    return ['index.ts', ...modules].map((module) => new URL(`${entry}${module}`, folder).href);
  }),
);

/** The members of exported interfaces and classes of a source text that have no comment, as `Type.member`. */
function undocumentedIn(source: string): string[] {
  const exported = /^export (?:interface|class) (\w+)[^\n]*\{\n([\s\S]*?)^\}/gm;
  return [...source.matchAll(exported)].flatMap(([, type, body]) => {
    const lines = body!.split('\n');
    return lines.flatMap((line, index) => {
      const member = /^ {2}(?:declare )?(?:readonly )?(\w+)\??[(:<]/.exec(line)?.[1];
      const above = lines[index - 1]?.trim() ?? '';
      // The overloads of a method share the comment of the first.
      const isOverload =
        member !== undefined && new RegExp(`^ {2}${member}[(<]`, 'm').test(lines.slice(0, index).join('\n'));
      return !member || member === 'constructor' || above.endsWith('*/') || isOverload
        ? []
        : [`${type}.${member}`];
    });
  });
}

/** Types that the package does not export, and an object whose own members have comments. */
const exempt =
  /^(Condition|FormRequest|TokenIssuer)\.|^(SessionInfo\.device|Passkey(Assertion|Registration)\.response)$/;

test('every public member has a comment', () => {
  expect(modules.size).toBeGreaterThan(10);
  const missing = [...modules].flatMap((module) => undocumentedIn(readFileSync(new URL(module), 'utf8')));
  expect(missing.filter((name) => !exempt.test(name))).toEqual([]);
});

test('control: a member without a comment is found', () => {
  expect(undocumentedIn('export interface A {\n  /** Yes. */\n  b: string;\n  c?: number;\n}\n')).toEqual([
    'A.c',
  ]);
});

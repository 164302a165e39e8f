// Instruments a source so that a run of the tests tells how its comparisons and conditions come out. Where the two sides of a
// comparison are never equal, or a condition is always the same, no test can notice the mutation of it.
import { parseSync } from 'vite';
import { childrenOf, type Node } from './mutations.js';

/** How a comparison or condition came out in any test, as bits. */
export const outcome = { true: 1, false: 2, equal: 4, different: 8 } as const;

/** From a key, `<file>|<start>|<end>`, to the outcomes. */
export type Outcomes = Map<string, number>;

type Observer = {
  foyerCondition?<Value>(key: string, value: Value): Value;
  foyerComparison?(key: string, operator: string, left: number, right: number): boolean;
};

/** A module may also be loaded where nobody observes, as by a global setup. */
const prelude =
  'globalThis.foyerCondition??=(_,v)=>v;' +
  'globalThis.foyerComparison??=(_,o,l,r)=>o==="<"?l<r:o==="<="?l<=r:o===">"?l>r:l>=r;';

/** Has the lines of `source`. */
export function instrumented(source: string, path: string, file: string): string {
  const { program } = parseSync(path, source);
  return prelude + written(program as unknown as Node, source, file);
}

function written(node: Node, source: string, file: string): string {
  const inner = (child: Node) => written(child, source, file);
  const key = (of: Node) => JSON.stringify(keyOf(file, of));
  const condition = (of: Node) => `globalThis.foyerCondition(${key(of)},(${inner(of)}))`;
  if (isComparison(node)) {
    const { left, right, operator } = node;
    const between = source.slice(left.end, right.start).replace(operator, '),(');
    return `globalThis.foyerComparison(${key(node)},"${operator}",(${inner(left)}${between}${inner(right)}))`;
  }
  const conditions = conditionsIn(node);
  let text = '';
  let place = node.start;
  for (const child of childrenOf(node)) {
    // `{ name }` is a key and a value at one place.
    if (child.start < place) continue;
    text += source.slice(place, child.start) + (conditions.includes(child) ? condition(child) : inner(child));
    place = child.end;
  }
  return text + source.slice(place, node.end);
}

/** Puts the functions that instrumented sources call in their place. */
export function observe(outcomes: Outcomes): void {
  const add = (key: string, bit: number) => outcomes.set(key, (outcomes.get(key) ?? 0) | bit);
  const observer = globalThis as Observer;
  observer.foyerCondition = (key, value) => {
    add(key, value ? outcome.true : outcome.false);
    return value;
  };
  observer.foyerComparison = (key, operator, left, right) => {
    add(key, left <= right && left >= right ? outcome.equal : outcome.different);
    if (operator === '<') return left < right;
    if (operator === '<=') return left <= right;
    return operator === '>' ? left > right : left >= right;
  };
}

/** The lines for what no test can notice in a file. */
export function unnoticedIn(source: string, path: string, file: string, outcomes: Outcomes): string[] {
  const { program } = parseSync(path, source);
  const found: string[] = [];
  const of = (node: Node) => outcomes.get(keyOf(file, node)) ?? 0;
  const add = (node: Node, what: string) => {
    const line = source.slice(0, node.start).split('\n').length;
    found.push(`${file}:${line} ${what}: ${source.slice(node.start, node.end).replace(/\s+/g, ' ')}`);
  };
  const visit = (node: Node) => {
    if (isComparison(node) && !(of(node) & outcome.equal)) add(node, 'the sides are never equal');
    for (const each of conditionsIn(node)) {
      if (!(of(each) & outcome.true)) add(each, 'is never true');
      else if (!(of(each) & outcome.false)) add(each, 'is always true');
    }
    for (const child of childrenOf(node)) visit(child);
  };
  visit(program as unknown as Node);
  return found;
}

type Comparison = Node & { left: Node; right: Node; operator: string };

function isComparison(node: Node): node is Comparison {
  return node.type === 'BinaryExpression' && /^[<>]=?$/.test(String(node.operator));
}

/** Of `a && b` and `a || b`, both sides. */
function conditionsIn(node: Node): Node[] {
  if (node.type === 'IfStatement' || node.type === 'ConditionalExpression') return [node.test as Node];
  const isLogical = node.type === 'LogicalExpression' && node.operator !== '??';
  return isLogical ? [node.left as Node, node.right as Node] : [];
}

function keyOf(file: string, { start, end }: Node): string {
  return `${file}|${start}|${end}`;
}

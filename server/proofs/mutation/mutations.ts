// The mutations of a source file: each is one small fault that a test should notice.
import { parseSync } from 'vite';
import { sqlMutations } from './sql-mutations.js';

export type Kind = 'condition' | 'boundary' | 'sql' | 'header' | 'step' | 'constant';

/** Replaces the text from `start` to `end`. */
export type Mutation = { kind: Kind; start: number; end: number; text: string };

/** What is outside of every function is executed once, when the file is loaded. */
export type PlacedMutation = Mutation & { isOnLoad: boolean };

export type Node = { type: string; start: number; end: number } & Record<string, unknown>;

/** A limit that is moved by one, and a comparison that is refused or accepted on the wrong side. */
const otherSide: Record<string, string> = { '<': '<=', '<=': '<', '>': '>=', '>=': '>' };
const opposite: Record<string, string> = { '===': '!==', '!==': '===' };

export function mutationsOf(source: string, path: string): PlacedMutation[] {
  const { program, errors } = parseSync(path, source);
  if (errors.length > 0) throw new Error(`${path} cannot be parsed`);
  const found: PlacedMutation[] = [];
  walk(program as unknown as Node, (node, isOnLoad) => {
    found.push(...ofNode(node, source).map((mutation) => ({ ...mutation, isOnLoad })));
  });
  return found;
}

function ofNode(node: Node, source: string): Mutation[] {
  const textOf = ({ start, end }: Node) => source.slice(start, end);
  const replaced = (kind: Kind, at: Node, text: string): Mutation => ({
    ...{ kind, text },
    start: at.start,
    end: at.end,
  });
  switch (node.type) {
    case 'IfStatement': {
      const { test } = node as unknown as { test: Node };
      return [replaced('condition', test, 'false'), replaced('condition', test, 'true')];
    }
    case 'ConditionalExpression': {
      const { test } = node as unknown as { test: Node };
      return [replaced('condition', test, `!(${textOf(test)})`)];
    }
    case 'LogicalExpression': {
      const { left, right, operator } = node as unknown as { left: Node; right: Node; operator: string };
      if (operator === '??') return [];
      return [replaced('condition', node, textOf(left)), replaced('condition', node, textOf(right))];
    }
    case 'BinaryExpression': {
      const { left, right, operator } = node as unknown as { left: Node; right: Node; operator: string };
      const other = otherSide[operator] ?? opposite[operator];
      if (other === undefined) return [];
      const kind = operator in otherSide ? 'boundary' : 'condition';
      return [replaced(kind, node, `${textOf(left)} ${other} ${textOf(right)}`)];
    }
    case 'ThrowStatement':
      return [replaced('step', node, ';')];
    case 'ReturnStatement':
      return node.argument ? [] : [replaced('step', node, ';')];
    case 'ExpressionStatement': {
      const text = textOf(node);
      if (/^['"]/.test(text)) return [];
      return [
        replaced(
          /\.(setHeader|appendHeader)\(|\bres\.(set|append)\(/.test(text) ? 'header' : 'step',
          node,
          ';',
        ),
      ];
    }
    case 'Property': {
      const { key } = node as unknown as { key: Node };
      // The comma may be the last.
      const end = source[node.end] === ',' ? node.end + 1 : node.end;
      return /^['"]?[A-Z][A-Za-z]+-[\w-]+['"]?$/.test(textOf(key))
        ? [{ kind: 'header', start: node.start, end, text: '' }]
        : [];
    }
    case 'Literal': {
      if (typeof node.value !== 'number' || node.value < 2) return [];
      return [replaced('constant', node, String(node.value + 1))];
    }
    case 'TemplateLiteral':
      return sqlMutations(textOf(node)).map((each) => ({
        ...each,
        start: node.start + each.start,
        end: node.start + each.end,
      }));
    default:
      return [];
  }
}

function walk(node: Node, visit: (node: Node, isOnLoad: boolean) => void, isOnLoad = true): void {
  visit(node, isOnLoad);
  const isCall = node.type === 'CallExpression';
  for (const child of childrenOf(node)) {
    // A function that is passed to a call may be executed by it.
    const isLater = /Function/.test(child.type) && !isCall;
    walk(child, visit, isOnLoad && !isLater);
  }
}

/** In the order of the source. Types have literals, too, and no effect. */
export function childrenOf(node: Node): Node[] {
  const nodes = Object.values(node).flat().filter(isNode);
  return nodes
    .filter(({ type }) => !type.startsWith('TS') || isWrapper.has(type))
    .sort((one, other) => one.start - other.start);
}

/** `x as T` and `x!` contain an expression. */
const isWrapper = new Set(['TSAsExpression', 'TSSatisfiesExpression', 'TSNonNullExpression']);

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
}

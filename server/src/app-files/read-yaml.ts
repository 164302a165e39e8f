// Reads YAML that a person has written: every fault with its line and column. A document has no aliases, whose expansion could
// grow without bounds, and no tags, which could make other types of values.
import { errorMap } from '@foyer/contract';
import { isMap, isNode, isPair, isScalar, isSeq, LineCounter, type ParsedNode, parseDocument } from 'yaml';
import type * as z from 'zod';
import { type Fault, FileFaults, type Place } from './file-faults.js';

const maxCharacters = 16 * 1_024 * 1_024;

export type Located<Value> = {
  value: Value;
  /** The place of a value, or of its key with `'key'`; that of the nearest one above it which exists. */
  placeOf(keys: readonly PropertyKey[], of?: 'key'): Place;
};

/** `firstLine` is the line of the file where the text begins. */
export function readYaml<Value>(
  shape: z.ZodType<Value>,
  text: string,
  path: string,
  firstLine = 1,
): Located<Value> {
  if (text.length > maxCharacters) throw new FileFaults([{ path, message: 'is too large' }]);
  const lineCounter = new LineCounter();
  const at = (offset: number): Place => {
    const { line, col } = lineCounter.linePos(offset);
    return { line: line + firstLine - 1, column: col };
  };
  const document = parsed(text, path, lineCounter);
  const broken = [...document.errors, ...document.warnings].map(({ pos: [offset], message }) => ({
    path,
    place: at(offset),
    message: message.split('\n')[0] as string,
  }));
  // The parser reports an exhausted stack as an error of the document, once for each level.
  if (broken.some(({ message }) => message.includes('call stack'))) throw tooDeep(path, new RangeError());
  if (broken.length > 0) throw new FileFaults(broken);
  const placeOf: Located<Value>['placeOf'] = (keys, of) => at(offsetOf(document.contents, keys, of));
  const result = shape.safeParse(plainValue(document, path), { error: errorMap });
  if (result.success) return { value: result.data, placeOf };
  throw new FileFaults(result.error.issues.flatMap((issue) => faultsOf(issue, path, placeOf)));
}

type Documented = ReturnType<typeof parseDocument<ParsedNode>>;

function parsed(text: string, path: string, lineCounter: LineCounter): Documented {
  try {
    const options = {
      version: '1.2',
      schema: 'core',
      strict: true,
      uniqueKeys: true,
      stringKeys: true,
    } as const;
    return parseDocument(text, { ...options, lineCounter, prettyErrors: false });
  } catch (cause) {
    throw tooDeep(path, cause);
  }
}

function plainValue(document: Documented, path: string): unknown {
  try {
    return document.toJS({ maxAliasCount: 0 }) ?? {};
  } catch (error) {
    if (error instanceof ReferenceError) {
      throw new FileFaults([{ path, message: 'has an alias (*name), which is not allowed' }]);
    }
    throw tooDeep(path, error);
  }
}

function tooDeep(path: string, cause: unknown): unknown {
  return cause instanceof RangeError ? new FileFaults([{ path, message: 'is nested too deeply' }]) : cause;
}

/** An unknown key is a fault of its own, at its place. */
function faultsOf(issue: z.core.$ZodIssue, path: string, placeOf: Located<unknown>['placeOf']): Fault[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => {
      const keys = [...issue.path, key];
      return { path, place: placeOf(keys, 'key'), message: `${keys.join('.')} is unknown` };
    });
  }
  const message = `${issue.path.join('.') || 'the file'} ${issue.message}`;
  return [{ path, place: placeOf(issue.path, issue.code === 'invalid_key' ? 'key' : undefined), message }];
}

function offsetOf(contents: unknown, keys: readonly PropertyKey[], of?: 'key'): number {
  let node = contents;
  let offset = startOf(node) ?? 0;
  for (const [place, key] of keys.entries()) {
    const inner = innerNode(node, key);
    if (!inner) return offset;
    const isLast = place === keys.length - 1;
    const found = isLast && of === 'key' ? inner.key : inner.value;
    offset = startOf(found) ?? startOf(inner.key) ?? offset;
    node = inner.value;
  }
  return offset;
}

function innerNode(node: unknown, key: PropertyKey): { key?: unknown; value: unknown } | undefined {
  if (isSeq(node)) return { value: node.items[Number(key)] };
  if (!isMap(node)) return undefined;
  return node.items.find(
    (pair) => isPair(pair) && isScalar(pair.key) && String(pair.key.value) === String(key),
  );
}

function startOf(node: unknown): number | undefined {
  return isNode(node) ? node.range?.[0] : undefined;
}

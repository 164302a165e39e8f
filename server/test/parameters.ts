// Counts the parameters of functions, from the syntax tree of the sources.
import { parseSync } from 'vite';
import type { SourceFile } from './import-graph.js';

/** The functions with at least this many positional parameters, as `file: name`. */
export function functionsWith(least: number, files: SourceFile[]): string[] {
  return files.flatMap(({ path, text }) =>
    nodesOf(parseSync(path, text).program)
      .filter(({ type, params }) => /Function|MethodSignature/.test(String(type)) && countOf(params) >= least)
      .map(({ id }) => `${path}: ${(id as { name?: string } | null)?.name ?? 'anonymous'}`),
  );
}

type Node = Record<string, unknown>;

function countOf(params: unknown): number {
  return Array.isArray(params) ? params.length : 0;
}

function nodesOf(value: unknown): Node[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = 'type' in value ? [value as Node] : [];
  return [...own, ...Object.values(value).flatMap(nodesOf)];
}

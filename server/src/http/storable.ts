// Refuses what PostgreSQL cannot hold, U+0000 and lone surrogates, wherever it stands: in a query, a path or a body, in
// keys and values alike.
import type { NextFunction, Request, Response } from 'express';
import { ApiError } from '../lib/api-error.js';

const deepest = 100;

/** Refuses such a query or path. */
export function plainAddress(req: Request, _res: Response, next: NextFunction): void {
  next(undecodable(req.url) ?? unstorable(req.query, 'query') ?? unstorable(req.params, 'path'));
}

/** Parsing a query puts U+FFFD where its percent-encoding is broken; what nobody sent must not pass for what was sent. */
function undecodable(url: string): ApiError | undefined {
  const start = url.indexOf('?');
  if (start < 0 || !url.includes('%', start)) return undefined;
  for (const parameter of url.slice(start + 1).split('&')) {
    const name = decoded(parameter.split('=', 1)[0] as string);
    if (name !== undefined && decoded(parameter) !== undefined) continue;
    return refusal(name === undefined ? [] : [name], 'query', 'is not percent-encoded UTF-8');
  }
  return undefined;
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}

/**
 * A refusal with the path of such a string, or undefined. Iterative: depth is the sender's choice. A path is made for each
 * object and list alone, so that a megabyte of short values costs little.
 */
export function unstorable(root: unknown, part: 'body' | 'query' | 'path'): ApiError | undefined {
  if (typeof root === 'string' && !storable(root)) return refusal([], part, unstorableText);
  const open: { value: object; path: string[] }[] = isObject(root) ? [{ value: root, path: [] }] : [];
  for (let step = open.pop(); step; step = open.pop()) {
    const { value, path } = step;
    if (path.length >= deepest) return refusal(path.slice(0, 3), part, 'is nested too deeply');
    for (const [key, child] of Object.entries(value)) {
      if (!storable(key)) return refusal(path, part, 'has a key with U+0000 or half of a surrogate pair');
      if (isObject(child)) open.push({ value: child, path: [...path, key] });
      else if (typeof child === 'string' && !storable(child)) {
        return refusal([...path, key], part, unstorableText);
      }
    }
  }
  return undefined;
}

const unstorableText = 'must not hold U+0000 or half of a surrogate pair';

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function storable(text: string): boolean {
  return !text.includes('\u0000') && text.isWellFormed();
}

function refusal(path: string[], part: string, sentence: string): ApiError {
  return new ApiError('request/validation-failed', { fields: { [path.join('.') || part]: [sentence] } });
}

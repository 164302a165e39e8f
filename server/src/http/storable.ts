// Refuses strings that PostgreSQL cannot store, with U+0000 or lone surrogates, in queries, paths and bodies, in keys and
// values.
import type { AppRoute } from '@ts-rest/core';
import type { NextFunction, Request, Response } from 'express';
import { ApiError } from '../lib/api-error.js';
import { isStorable } from '../lib/storable.js';
import { isReadBy } from './request-schemas.js';

/** Refuses such a query or path. */
export function plainAddress(req: Request, _res: Response, next: NextFunction): void {
  const isRead = isReadBy(req.tsRestRoute as AppRoute);
  const query = Object.fromEntries(Object.entries(req.query).filter(([name]) => isRead(name)));
  next(undecodable(req.url, isRead) ?? unstorable(query, 'query') ?? unstorable(req.params, 'path'));
}

/** Query parsing replaces invalid percent-encoding with U+FFFD, which must not pass for input. */
function undecodable(url: string, isRead: (name: string) => boolean): ApiError | undefined {
  const start = url.indexOf('?');
  if (start < 0 || !url.includes('%', start)) return undefined;
  for (const parameter of url.slice(start + 1).split('&')) {
    const name = decoded(parameter.split('=', 1)[0] as string);
    if (name !== undefined && (!isRead(name) || decoded(parameter) !== undefined)) continue;
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

/** A nested value and its path. */
type Step = { value: object; key: string; parent: Step | null };

/**
 * A refusal with the path of such a string, or undefined. Iterative, since the client chooses the depth; paths are built
 * only for the refusal, since building one per value would cost the depth each time.
 */
export function unstorable(root: unknown, part: 'body' | 'query' | 'path'): ApiError | undefined {
  if (typeof root === 'string' && !isStorable(root)) return refusal([], part, unstorableText);
  const open: Step[] = isObject(root) ? [{ value: root, key: '', parent: null }] : [];
  for (let step = open.pop(); step; step = open.pop()) {
    for (const [key, child] of Object.entries(step.value)) {
      if (!isStorable(key)) {
        return refusal(pathTo(step), part, 'has a key with U+0000 or half of a surrogate pair');
      }
      if (isObject(child)) open.push({ value: child, key, parent: step });
      else if (typeof child === 'string' && !isStorable(child)) {
        return refusal([...pathTo(step), key], part, unstorableText);
      }
    }
  }
  return undefined;
}

function pathTo(step: Step): string[] {
  const path: string[] = [];
  for (let at: Step = step; at.parent; at = at.parent) path.push(at.key);
  return path.reverse();
}

const unstorableText = 'must not hold U+0000 or half of a surrogate pair';

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function refusal(path: string[], part: string, sentence: string): ApiError {
  return new ApiError('request/validation-failed', { fields: { [path.join('.') || part]: [sentence] } });
}

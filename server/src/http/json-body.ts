// Reads a JSON body where the endpoint has one, and walks it once for what PostgreSQL cannot hold: U+0000 and lone
// surrogates, in keys and values alike.
import { hasBody, limits } from '@foyer/contract';
import type { AppRoute } from '@ts-rest/core';
import express, { type NextFunction, type Request, type Response } from 'express';
import { ApiError } from '../lib/api-error.js';

const deepestBody = 100;

/** Not strict: a bare string or number is JSON too, and is refused by the contract like any other wrong shape. */
const parse = express.json({ limit: limits.bodyBytes, strict: false, type: 'application/json' });

export function jsonBody(req: Request, res: Response, next: NextFunction): void {
  if (!hasBody(req.tsRestRoute as AppRoute)) {
    next();
    return;
  }
  if (sendsBody(req) && !req.is('application/json')) {
    next(new ApiError('request/unsupported-media-type'));
    return;
  }
  parse(req, res, (error?: unknown) => {
    next(error ?? unstorable(req.body));
  });
}

/** Refuses a query or path with the same characters; the body is not yet read here. */
export function plainAddress(req: Request, _res: Response, next: NextFunction): void {
  next(unstorable(req.query) ?? unstorable(req.params));
}

function sendsBody(req: Request): boolean {
  return req.headers['transfer-encoding'] !== undefined || Number(req.headers['content-length'] ?? 0) > 0;
}

/** A refusal with the path of the first such string, or undefined. Iterative: depth is the sender's choice. */
function unstorable(root: unknown): ApiError | undefined {
  const open: { value: unknown; path: string[] }[] = [{ value: root, path: [] }];
  for (let step = open.pop(); step; step = open.pop()) {
    const { value, path } = step;
    if (typeof value === 'string' && !storable(value)) {
      return refusal(path, 'must not hold U+0000 or half of a surrogate pair');
    }
    if (typeof value !== 'object' || value === null) continue;
    if (path.length >= deepestBody) return refusal(path.slice(0, 3), 'is nested too deeply');
    for (const [key, child] of Object.entries(value)) {
      if (!storable(key)) return refusal(path, 'has a key with U+0000 or half of a surrogate pair');
      open.push({ value: child, path: [...path, key] });
    }
  }
  return undefined;
}

function storable(text: string): boolean {
  return !text.includes('\u0000') && text.isWellFormed();
}

function refusal(path: string[], sentence: string): ApiError {
  return new ApiError('request/validation-failed', { fields: { [path.join('.') || 'body']: [sentence] } });
}

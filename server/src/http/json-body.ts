// Reads a JSON body where the endpoint has one: its type, its size, its encoding, and what it may hold.
import { isUtf8 } from 'node:buffer';
import { hasBody, limits, metadataOf } from '@foyer/contract';
import type { AppRoute } from '@ts-rest/core';
import express, { type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import { ApiError } from '../lib/api-error.js';
import { type ByteBudget, uncountedBytes } from './byte-budget.js';
import { unstorable } from './storable.js';

/** By size: measures, and unpacks what is packed; which types there are is judged here. */
const readers = new Map<number, RequestHandler>();

function readerOf(bodyBytes: number): RequestHandler {
  const reader = readers.get(bodyBytes) ?? express.raw({ limit: bodyBytes, type: () => true });
  readers.set(bodyBytes, reader);
  return reader;
}

export function jsonBody(budget: ByteBudget): RequestHandler {
  return (req, res, next) => readBody(budget, req, res, next);
}

function readBody(budget: ByteBudget, req: Request, res: Response, next: NextFunction): void {
  const route = req.tsRestRoute as AppRoute;
  if (!hasBody(route)) {
    next();
    return;
  }
  const { bodyBytes = limits.bodyBytes, exactNumbers } = metadataOf(route);
  const length = Number(req.headers['content-length'] ?? 0);
  if (
    (length > 0 || req.headers['transfer-encoding'] !== undefined) &&
    !isJson(req.headers['content-type'])
  ) {
    next(new ApiError('request/unsupported-media-type'));
    return;
  }
  // The reader would wait for the last byte of what it is not going to read.
  if (length > bodyBytes) {
    next(new ApiError('request/too-large'));
    return;
  }
  // What is sent in chunks counts as the longest body until it is read.
  const expected = req.headers['transfer-encoding'] === undefined ? length : bodyBytes;
  if (expected > uncountedBytes) budget.reserve(req, expected);
  readerOf(bodyBytes)(req, res, (error?: unknown) => {
    if (req.body instanceof Buffer) budget.settle(req, req.body.length);
    next(error ?? parse(req, exactNumbers));
  });
}

/** JSON is UTF-8 (RFC 8259); any other charset is another type. */
function isJson(contentType: string | undefined): boolean {
  if (contentType === undefined || !/^application\/json *(;|$)/i.test(contentType)) return false;
  const charset = /; *charset *= *"?([^";, ]*)/i.exec(contentType)?.[1];
  return charset === undefined || charset.toLowerCase() === 'utf-8';
}

function parse(req: Request, keepsText = false): ApiError | undefined {
  const bytes: unknown = req.body;
  if (!(bytes instanceof Buffer) || bytes.length === 0) {
    req.body = undefined;
    return undefined;
  }
  // Decoding would put U+FFFD where bytes are broken, and store what nobody sent.
  if (!isUtf8(bytes)) return new ApiError('request/malformed-json');
  try {
    const text = bytes.toString();
    req.body = JSON.parse(text);
    if (keepsText) req.jsonText = text;
  } catch {
    return new ApiError('request/malformed-json');
  }
  return unstorable(req.body, 'body');
}

// Reads a JSON body where the endpoint has one. Its type, encoding, size, depth and number of values are judged before it is
// parsed, and what it may hold afterwards.
import { isUtf8 } from 'node:buffer';
import { type EndpointMetadata, type ErrorCode, hasBody, hasForm, limits, metadataOf } from '@foyer/contract';
import type { AppRoute } from '@ts-rest/core';
import express, { type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import type { ByteBudget } from '../deps.js';
import { ApiError } from '../lib/api-error.js';
import { uncountedBytes } from './byte-budget.js';
import { measureJson } from './measure-json.js';
import { unstorable } from './storable.js';

/** By size. Types and encodings are judged here. */
const readers = new Map<number, RequestHandler>();

function readerOf(bodyBytes: number): RequestHandler {
  const reader =
    readers.get(bodyBytes) ?? express.raw({ limit: bodyBytes, type: () => true, inflate: false });
  readers.set(bodyBytes, reader);
  return reader;
}

export function jsonBody(budget: ByteBudget): RequestHandler {
  return (req, res, next) => readBody(budget, req, res, next);
}

function readBody(budget: ByteBudget, req: Request, res: Response, next: NextFunction): void {
  const route = req.tsRestRoute as AppRoute;
  // 183 bytes of gzip can unpack to 100 KiB: a sender should pay for what the service has to read.
  if ((hasBody(route) || hasForm(route)) && isEncoded(req.headers['content-encoding'])) {
    next(new ApiError('request/unsupported-media-type'));
    return;
  }
  if (!hasBody(route)) {
    next();
    return;
  }
  const metadata = metadataOf(route);
  const { bodyBytes = limits.bodyBytes } = metadata;
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
    next(error ?? parse(req, metadata));
  });
}

function isEncoded(contentEncoding: string | undefined): boolean {
  return !['', 'identity'].includes((contentEncoding ?? '').trim().toLowerCase());
}

/** JSON is UTF-8 (RFC 8259); any other charset is another type. */
function isJson(contentType: string | undefined): boolean {
  if (contentType === undefined || !/^application\/json *(;|$)/i.test(contentType)) return false;
  const charset = /; *charset *= *"?([^";, ]*)/i.exec(contentType)?.[1];
  return charset === undefined || charset.toLowerCase() === 'utf-8';
}

function parse(req: Request, metadata: EndpointMetadata): ApiError | undefined {
  const bytes: unknown = req.body;
  if (!(bytes instanceof Buffer) || bytes.length === 0) {
    req.body = undefined;
    return undefined;
  }
  // Decoding would put U+FFFD where bytes are broken, and store what nobody sent.
  if (!isUtf8(bytes)) return new ApiError('request/malformed-json');
  const unmeasured = overLimits(bytes, metadata);
  if (unmeasured) return unmeasured;
  const text = bytes.toString();
  try {
    req.body = JSON.parse(text);
  } catch {
    return new ApiError('request/malformed-json');
  }
  if (metadata.exactNumbers) req.jsonText = text;
  // The bytes are UTF-8, and JSON has no bare control characters: only an escape can write what cannot be stored.
  return unstorableEscape.test(text) ? unstorable(req.body, 'body') : undefined;
}

const unstorableEscape = /\\u(?:0000|d[89a-f])/i;

function overLimits(bytes: Buffer, metadata: EndpointMetadata): ApiError | undefined {
  const { bodyValues: values = limits.bodyValues, bodyKeys: keys = values } = metadata;
  const { bodyValuesError = 'request/validation-failed' } = metadata;
  const refusal = (code: ErrorCode, sentence: string) => new ApiError(code, { fields: { body: [sentence] } });
  switch (measureJson(bytes, { values, keys, levels: limits.bodyLevels })) {
    case 'ok':
      return undefined;
    case 'too-deep':
      return refusal('request/validation-failed', 'is nested too deeply');
    case 'too-many-values':
      return refusal(bodyValuesError, `has more than ${values} values`);
    case 'too-many-keys':
      return refusal(bodyValuesError, `has more than ${keys} keys`);
  }
}

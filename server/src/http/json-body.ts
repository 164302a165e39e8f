// Reads the body of endpoints that have one: JSON, or the form of a browser. Checks type, encoding, size, depth and number of
// values before parsing, and the content afterwards.
import { isUtf8 } from 'node:buffer';
import {
  type EndpointMetadata,
  type ErrorCode,
  hasBody,
  hasForm,
  hasUrlForm,
  limits,
  metadataOf,
} from '@foyer/contract';
import type { AppRoute } from '@ts-rest/core';
import express, { type Request, type RequestHandler, type Response } from 'express';
import type { ByteBudget } from '../../engines/http-guard/index.js';
import { bounds, measureJson } from '../../engines/http-guard/index.js';
import { ApiError } from '../lib/api-error.js';
import { inTurn } from '../lib/one-per-turn.js';
import { unstorable } from './storable.js';

/** The parsers by size limit. Types and encodings are checked here. */
const readers = new Map<number, RequestHandler>();

function readerOf(bodyBytes: number): RequestHandler {
  const reader =
    readers.get(bodyBytes) ?? express.raw({ limit: bodyBytes, type: () => true, inflate: false });
  readers.set(bodyBytes, reader);
  return reader;
}

/** `turn` waits for the turn of a call with a large body that is complete. */
export function jsonBody(
  budget: ByteBudget,
  turn: (req: Request, res: Response) => Promise<void>,
): RequestHandler {
  return (req, res, next) => {
    const route = req.tsRestRoute as AppRoute;
    // No compression: 183 bytes of gzip can unpack to 100 KiB.
    if ((hasBody(route) || hasForm(route)) && isEncoded(req.headers['content-encoding'])) {
      throw new ApiError('request/unsupported-media-type');
    }
    if (!hasBody(route)) return next();
    const metadata = metadataOf(route);
    const { bodyBytes = limits.bodyBytes } = metadata;
    const length = Number(req.headers['content-length'] ?? 0);
    const isChunked = req.headers['transfer-encoding'] !== undefined;
    const isRead = hasUrlForm(route) ? isUrlForm : isJson;
    if ((length > 0 || isChunked) && !isRead(req.headers['content-type'])) {
      throw new ApiError('request/unsupported-media-type');
    }
    // The parser would wait for the rest of a body that is refused.
    if (length > bodyBytes) throw new ApiError('request/too-large');
    // A chunked body counts as the maximum length until it is read.
    const expected = isChunked ? bodyBytes : length;
    if (expected > bounds.memory.uncountedBytes) budget.reserve(req, expected);
    readerOf(bodyBytes)(req, res, (error?: unknown) => {
      if (!error && hasUrlForm(route)) return next(parseForm(req));
      const bytes = req.body instanceof Buffer ? req.body.length : 0;
      if (bytes > 0) budget.settle(req, bytes);
      // Parsing and validating a large body takes milliseconds, which many of them must not take in a row.
      if (error || bytes <= bounds.memory.uncountedBytes) return next(error ?? parse(req, metadata));
      turn(req, res).then(() => inTurn(() => next(parse(req, metadata))), next);
    });
  };
}

function isEncoded(contentEncoding: string | undefined): boolean {
  return !['', 'identity'].includes((contentEncoding ?? '').trim().toLowerCase());
}

/** Also a list of such types: XMLHttpRequest joins the headers that a program and its library add. */
function isJson(contentType = ''): boolean {
  return isJsonType(contentType) || contentType.split(',').every(isJsonType);
}

/**
 * Any type of JSON (RFC 6839), since the schema of the endpoint decides what is read. JSON is UTF-8 (RFC 8259), of which
 * ASCII is a part; another charset is an unsupported type.
 */
function isJsonType(contentType: string): boolean {
  const [type = '', ...parameters] = contentType.trim().toLowerCase().split(';');
  if (!/^application\/(?:[\w.!#$&^-]+\+)?json[ \t]*$/.test(type)) return false;
  return parameters.every((parameter) => {
    const [name, value = ''] = parameter.split('=');
    return name?.trim() !== 'charset' || /^["']?(?:utf-?8|us-ascii)?["']?$/.test(value.trim());
  });
}

/** Browsers send it without a charset, which is that of the page; the parameters are percent-encoded ASCII. */
function isUrlForm(contentType: string | undefined): boolean {
  return /^application\/x-www-form-urlencoded[ \t]*(;|$)/i.test(contentType ?? '');
}

/** The last value of a name that is sent twice. */
function parseForm(req: Request): ApiError | undefined {
  const text = req.body instanceof Buffer ? req.body.toString() : '';
  req.body = Object.fromEntries(new URLSearchParams(text));
  return unstorable(req.body, 'body');
}

function parse(req: Request, metadata: EndpointMetadata): ApiError | undefined {
  const bytes = req.body instanceof Buffer ? withoutMark(req.body) : undefined;
  if (!bytes || bytes.length === 0) {
    req.body = undefined;
    return undefined;
  }
  // Decoding would replace invalid bytes with U+FFFD and store data that was not sent.
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
  // The bytes are valid UTF-8 without control characters, so only an escape can produce an unstorable string.
  return unstorableEscape.test(text) ? unstorable(req.body, 'body') : undefined;
}

/** Some tools put a byte order mark before UTF-8, which RFC 8259 lets a parser ignore. */
function withoutMark(bytes: Buffer): Buffer {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;
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

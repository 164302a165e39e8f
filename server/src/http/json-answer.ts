// Sends JSON responses. JSON text from the database is sent unchanged: parsing and serializing megabytes would block other
// requests. Responses that are the same for everyone are serialized once. Large responses count against the byte budget.
import type { Express as ExpressApp, Response } from 'express';
import type { ByteBudget } from '../../engines/http-guard/index.js';
import { bounds } from '../../engines/http-guard/index.js';
import { sha256 } from '../lib/crypto/digest.js';
import { matchesIfNoneMatch } from '../lib/etag.js';

declare global {
  namespace Express {
    interface Response {
      /** The body, if it is already serialized. */
      jsonText?: string;
    }
  }
}

/** Responds with `text`, an envelope with `data`. Parsed only if responses are validated. */
export function jsonText(res: object, text: string) {
  (res as Response).jsonText = text;
  return new TextAnswer(text);
}

/** A class: with a getter of its own, an answer would survive until a full garbage collection. */
class TextAnswer {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  get data() {
    return JSON.parse(this.#text).data;
  }
}

type ConstantAnswer<Body> = { body: Body; text: string; etag: string };

/** A response that is serialized once and sent many times, with its entity tag. */
export function constantAnswer<Body>(body: Body): ConstantAnswer<Body> {
  const text = JSON.stringify(body);
  return { body, text, etag: `"${sha256(text).toString('base64url')}"` };
}

/** Responds with a constant answer, or with 304 if the client has it. */
export function sendConstant<Body>(
  res: Parameters<typeof hasCurrent>[0],
  answer: ConstantAnswer<Body>,
  ifNoneMatch: string | undefined,
) {
  if (hasCurrent(res, ifNoneMatch, answer.etag)) return notModified;
  (res as Response).jsonText = answer.text;
  return { status: 200 as const, body: answer.body };
}

export const notModified = { status: 304 as const, body: undefined };

/**
 * Sets the ETag; true if the client has that representation. Not Express's `fresh`, which knows no tags that a
 * proxy altered, and ignores them when fetch adds `no-cache`.
 */
export function hasCurrent(
  res: { setHeader(name: string, value: string): unknown },
  ifNoneMatch: string | undefined,
  etag: string,
): boolean {
  res.setHeader('ETag', etag);
  return matchesIfNoneMatch(ifNoneMatch, etag);
}

export function sendJson(app: ExpressApp, budget: ByteBudget): void {
  app.response.json = function json(this: Response, body: unknown): Response {
    // An error replaces the prepared text.
    const given = this.statusCode < 400 ? this.jsonText : undefined;
    const text = given ?? JSON.stringify(body);
    this.setHeader('Content-Type', 'application/json; charset=utf-8');
    const bytes = Buffer.byteLength(text);
    budget.settle(this.req, bytes);
    if (bytes > bounds.memory.uncountedBytes) return this.send(Buffer.from(text));
    // A string is sent in one write with the headers, and a Buffer, as Express would make of it, in two.
    this.setHeader('Content-Length', bytes);
    this.end(text);
    return this;
  };
}

// Sends JSON responses. JSON text from the database is sent unchanged: parsing and serializing megabytes would block other
// requests. Large responses count against the byte budget.
import type { Express as ExpressApp, Response } from 'express';
import type { ByteBudget } from '../deps.js';
import { uncountedBytes } from './byte-budget.js';

declare global {
  namespace Express {
    interface Response {
      /** The body, if it is already serialized. */
      jsonText?: string;
    }
  }
}

/** For routes: responds with `text`, an envelope with `data`. Parsed only if responses are validated. */
export function jsonText(res: object, text: string) {
  (res as Response).jsonText = text;
  return {
    get data() {
      return JSON.parse(text).data;
    },
  };
}

export function sendJson(app: ExpressApp, budget: ByteBudget): void {
  app.response.json = function json(this: Response, body: unknown): Response {
    // An error replaces the prepared text.
    const given = this.statusCode < 400 ? this.jsonText : undefined;
    const text = given ?? JSON.stringify(body);
    if (!this.hasHeader('Content-Type')) this.setHeader('Content-Type', 'application/json; charset=utf-8');
    if (text.length <= uncountedBytes) {
      budget.settle(this.req, text.length);
      return this.send(text);
    }
    const bytes = Buffer.from(text);
    budget.settle(this.req, bytes.length);
    return this.send(bytes);
  };
}

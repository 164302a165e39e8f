// How JSON answers are sent. What comes from the database as JSON text is sent as it is: to parse, check and write out

// megabytes again would keep every other request waiting. Large answers are counted in the budget of bytes.
import type { Express as ExpressApp, Response } from 'express';
import type { ByteBudget } from '../deps.js';
import { uncountedBytes } from './byte-budget.js';

declare global {
  namespace Express {
    interface Response {
      /** The text of the answer, where it is JSON already. */
      jsonText?: string;
    }
  }
}

/** For a route: makes `text`, an envelope with `data`, the answer. It is parsed only where answers are validated. */
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
    // A refusal after the text was given is not that text.
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

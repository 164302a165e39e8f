// Judges every answer that a service of `testService()` sends, as the bytes that its client gets: JSON exactly of the
// contract's schema, no key more, and no cookie. What it finds fails the test that made the call.
import { ErrorEnvelope, V1Error } from '@foyer/contract';
import { isAppRouteNoBody } from '@ts-rest/core';
import type { Express, Request, Response } from 'express';
import * as z from 'zod';
import { reportAnswer } from './answer-findings.js';
import { differencesFrom } from './exact-shape.js';

/** For bodies that leave by another way, such as those of webhooks. */
export function judge(what: string, schema: z.ZodType, sent: unknown): void {
  for (const difference of differencesFrom(schema, sent)) reportAnswer(`${what}: ${difference}`);
}

/** Replaces two methods of the application's responses; the answers themselves stay as they are. */
export function judgeAnswers({ response }: Express): void {
  const { write, end } = response;
  const bodies = new WeakMap<Response, Buffer[]>();
  const collect = (res: Response, [chunk, encoding]: unknown[]) => {
    if (chunk === undefined || chunk === null || typeof chunk === 'function' || !isJson(res)) return;
    const parts = bodies.get(res) ?? [];
    bodies.set(res, parts);
    parts.push(
      typeof chunk === 'string' ? Buffer.from(chunk, encodingOf(encoding)) : Buffer.from(chunk as Buffer),
    );
  };
  response.write = function (this: Response, ...given: unknown[]) {
    collect(this, given);
    return write.apply(this, given as never);
  } as Response['write'];
  response.end = function (this: Response, ...given: unknown[]) {
    collect(this, given);
    const parts = bodies.get(this);
    bodies.delete(this);
    judgeAnswer(this.req, this, parts && Buffer.concat(parts).toString());
    return end.apply(this, given as never);
  } as Response['end'];
}

function judgeAnswer(req: Request, res: Response, text: string | undefined): void {
  const call = `${req.method} ${req.originalUrl.split('?')[0]} answered ${res.statusCode}`;
  if (res.hasHeader('set-cookie')) reportAnswer(`${call} with a cookie`);
  const schema = req.method === 'HEAD' ? 'outside' : schemaOf(req, res.statusCode);
  if (schema === 'outside') return;
  if (schema === 'undeclared') reportAnswer(`${call}, which the contract does not declare`);
  else if (schema === 'nothing') {
    if (res.hasHeader('content-type')) reportAnswer(`${call} with a body`);
  } else if (text === undefined) reportAnswer(`${call} without JSON`);
  else judge(call, schema, JSON.parse(text, withoutPrototypeNames));
}

/** A schema leaves out a key of this name, which a caller may have given to a field that a refusal then names. */
function withoutPrototypeNames(key: string, value: unknown): unknown {
  return key === '__proto__' ? undefined : value;
}

/** `outside`: the bytes of files, and documents, pages and probes, which are not in the contract. */
function schemaOf(req: Request, status: number): z.ZodType | 'outside' | 'undeclared' | 'nothing' {
  const { tsRestRoute: route, originalUrl } = req;
  const response = route?.responses[status];
  if (response !== undefined && isAppRouteNoBody(response)) return 'nothing';
  if (response instanceof z.ZodUnknown) return 'outside';
  if (response !== undefined) return response as z.ZodType;
  if (status < 400) return route ? 'undeclared' : 'outside';
  if (originalUrl.startsWith('/api/v2/')) return ErrorEnvelope;
  return originalUrl.startsWith('/api/v1/') ? V1Error : 'outside';
}

function isJson(res: Response): boolean {
  return String(res.getHeader('content-type')).startsWith('application/json');
}

function encodingOf(encoding: unknown): BufferEncoding {
  return typeof encoding === 'string' ? (encoding as BufferEncoding) : 'utf8';
}

// Serializes every error in the form of its API version. Unexpected errors are logged with their cause and answered with
// the request id only.
import { metadataOf } from '@foyer/contract';
import { isTimedOut, isUnavailable } from '@foyer/prisma';
import type { AppRoute } from '@ts-rest/core';
import { RequestValidationError } from '@ts-rest/express';
import type { NextFunction, Request, Response } from 'express';
import type { Deps } from '../deps.js';
import { ApiError } from '../lib/api-error.js';
import { writtenError } from './error-form.js';
import { fieldsOf } from './validation-fields.js';

const slowStatement =
  'request failed: a database statement took too long and was ended; look for locks, missing statistics (ANALYZE) and ' +
  'an overloaded database in pg_stat_activity';

const challenge = 'Bearer realm="foyer"';

export function errorHandler({ logger, dailyCounters }: Pick<Deps, 'logger' | 'dailyCounters'>) {
  return (error: unknown, req: Request, res: Response, _next: NextFunction) => {
    // A large body was refused after the call took its turn, and before its handler began.
    req.endTurn?.();
    const refusal = refusalOf(error, req);
    if (refusal.status >= 500) {
      const level = refusal.code === 'request/unavailable' ? 'warn' : 'error';
      const sentence = isTimedOut(refusal.cause) ? slowStatement : 'request failed';
      logger[level]({ request_id: req.requestId, code: refusal.code, err: refusal.cause }, sentence);
    }
    // The response has begun: it is aborted, so that the client does not take it for complete. Express would do so too, but
    // print the error with all its values.
    if (res.headersSent) return void req.socket.destroy();
    const app = req.call?.app ?? req.knownApp;
    if (app) dailyCounters.count(app.id, `errors.${refusal.code}`);
    const { status, body } = writtenError(refusal, req.requestId, req.apiVersion);
    if (status === 401) res.set('WWW-Authenticate', challengeOf(refusal, req));
    // A route may have set caching headers; errors are never cached.
    res.set({ 'Cache-Control': 'no-store', ...refusal.headers });
    res.status(status).json(body);
  };
}

/** RFC 6750, section 3: it names an error only if the request had a token. */
function challengeOf({ code }: ApiError, req: Request): string {
  const isOfToken = code === 'auth/invalid-token' || code === 'auth/token-expired';
  return isOfToken && req.headers.authorization !== undefined
    ? `${challenge}, error="invalid_token"`
    : challenge;
}

/** Maps an error to its response. */
export function refusalOf(error: unknown, req: Request): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof RequestValidationError) {
    const ofBody = error.body && !error.pathParams && metadataOf(req.tsRestRoute as AppRoute).bodyError;
    return new ApiError(ofBody || 'request/validation-failed', { fields: fieldsOf(error) });
  }
  if (isUnavailable(error))
    return new ApiError('request/unavailable', { retryAfterSeconds: 1, cause: error });
  return refusalOfReading(error) ?? new ApiError('request/internal-error', { cause: error });
}

/** Errors of body-parser and of the Express router have a status and usually a type. */
function refusalOfReading(error: unknown): ApiError | undefined {
  if (!(error instanceof Error) || !('status' in error)) return undefined;
  const type = 'type' in error ? error.type : undefined;
  if (error.status === 413) return new ApiError('request/too-large');
  if (error.status === 415) return new ApiError('request/unsupported-media-type');
  if (type === 'request.aborted') return new ApiError('request/timeout', { cause: error });
  if (error instanceof URIError) {
    return new ApiError('request/validation-failed', { fields: { path: ['is not percent-encoded UTF-8'] } });
  }
  return error.status === 400 ? new ApiError('request/malformed-json') : undefined;
}

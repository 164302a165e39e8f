// `Idempotency-Key`: a request that is retried after a lost response is executed once. Wraps the handlers behind the guard and
// body validation, so a key never grants more than its request.
//
// Crashes: an operation that takes `storeResponse` stores its response in its own transaction, so a retry either replays the
// response or executes everything. Any other operation may complete without a stored response; after the lease, a retry
// executes it again.
import { errorCatalogue, limits, metadataOf } from '@foyer/contract';
import type { AppRoute, AppRouter } from '@ts-rest/core';
import type { Request, Response } from 'express';
import type { Deps } from '../deps.js';
import { requireCall } from '../http/call.js';
import { type Handler, type HandlerAnswer, wrapHandlers } from '../http/wrap-handlers.js';
import { ApiError } from '../lib/api-error.js';
import { compareTexts } from '../lib/compare-texts.js';
import { sha256 } from '../lib/crypto/digest.js';
import { isObject } from '../lib/json-rules.js';
import { type Claim, claimKey } from './claim-key.js';
import type { StoredResponse, StoreResponse } from './stored-response.js';

type RunningClaim = { claim: Claim; kept: boolean };

declare global {
  namespace Express {
    interface Request {
      idempotency?: RunningClaim;
    }
  }
}

/** Response headers of routes that are stored and replayed. */
const storedHeaders = ['ETag', 'Location'];

/** Wraps the handlers of all routes with `idempotencyKey`, so that they evaluate the header. */
export function withIdempotency<Routers extends object>(
  deps: Deps,
  routes: AppRouter,
  routers: Routers,
): Routers {
  return wrapHandlers(routes, routers, (route, handler) =>
    metadataOf(route).idempotencyKey ? once(deps, route, handler) : handler,
  );
}

/**
 * Stores the response in the operation's transaction. Throws, which rolls the transaction back, when the
 * lease expired and another request took the key over.
 */
export function storeResponse<Result>(
  req: object,
  answerOf: (result: Result) => HandlerAnswer & { headers?: Record<string, string> },
): StoreResponse<Result> {
  return async (tx, result) => {
    const running = (req as Request).idempotency;
    if (!running) return;
    running.kept = await running.claim.keep(tx, { headers: {}, ...answerOf(result) });
    if (!running.kept) {
      throw new ApiError('request/unavailable', { retryAfterSeconds: 1, cause: 'another call took over' });
    }
  };
}

function once(deps: Deps, route: AppRoute, handler: Handler): Handler {
  return async (call) => {
    const { req, res } = call;
    const key = keyOf(req);
    if (key === undefined) return handler(call);
    const { app, actor } = requireCall(req);
    const place = {
      appId: app.id,
      actor: actor.name,
      route: `${route.method} ${route.path}`,
      key: hashOfKey(key),
    };
    const { params: path, query, body } = req;
    const asked = sha256(canonical({ path, query, body, ifMatch: req.headers['if-match'] }));
    const found = await claimKey(deps, place, asked);
    if ('answer' in found) return replay(found.answer, res);
    const running: RunningClaim = { claim: found.claim, kept: false };
    req.idempotency = running;
    try {
      const answer = await handler(call);
      if (!running.kept) await keepOf(deps, running.claim, { ...answer, headers: headersOf(res) });
      return answer;
    } catch (error) {
      await keepOf(deps, running.claim, refusalOf(error));
      throw error;
    }
  };
}

function keyOf(req: Request): string | undefined {
  const key = req.headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key === 'string' && key !== '' && key.length <= limits.maxIdempotencyKeyCharacters) return key;
  const sentence = `must have 1 to ${limits.maxIdempotencyKeyCharacters} characters`;
  throw new ApiError('request/validation-failed', { fields: { 'Idempotency-Key': [sentence] } });
}

/**
 * Keys may contain emails, which must not outlive an account. A plain hash, since instances must find a key while they have
 * different encryption keys, during a change of ENCRYPTION_KEYS.
 */
export function hashOfKey(key: string): string {
  return sha256(key).toString('base64url');
}

/** Null releases the claim. A response that cannot be stored is sent anyway; the lease then frees the key. */
async function keepOf(deps: Deps, claim: Claim, answer: StoredResponse | null): Promise<void> {
  try {
    if (answer === null) await claim.release();
    else await claim.keep(deps.prisma, answer);
  } catch (error) {
    deps.logger.warn({ err: error }, 'the response to an idempotency key could not be stored');
  }
}

/** Refusals are stored too, except those that a retry may not repeat, as after a new sign-in of the caller. */
function refusalOf(error: unknown): StoredResponse | null {
  if (!(error instanceof ApiError) || error.status >= 500 || error.status === 429) return null;
  if (error.code === 'auth/requires-recent-login') return null;
  return { code: error.code, fields: error.fields };
}

function replay(kept: StoredResponse, res: Response): HandlerAnswer {
  const replayed = { 'Idempotent-Replayed': 'true' };
  if ('code' in kept) {
    // Stored within the last day by a version with another catalogue.
    if (!(kept.code in errorCatalogue)) throw new ApiError('request/unavailable', { retryAfterSeconds: 1 });
    throw new ApiError(kept.code, { fields: kept.fields, headers: replayed });
  }
  res.set({ ...kept.headers, ...replayed });
  return { status: kept.status, body: kept.body };
}

function headersOf(res: Response): Record<string, string> {
  return Object.fromEntries(
    storedHeaders.flatMap((name) => {
      const value = res.getHeader(name);
      return value === undefined ? [] : [[name, String(value)]];
    }),
  );
}

/** Independent of the order of keys. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    isObject(part) ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => compareTexts(a, b))) : part,
  );
}

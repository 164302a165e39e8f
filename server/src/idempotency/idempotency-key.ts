// `Idempotency-Key` (conventions of the API): a call that the client repeats, because it got no answer, happens once. Wraps
// the routes whose metadata say so, behind the guard and the check of the body: a key opens nothing that its call would not.
//
// A crash in the middle: an operation that takes `storeResponse` writes its answer in its own transaction, so that the next
// call either repeats the answer or does the whole. Of any other the effect may be there without its answer; after the
// lease the next call then does it once more.
import { errorCatalogue, limits, metadataOf } from '@foyer/contract';
import { type AppRoute, type AppRouter, isAppRoute } from '@ts-rest/core';
import type { Request, Response } from 'express';
import type { Deps } from '../deps.js';
import { actorOf, callerOf } from '../http/caller.js';
import { ApiError } from '../lib/api-error.js';
import { sha256 } from '../lib/crypto/digest.js';
import { type Claim, claimKey } from './claim-key.js';
import type { StoredResponse, StoreResponse } from './stored-response.js';

type Answer = { status: number; body: unknown };
type Handler = (call: { req: Request; res: Response }) => Promise<Answer>;
type RunningClaim = { claim: Claim; kept: boolean };

declare global {
  namespace Express {
    interface Request {
      idempotency?: RunningClaim;
    }
  }
}

/** Headers that a route itself sets, and that belong to its answer. */
const keptHeaders = ['ETag', 'Location'];

/** The same map of rooms, in which the routes with `idempotencyKey` heed the header. */
export function withIdempotency<Rooms extends object>(deps: Deps, routes: AppRouter, rooms: Rooms): Rooms {
  const heeding = Object.entries(rooms).map(([name, room]) => {
    const route = routes[name];
    if (!route) throw new Error(`the contract has no ${name}`);
    if (!isAppRoute(route)) return [name, withIdempotency(deps, route, room)];
    return [name, metadataOf(route).idempotencyKey ? once(deps, route, room) : room];
  });
  return Object.fromEntries(heeding);
}

/**
 * For the operation behind a route: keeps the answer in the operation's own transaction. It throws, and so rolls everything
 * back, when the call took so long that another one runs in its place.
 */
export function storeResponse<Result>(
  req: object,
  answerOf: (result: Result) => Answer & { headers?: Record<string, string> },
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
    const place = {
      appId: callerOf(req).app.id,
      actor: actorOf(req).name,
      route: `${route.method} ${route.path}`,
      key,
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

/** Null gives the claim up. What was answered stays answered, even where it cannot be kept: the lease then frees the key. */
async function keepOf(deps: Deps, claim: Claim, answer: StoredResponse | null): Promise<void> {
  try {
    if (answer === null) await claim.release();
    else await claim.keep(deps.prisma, answer);
  } catch (error) {
    deps.logger.warn({ err: error }, 'the answer to an idempotency key could not be kept');
  }
}

/** A refusal is an answer like any other, but for those that may be different the next time. */
function refusalOf(error: unknown): StoredResponse | null {
  if (!(error instanceof ApiError) || error.status >= 500 || error.status === 429) return null;
  return { code: error.code, fields: error.fields };
}

function replay(kept: StoredResponse, res: Response): Answer {
  const replayed = { 'Idempotent-Replayed': 'true' };
  if ('code' in kept) {
    // A code that this version does not know any more was kept by another one, within the last day.
    if (!(kept.code in errorCatalogue)) throw new ApiError('request/unavailable', { retryAfterSeconds: 1 });
    throw new ApiError(kept.code, { fields: kept.fields, headers: replayed });
  }
  res.set({ ...kept.headers, ...replayed });
  return { status: kept.status, body: kept.body };
}

function headersOf(res: Response): Record<string, string> {
  return Object.fromEntries(
    keptHeaders.flatMap((name) => {
      const value = res.getHeader(name);
      return value === undefined ? [] : [[name, String(value)]];
    }),
  );
}

/** The same text for the same request, in whatever order its keys stand. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}

// Every call that changes rows, and every list or import of a backend, waits for a turn before its handler takes a connection.
// Left out are calls that wait for something else than the database, such as a hash, a provider or the bytes of an upload:
// those take their turn themselves, for the transaction alone.
import type { ServerResponse } from 'node:http';
import { bulkOf, contract, hasForm, metadataOf } from '@foyer/contract';
import type { AppRoute, AppRouter } from '@ts-rest/core';
import type { Request, Response } from 'express';
import type { Work, WorkTurns } from '../deps.js';
import { ApiError } from '../lib/api-error.js';
import { userActor } from '../model/actor.js';
import { requireCall } from './call.js';
import { type Handler, routeName, wrapHandlers } from './wrap-handlers.js';

declare global {
  namespace Express {
    interface Request {
      /** Ends the turn that the call took before its large body was parsed. Set until the handler of the route begins. */
      endTurn?: () => void;
    }
  }
}

/** Wraps the handlers of all routes that take a turn. */
export function withTurns<Routers extends object>(
  turns: WorkTurns,
  routes: AppRouter,
  routers: Routers,
): Routers {
  return wrapHandlers(routes, routers, (route, handler) => withTurn(turns, route, handler));
}

function withTurn(turns: WorkTurns, route: AppRoute, handler: Handler): Handler {
  const work = workOf(route);
  if (!work) return handler;
  return async (call) => {
    const { req, res } = call;
    const take = () => takeTurn(turns, { route, work }, req, res);
    let end = turnOfParsedBody(req, res) ?? (await take());
    requireCall(req).outsideTurn = async (wait) => {
      end();
      const result = await wait();
      end = await take();
      return result;
    };
    try {
      return await handler(call);
    } finally {
      end();
    }
  };
}

/**
 * Waits for the turn of a call whose large body has arrived, before the body is parsed: a call that waits holds its bytes only,
 * and one that is refused costs nothing more. A client that sends slowly has no turn meanwhile. The turn does not end when the
 * client disconnects: the handler may be in a transaction. The handler ends it, or the error handler if that comes first.
 */
export async function turnOfBody(turns: WorkTurns, req: Request, res: Response): Promise<void> {
  const route = req.tsRestRoute as AppRoute;
  const work = workOf(route);
  if (!work) return;
  req.endTurn = await takeTurn(turns, { route, work: work === 'write' ? 'large-write' : work }, req, res);
}

/** Hands the turn over to the handler, which ends it from here on; a call whose client has disconnected does not begin. */
function turnOfParsedBody(req: Request, res: Response): (() => void) | undefined {
  const end = req.endTurn;
  if (end && res.closed) throw new ApiError('request/unavailable', { retryAfterSeconds: 1 });
  delete req.endTurn;
  return end;
}

function takeTurn(
  turns: WorkTurns,
  { route, work }: { route: AppRoute; work: Work },
  req: Request,
  res: ServerResponse,
): Promise<() => void> {
  const isWrite = work === 'write' || work === 'large-write';
  return turns.take(work, requireCall(req), {
    row: isWrite ? rowOf(route, req.params as Record<string, string>) : undefined,
    signal: closeOf(res),
  });
}

const ownTurn = new Set(
  [
    contract.data.query,
    // Change nothing: a challenge has no row.
    contract.passkeys.creationOptions,
    contract.signIn.passkeyOptions,
    contract.push.register,
    contract.users.create,
    contract.users.update,
    contract.webhooks.create,
    contract.webhooks.update,
    contract.webhooks.test,
  ].map(routeName),
);

/** Returns null for a call that takes no turn, or takes it itself. */
export function workOf(route: AppRoute): Work | null {
  const bulk = bulkOf(route);
  if (bulk) return `bulk-${bulk}`;
  if (route.method === 'GET' || hasForm(route) || ownTurn.has(routeName(route))) return null;
  const { audit, rateLimit } = metadataOf(route);
  // Calls of backends that change nothing, such as the verification of a token.
  if (audit === null) return null;
  // Counted by their own limits, since most of them hash a password or ask a provider.
  return ['auth', 'exchange', 'code-send', 'refresh', 'none'].includes(rateLimit) ? null : 'write';
}

/** The row that the calls of a path lock: that of the user, else the one that `id` names. */
export function rowOf({ path }: Pick<AppRoute, 'path'>, params: Record<string, string>): string | undefined {
  if (params.uid !== undefined) return userActor(params.uid, null).name;
  const [upToId] = path.split(/(?<=\/:id)(?=\/|$)/) as [string];
  if (params.id === undefined) return undefined;
  return upToId.replace(/:(\w+)/g, (_, name: string) => params[name] ?? '');
}

/** Aborts when the connection is closed before the answer. */
export function closeOf(res: ServerResponse | undefined): AbortSignal {
  const controller = new AbortController();
  if (!res || res.closed) controller.abort();
  else res.once('close', () => controller.abort());
  return controller.signal;
}

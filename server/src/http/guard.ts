// Reads each endpoint's metadata and lets a call pass or not: app key, origin, rate limit, access token. It runs before
// the body is read, so that a stranger costs next to nothing.
import { metadataOf } from '@foyer/contract';
import type { AppRoute } from '@ts-rest/core';
import type { NextFunction, Request, Response } from 'express';
import type { App } from '../apps/app.js';
import type { Deps } from '../deps.js';
import { ApiError } from '../lib/api-error.js';
import type { LiveSession } from '../sessions/find-session.js';
import { findSessionOfToken } from '../sessions/find-session.js';
import { clientIp, networkOf } from './client-ip.js';
import { type RateLimitState, rateLimitHeaders } from './rate-limit.js';

/** Who calls, as the guard found out. */
export type Caller = { app: App; ipAddress: string | null; session: LiveSession | null };

declare global {
  namespace Express {
    interface Request {
      requestId: string;
      tsRestRoute?: AppRoute;
      caller?: Caller;
    }
  }
}

export function guard(deps: Deps) {
  return (req: Request, res: Response, next: NextFunction): void => {
    admit(deps, req, res).then(
      () => next(),
      (error) => next(error),
    );
  };
}

async function admit(deps: Deps, req: Request, res: Response): Promise<void> {
  const route = req.tsRestRoute as AppRoute;
  const { auth, rateLimit } = metadataOf(route);
  if (auth === 'public') return;

  const app = await appOf(deps, req);
  demandAllowedOrigin(app, req, res);
  const ipAddress = clientIp(req);
  res.setHeader('Cache-Control', 'no-store');

  req.caller = { app, ipAddress, session: null };
  if (auth === 'app-key') {
    if (rateLimit === 'auth') show(res, await deps.limiter.take('auth-ip', app, networkOf(ipAddress)));
    if (rateLimit === 'client') show(res, await deps.limiter.take('client', app, networkOf(ipAddress)));
    return;
  }
  req.caller.session = await signedIn(deps, req, res, req.caller);
  show(res, await deps.limiter.take('client', app, req.caller.session.uid));
}

async function signedIn(deps: Deps, req: Request, res: Response, caller: Caller): Promise<LiveSession> {
  const { app, ipAddress } = caller;
  try {
    return await findSessionOfToken(deps, app, bearerOf(req));
  } catch (error) {
    // Nobody is signed in, so the address is counted. An expired token is not: many users share an address, and each of
    // them has one now and then.
    if (error instanceof ApiError && error.code === 'auth/invalid-token') {
      show(res, await deps.limiter.take('client', app, networkOf(ipAddress)));
    }
    throw error;
  }
}

async function appOf(deps: Deps, req: Request): Promise<App> {
  const appKey = req.headers['x-app-key'];
  const app = typeof appKey === 'string' && appKey !== '' ? await deps.apps.byKey(appKey) : null;
  if (!app?.enabled) throw new ApiError('request/invalid-app-key');
  return app;
}

function demandAllowedOrigin(app: App, req: Request, res: Response): void {
  const { origin } = req.headers;
  if (origin === undefined || app.allowedOrigins.length === 0 || app.allowedOrigins.includes(origin)) return;
  res.removeHeader('Access-Control-Allow-Origin');
  res.removeHeader('Access-Control-Expose-Headers');
  throw new ApiError('request/origin-not-allowed');
}

/** Empty where there is none, which opens as little as a wrong one. */
function bearerOf(req: Request): string {
  const [scheme, token, ...more] = (req.headers.authorization ?? '').split(' ');
  return scheme?.toLowerCase() === 'bearer' && token && more.length === 0 ? token : '';
}

function show(res: Response, state: RateLimitState | null): void {
  if (state) for (const [name, value] of Object.entries(rateLimitHeaders(state))) res.setHeader(name, value);
}

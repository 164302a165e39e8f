// Reads each endpoint's metadata and lets a call pass or not: app key, origin, rate limit, access token. It runs before
// the body is read, so that a stranger costs next to nothing.
import {
  type EndpointMetadata,
  type EndpointRateLimit,
  metadataOf,
  type RateLimitPolicy,
} from '@foyer/contract';
import type { AppRoute } from '@ts-rest/core';
import type { NextFunction, Request, Response } from 'express';
import type { App } from '../apps/app.js';
import type { SecretKeyRow } from '../apps/find-secret-key.js';
import { secretKeyOf } from '../apps/find-secret-key.js';
import type { Deps } from '../deps.js';
import { ApiError } from '../lib/api-error.js';
import type { LiveSession } from '../sessions/find-session.js';
import { findSessionOfToken } from '../sessions/find-session.js';
import { signedInRecently } from '../sessions/recent-sign-in.js';
import { clientIp, networkOf } from './client-ip.js';
import { type RateLimitState, rateLimitHeaders } from './rate-limit.js';

/** Who calls, as the guard found out. */
export type Caller = {
  app: App;
  ipAddress: string | null;
  session: LiveSession | null;
  secretKey: SecretKeyRow | null;
};

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
  const metadata = metadataOf(req.tsRestRoute as AppRoute);
  if (metadata.auth === 'public') return;

  const app = await appOf(deps, req);
  const caller: Caller = { app, ipAddress: clientIp(req), session: null, secretKey: null };
  req.caller = caller;
  demandAllowedOrigin(app, req, res);
  res.setHeader('Cache-Control', 'no-store');

  const network = networkOf(caller.ipAddress);
  const byAddress = policiesByAddress[metadata.rateLimit];
  if (byAddress) show(res, await deps.limiter.take(byAddress, app, network));

  if (metadata.auth === 'admin') {
    caller.secretKey = await countingRefusals(deps, res, caller, network, () =>
      secretKeyFor(deps, app, req, metadata),
    );
  } else if (
    metadata.auth === 'signed-in' ||
    (metadata.auth === 'optional-user' && req.headers.authorization)
  ) {
    caller.session = await countingRefusals(deps, res, caller, network, () =>
      findSessionOfToken(deps, app, bearerOf(req)),
    );
  }

  if (caller.secretKey) show(res, await deps.limiter.take('admin', app, caller.secretKey.id));
  if (metadata.rateLimit === 'client') {
    show(res, await deps.limiter.take('client', app, caller.session?.uid ?? network));
  }
  if (metadata.recentSignIn && !signedInRecently(deps, caller))
    throw new ApiError('auth/requires-recent-login');
}

/** A credential that opens nothing is counted by address, since there is nobody else to count it by. */
async function countingRefusals<T>(
  deps: Deps,
  res: Response,
  caller: Caller,
  network: string,
  find: () => Promise<T>,
): Promise<T> {
  try {
    return await find();
  } catch (error) {
    // An expired token is not counted: many users share an address, and each of them has one now and then.
    const counted = error instanceof ApiError && error.code !== 'auth/token-expired';
    if (counted) show(res, await deps.limiter.take('client', caller.app, network));
    throw error;
  }
}

/** Limits that stand before anything is asked of the database. */
const policiesByAddress: Partial<Record<EndpointRateLimit, RateLimitPolicy>> = {
  auth: 'auth-ip',
  exchange: 'exchange-ip',
  'code-send': 'code-send-ip',
};

/** A secret key in a browser is a secret no more: whatever says that it comes from one is refused. */
async function secretKeyFor(
  deps: Deps,
  app: App,
  req: Request,
  metadata: EndpointMetadata,
): Promise<SecretKeyRow> {
  const scheme = /^bearer (sk_\S+)$/i.exec(req.headers.authorization ?? '');
  const secretKey =
    scheme?.[1] && req.headers.origin === undefined ? await secretKeyOf(deps, app.id, scheme[1]) : null;
  if (!secretKey) throw new ApiError('admin/invalid-secret-key');
  if (metadata.scope && !secretKey.scopes.includes(metadata.scope))
    throw new ApiError('admin/insufficient-scope');
  return secretKey;
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

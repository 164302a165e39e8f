// The app of a request, by its app key, and its allowed origins.
import type { Request, Response } from 'express';
import type { Deps } from '../deps.js';
import { ApiError } from '../lib/api-error.js';
import type { App } from '../model/app.js';
import { clientIp } from './client-ip.js';

/** One lookup per request. */
export async function knownApp(
  deps: Pick<Deps, 'apps' | 'credentialGate'>,
  req: Request,
): Promise<App | null> {
  if (req.knownApp === undefined) {
    const appKey = req.headers['x-app-key'];
    req.knownApp = typeof appKey === 'string' && appKey !== '' ? await appByKey(deps, req, appKey) : null;
  }
  return req.knownApp;
}

async function appByKey(
  deps: Pick<Deps, 'apps' | 'credentialGate'>,
  req: Request,
  appKey: string,
): Promise<App | null> {
  const cached = deps.apps.cached(appKey);
  if (cached) return cached;
  const find = async () => {
    const app = await deps.apps.byKey(appKey);
    if (!app) throw new ApiError('request/invalid-app-key');
    return app;
  };
  const presented = { app: null, ipAddress: clientIp(req), credential: appKey };
  return deps.credentialGate.pass(presented, find).catch((error) => {
    if (error instanceof ApiError && error.code === 'request/invalid-app-key') return null;
    throw error;
  });
}

/** `ownOrigin`, if given, is allowed in addition to the app's. */
export function requireAllowedOrigin(app: App, req: Request, res: Response, ownOrigin?: string): void {
  const { origin } = req.headers;
  if (origin === undefined || origin === ownOrigin) return;
  if (app.allowedOrigins.length === 0 || app.allowedOrigins.includes(origin)) return;
  res.removeHeader('Access-Control-Allow-Origin');
  res.removeHeader('Access-Control-Expose-Headers');
  throw new ApiError('request/origin-not-allowed');
}

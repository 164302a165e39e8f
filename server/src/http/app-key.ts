// The app of a request, by its app key, and its allowed origins.
import type { Request, Response } from 'express';
import { clientIp } from '../../engines/http-guard/index.js';
import type { Deps } from '../deps.js';
import { ApiError } from '../lib/api-error.js';
import type { App } from '../model/app.js';
import { allowsOrigin } from './allowed-origins.js';

/** One lookup per request. */
export async function knownApp(
  deps: Pick<Deps, 'apps' | 'credentialGate'>,
  req: Request,
): Promise<App | null> {
  if (req.knownApp === undefined) {
    const appKey = appKeyOf(req.headers['x-app-key']);
    req.knownApp = appKey === null ? null : await appByKey(deps, req, appKey);
  }
  return req.knownApp;
}

/** Returns null if missing. A header that is sent twice, by a client and its proxy, arrives as a list. */
function appKeyOf(header: string | string[] | undefined): string | null {
  const [appKey = '', ...others] = String(header ?? '')
    .split(',')
    .map((part) => part.trim());
  if (others.some((other) => other !== appKey)) return String(header);
  return appKey === '' ? null : appKey;
}

/** Returns null for an unknown key. Each client may send few of them before they are refused without a lookup. */
export async function appByKey(
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
  const presented = { app: null, ip: clientIp(req), credential: appKey };
  return deps.credentialGate.pass(presented, find).catch((error) => {
    if (error instanceof ApiError && error.code === 'request/invalid-app-key') return null;
    throw error;
  });
}

/** `ownOrigin` is allowed in addition to the app's. */
export function requireAllowedOrigin(app: App, req: Request, res: Response, ownOrigin: string): void {
  const { origin } = req.headers;
  if (origin === undefined || origin === ownOrigin) return;
  if (app.allowedOrigins.length === 0 || allowsOrigin(app.allowedOrigins, origin)) return;
  res.removeHeader('Access-Control-Allow-Origin');
  res.removeHeader('Access-Control-Expose-Headers');
  throw new ApiError('request/origin-not-allowed');
}

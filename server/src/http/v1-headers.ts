// The headers of every v1 response once its app has a shutdown date, errors included: `Sunset` (RFC 8594), `Deprecation`
// (RFC 9745) and `Link`. After that date v1 answers 410. The date belongs to the app, so requests without an app key have
// no headers; a disabled app retains its date.
import { v1SwitchedOff } from '@foyer/contract';
import type { NextFunction, Request, Response } from 'express';
import type { Deps } from '../deps.js';
import { secondsOf } from '../lib/timestamp.js';
import { knownApp, requireAllowedOrigin } from './app-key.js';
import type { ApiVersion } from './error-form.js';
/** The headers of v1, for responses that are written to the socket. */
export const v1HeaderNames = ['Sunset', 'Deprecation', 'Link'];

/** The version of an invalid request, by its path or its absolute URL. */
export function versionOfTarget(target: string): ApiVersion {
  return /^(https?:\/\/[^/]*)?\/api\/v1([/?]|$)/.test(target) ? 'v1' : undefined;
}

/** Mounted before anything that can refuse. */
export function inV1(req: Request, _res: Response, next: NextFunction): void {
  req.apiVersion = 'v1';
  next();
}

export function v1Headers(deps: Deps) {
  return (req: Request, res: Response, next: NextFunction): void => {
    req.announced = announce(deps, req, res).then(
      (answered) => {
        if (!answered) next();
      },
      (error) => next(error),
    );
  };
}

/** Returns true if v1 is shut down, which is then the response. */
async function announce(deps: Deps, req: Request, res: Response): Promise<boolean> {
  const app = await knownApp(deps, req);
  const { v1_sunset_at: sunsetAt, v1_deprecated_at: deprecatedAt } = app?.settings ?? {};
  if (!app || !sunsetAt) return false;
  const sunset = new Date(sunsetAt);
  const { baseUrl } = deps.config;
  res.set({
    Sunset: sunset.toUTCString(),
    Deprecation: `@${secondsOf(new Date(deprecatedAt ?? sunsetAt))}`,
    Link: `<${baseUrl}/docs#section/Moving-from-v1>; rel="sunset"; type="text/html", <${baseUrl}/api/v2/openapi.json>; rel="successor-version"; type="application/json"`,
  });
  if (deps.clock.now() < sunset) return false;
  requireAllowedOrigin(app, req, res, baseUrl);
  const { status, message } = v1SwitchedOff;
  res.set('Cache-Control', 'no-store').status(status).json({ message });
  return true;
}

// What every answer of v1 says once its app has a shutdown date, refusals and unknown paths too: `Sunset` (RFC 8594),
// `Deprecation` (RFC 9745) and `Link`. From that second on it is all that v1 answers, with 410. The date is the app's, so
// an answer to a call without the key of an app has nothing to say; an app that is switched off has its date still.
import { v1SwitchedOff } from '@foyer/contract';
import type { NextFunction, Request, Response } from 'express';
import type { Deps } from '../deps.js';
import { secondsOf } from '../lib/timestamp.js';
import { knownApp, requireAllowedOrigin } from './app-key.js';
import type { ApiVersion } from './error-form.js';
/** The headers that v1 adds, for answers that are written by hand. */
export const v1HeaderNames = ['Sunset', 'Deprecation', 'Link'];

/** Of a request that never came to be one: by its path, or by its whole address. */
export function versionOfTarget(target: string): ApiVersion {
  return /^(https?:\/\/[^/]*)?\/api\/v1([/?]|$)/.test(target) ? 'v1' : undefined;
}

/** Before anything that can be refused. */
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

/** True when v1 is off, which is then the answer. */
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
  requireAllowedOrigin(app, req, res);
  const { status, message } = v1SwitchedOff;
  res.set('Cache-Control', 'no-store').status(status).json({ message });
  return true;
}

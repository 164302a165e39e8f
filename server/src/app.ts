// The express application: the order of the middleware, and what is mounted where. It does not listen.
import { contract, v1Contract } from '@foyer/contract';
import { createExpressEndpoints } from '@ts-rest/express';
import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import { type FindUser, guard } from './auth/guard.js';
import { recordAccess } from './auth/record-access.js';
import { sessionUser, v1TokenUser } from './auth/token-user.js';
import type { Deps } from './deps.js';
import { requireHost } from './http/broken-request.js';
import { cors } from './http/cors.js';
import { devMailbox } from './http/dev-mailbox.js';
import { apiDocument, documentEndpoints, documentPages, pageEndpoints } from './http/documents.js';
import { errorHandler } from './http/error-handler.js';
import { forwardedHeaderWarning } from './http/forwarded-warning.js';
import { health, probes } from './http/health.js';
import { sendJson } from './http/json-answer.js';
import { jsonBody } from './http/json-body.js';
import { endpointsOf, noSuchRoute } from './http/no-such-route.js';
import { countRefusedRefreshes } from './http/refused-refreshes.js';
import { requestLog } from './http/request-log.js';
import { withErrorMap } from './http/request-schemas.js';
import { plainAddress } from './http/storable.js';
import { inV1, v1Headers } from './http/v1-headers.js';
import { withIdempotency } from './idempotency/idempotency-key.js';
import { rooms, v1Rooms } from './router.js';

export type AppOptions = {
  /** Checks every answer against the contract before it is sent: for tests, where a wrong answer is to be a failure. */
  validateAnswers?: boolean;
};

export function createApp(deps: Deps, options: AppOptions = {}): Express {
  const app = express();
  sendJson(app, deps.byteBudget);
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('trust proxy', deps.config.trustProxy);
  app.enable('case sensitive routing');

  app.use(nosniff);
  app.use('/api/v1', inV1);
  app.use(requestLog(deps));
  if (deps.config.trustProxy === false) app.use(forwardedHeaderWarning(deps.logger));
  // Before CORS: no other page may read what was mailed.
  app.use(devMailbox(deps));
  app.use(cors);

  const endpoints = (findUser: FindUser) => ({
    logInitialization: false,
    responseValidation: options.validateAnswers ?? false,
    globalMiddleware: [guard(deps, findUser), plainAddress, recordAccess(deps), jsonBody(deps.byteBudget)],
    requestValidationErrorHandler: (error: Error, _req: Request, _res: Response, next: NextFunction) =>
      next(error),
  });
  const v1 = express.Router({ caseSensitive: true, strict: true });
  // The document belongs to no app, and may be cached: no shutdown date is in its answer.
  v1.use(apiDocument(deps.config, 'v1'));
  v1.use(v1Headers(deps));
  v1.use(requireHost);
  createExpressEndpoints(withErrorMap(v1Contract), v1Rooms(deps), v1, endpoints(v1TokenUser(deps)));
  v1.use(noSuchRoute([...endpointsOf(v1Contract), ...documentEndpoints]));
  app.use('/api/v1', v1);

  app.use(requireHost);
  const v2 = express.Router({ caseSensitive: true, strict: true });
  const v2Rooms = withIdempotency(deps, contract, rooms(deps));
  createExpressEndpoints(withErrorMap(contract), v2Rooms, v2, endpoints(sessionUser(deps)));
  v2.use(countRefusedRefreshes(deps));
  v2.use(apiDocument(deps.config, 'v2'));
  v2.use(noSuchRoute([...endpointsOf(contract), ...documentEndpoints]));
  app.use('/api/v2', v2);

  app.use(health(deps));
  app.use(documentPages(deps.config));
  app.use(noSuchRoute([...probes, ...pageEndpoints]));
  app.use(errorHandler(deps.logger));
  return app;
}

/** A browser must not take an answer for anything but its `Content-Type`. */
function nosniff(_req: Request, res: Response, next: NextFunction): void {
  res.setHeader('X-Content-Type-Options', 'nosniff');
  next();
}

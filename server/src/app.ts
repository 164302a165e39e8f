// The express application: the order of the middleware, and what is mounted where. It does not listen.
import { contract } from '@foyer/contract';
import { createExpressEndpoints } from '@ts-rest/express';
import express, { type Express } from 'express';
import type { Deps } from './deps.js';
import { demandHost } from './http/broken-request.js';
import { cors } from './http/cors.js';
import { devMailbox } from './http/dev-mailbox.js';
import { apiDocument, documentEndpoints, documentPages, pageEndpoints } from './http/documents.js';
import { errorHandler } from './http/error-handler.js';
import { forwardedHeaderWarning } from './http/forwarded-warning.js';
import { guard } from './http/guard.js';
import { health, probes } from './http/health.js';
import { jsonBody } from './http/json-body.js';
import { endpointsOf, noSuchRoute } from './http/no-such-route.js';
import { requestLog } from './http/request-log.js';
import { plainAddress } from './http/storable.js';
import { rooms } from './router.js';

export type AppOptions = {
  /** Checks every answer against the contract before it is sent: for tests, where a wrong answer is to be a failure. */
  validateAnswers?: boolean;
};

export function createApp(deps: Deps, options: AppOptions = {}): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('trust proxy', deps.config.trustProxy);
  app.enable('case sensitive routing');

  app.use(requestLog(deps));
  if (deps.config.trustProxy === false) app.use(forwardedHeaderWarning(deps.logger));
  // Before CORS: no other page may read what was mailed.
  app.use(devMailbox(deps));
  app.use(cors);
  app.use(demandHost);

  const api = express.Router({ caseSensitive: true, strict: true });
  createExpressEndpoints(contract, rooms(deps), api, {
    logInitialization: false,
    responseValidation: options.validateAnswers ?? false,
    globalMiddleware: [guard(deps), plainAddress, jsonBody],
    requestValidationErrorHandler: (error, _req, _res, next) => next(error),
  });
  api.use(apiDocument(deps.config));
  api.use(noSuchRoute([...endpointsOf(contract), ...documentEndpoints]));
  app.use('/api/v2', api);

  app.use(health(deps));
  app.use(documentPages());
  app.use(noSuchRoute([...probes, ...pageEndpoints]));
  app.use(errorHandler(deps.logger));
  return app;
}

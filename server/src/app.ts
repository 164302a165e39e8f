// The Express application: the order of middleware and the mount points. It does not listen.
import { contract, mailLanguages, v1Contract } from '@foyer/contract';
import { createExpressEndpoints } from '@ts-rest/express';
import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import { forwardedHeaderWarning, requireHost, trustProxies } from '../engines/http-guard/index.js';
import { authorizedAfter } from './auth/after-body.js';
import { guard } from './auth/guard.js';
import { recordAccess } from './auth/record-access.js';
import { ownerSeen } from './console/has-owner.js';
import type { Deps } from './deps.js';
import { accountPage, accountPath } from './http/account-page.js';
import { cors } from './http/cors.js';
import { dashboard, dashboardPath } from './http/dashboard.js';
import { devMailbox, mailboxPath, mailboxSecret } from './http/dev-mailbox.js';
import { apiDocument, documentEndpoints, documentPages, pageEndpoints } from './http/documents.js';
import { errorHandler } from './http/error-handler.js';
import { exactPaths } from './http/exact-paths.js';
import { health, probes } from './http/health.js';
import { inOrder } from './http/in-order.js';
import { sendJson } from './http/json-answer.js';
import { jsonBody } from './http/json-body.js';
import { endpointsOf, leaveOptions, noSuchRoute } from './http/no-such-route.js';
import { countRefusedRefreshes } from './http/refused-refreshes.js';
import { requestLog } from './http/request-log.js';
import { withErrorMap } from './http/request-schemas.js';
import { inRequestSpan, requestSpan } from './http/request-span.js';
import { site } from './http/site.js';
import { plainAddress } from './http/storable.js';
import { inV1, v1Headers } from './http/v1-headers.js';
import { wakeBackground } from './http/wake-background.js';
import { turnOfBody, withTurns } from './http/with-turns.js';
import { withIdempotency } from './idempotency/idempotency-key.js';
import { chosenLanguage, directionOf } from './mail/language.js';
import { routers, v1Routers } from './router.js';

export function createExpressApp(deps: Deps): Express {
  const app = express();
  sendJson(app, deps.byteBudget);
  app.disable('x-powered-by');
  app.disable('etag');
  trustProxies(app, deps.config.trustProxy);
  app.enable('case sensitive routing');

  app.use(
    inOrder(
      ...[nosniff, requestLog(deps)],
      ...(deps.tracing ? [requestSpan(deps.tracing)] : []),
      wakeBackground(deps),
      forwardedHeaderWarning(deps.logger, deps.config.trustProxy !== false),
    ),
  );
  // Mounted before CORS, so that no other origin can read the mails and the pages.
  if (deps.mailer.mailbox) app.use(mailboxPath, devMailbox(deps.mailer.mailbox, mailboxSecret(deps)));
  const hasOwner = ownerSeen(deps);
  app.use(dashboardPath, dashboard({ ...deps, hasOwner }));
  app.use(accountPath, accountPage({ ...deps, languageFor }));
  app.use(cors);

  const endpoints = {
    logInitialization: false,
    // Validation would send the parsed answer, without the keys that its schema does not know. Tests judge what is sent.
    responseValidation: false,
    globalMiddleware: [
      inOrder(
        ...[guard(deps), plainAddress, recordAccess(deps)],
        authorizedAfter(jsonBody(deps.byteBudget, (req, res) => turnOfBody(deps.turns, req, res))),
        ...(deps.tracing ? [inRequestSpan] : []),
      ),
    ],
    requestValidationErrorHandler: (error: Error, _req: Request, _res: Response, next: NextFunction) =>
      next(error),
  };
  const v1 = express.Router({ caseSensitive: true, strict: true });
  v1.use(inV1);
  // Mounted before v1Headers: the document belongs to no app and is cacheable, so it has no shutdown date.
  v1.use(apiDocument(deps.config, 'v1'));
  v1.use(v1Headers(deps));
  v1.use(requireHost);
  const v1TurnRouters = withTurns(deps.turns, v1Contract, v1Routers(deps));
  createExpressEndpoints(withErrorMap(v1Contract), v1TurnRouters, v1, endpoints);
  v1.use(noSuchRoute([...endpointsOf(v1Contract), ...documentEndpoints('v1')]));
  app.use('/api/v1', v1);

  app.use(requireHost);
  const v2 = express.Router({ caseSensitive: true, strict: true });
  // Deferred, so that the event loop first reads every ready socket: one poll then serves many requests, which saves a tenth
  // of the processor time of a small one.
  v2.use((_req, _res, next) => void setImmediate(next));
  // Outermost: a call that waits has not claimed its idempotency key yet.
  const v2Routers = withTurns(deps.turns, contract, withIdempotency(deps, contract, routers(deps)));
  const v2Endpoints = express.Router({ caseSensitive: true, strict: true });
  v2Endpoints.use(leaveOptions);
  createExpressEndpoints(withErrorMap(contract), v2Routers, v2Endpoints, endpoints);
  v2.use(exactPaths(v2Endpoints), v2Endpoints);
  v2.use(countRefusedRefreshes(deps));
  v2.use(apiDocument(deps.config, 'v2'));
  v2.use(noSuchRoute([...endpointsOf(contract), ...documentEndpoints('v2')]));
  app.use('/api/v2', v2);

  app.use(health(deps));
  const guides = site(deps.config);
  app.use(guides.router);
  app.use(documentPages(deps.config, { hasMailbox: Boolean(deps.mailer.mailbox), hasOwner }));
  app.use(noSuchRoute([...probes, ...pageEndpoints, ...guides.endpoints]));
  app.use(errorHandler(deps));
  return app;
}

/** Pages are in the languages of the mails. */
function languageFor(acceptLanguage: string | undefined) {
  const language = chosenLanguage(acceptLanguage, mailLanguages) ?? 'en';
  return { language, direction: directionOf(language) };
}

function nosniff(_req: Request, res: Response, next: NextFunction): void {
  res.setHeader('X-Content-Type-Options', 'nosniff');
  next();
}

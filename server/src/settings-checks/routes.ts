// HTTP of previews and checks of an app's settings.
import { contract, type MailedTo } from '@foyer/contract';
import { initServer } from '@ts-rest/express';
import type { Deps } from '../deps.js';
import { actorOf, callerOf, memberOf } from '../http/caller.js';
import { ok } from '../http/data-answer.js';
import { storeResponse } from '../idempotency/idempotency-key.js';
import { checkProvider } from '../identities/check-provider.js';
import { previewMail, testMail } from './mail-drafts.js';

export function settingsCheckRoutes(deps: Deps) {
  return initServer().router(contract.settingsChecks, {
    previewMail: async ({ req, body }) => ok(await previewMail(deps, callerOf(req).app.id, body)),
    testMail: async ({ req, body }) => {
      const { uid, session } = memberOf(req);
      const member = { uid, email: session.email };
      const store = storeResponse(req, ok<MailedTo>);
      return ok(await testMail(deps, callerOf(req).app.id, body, member, actorOf(req), store));
    },
    checkProvider: async ({ req, body }) =>
      ok(await checkProvider(deps, callerOf(req).app.id, body.provider)),
  });
}

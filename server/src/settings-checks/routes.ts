// HTTP of previews and checks of an app's settings.
import { contract } from '@foyer/contract';
import { initServer } from '@ts-rest/express';
import type { Deps } from '../deps.js';
import { actorOf, callerOf, memberOf } from '../http/caller.js';
import { checkProvider } from '../identities/check-provider.js';
import { previewMail, testMail } from './mail-drafts.js';

export function settingsCheckRoutes(deps: Deps) {
  return initServer().router(contract.settingsChecks, {
    previewMail: async ({ req, body }) => ({
      status: 200,
      body: { data: await previewMail(deps, callerOf(req).app.id, body) },
    }),
    testMail: async ({ req, body }) => {
      const { uid, session } = memberOf(req);
      await testMail(deps, callerOf(req).app.id, body, { uid, email: session.email }, actorOf(req));
      return { status: 200, body: { data: { to: session.email } } };
    },
    checkProvider: async ({ req, body }) => ({
      status: 200,
      body: { data: await checkProvider(deps, callerOf(req).app.id, body.provider) },
    }),
  });
}

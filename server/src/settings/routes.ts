// HTTP of an app's settings, of their previews and of their checks.
import { contract, type MailedTo } from '@foyer/contract';
import { initServer } from '@ts-rest/express';
import type { Deps } from '../deps.js';
import { callOf } from '../http/call.js';
import { ok } from '../http/data-answer.js';
import { requireMayChangeSettings } from '../http/demands.js';
import { storeResponse } from '../idempotency/idempotency-key.js';
import { changeSettingsOf } from './change-settings-of.js';
import { checkPasskeys } from './check-passkeys.js';
import { checkProvider } from './check-provider.js';
import { withKeyFaults } from './key-faults.js';
import { previewMail, testMail } from './mail-drafts.js';
import { serializeSettings } from './settings.js';

export function settingsRoutes(deps: Deps) {
  return initServer().router(contract.apps, {
    getSettings: async ({ req }) => {
      // Read again: the guard's copy may be a few seconds old.
      const app = await deps.apps.fresh(callOf(req).app.id);
      return ok(await withKeyFaults(deps, app.id, serializeSettings(app)));
    },
    updateSettings: async ({ req, body }) => {
      const call = callOf(req);
      await requireMayChangeSettings(deps, call, body);
      const settings = await changeSettingsOf(deps, call, body);
      return ok(await withKeyFaults(deps, call.app.id, settings));
    },
  });
}

export function settingsCheckRoutes(deps: Deps) {
  return initServer().router(contract.settingsChecks, {
    previewMail: async ({ req, body }) => ok(await previewMail(deps, callOf(req).app.id, body)),
    testMail: async ({ req, body }) => {
      const store = storeResponse(req, ok<MailedTo>);
      return ok(await testMail(deps, callOf(req), body, store));
    },
    checkProvider: async ({ req, body }) => ok(await checkProvider(deps, callOf(req).app.id, body.provider)),
    checkPasskeys: async ({ req }) => ok(await checkPasskeys(deps, callOf(req).app.id)),
  });
}

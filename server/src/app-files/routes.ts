// Routes of the app as files.
import { type AppFilesChange, contract, isAuditType } from '@foyer/contract';
import { initServer } from '@ts-rest/express';
import type { Deps } from '../deps.js';
import { callOf } from '../http/call.js';
import { ok } from '../http/data-answer.js';
import { requireMayChangeSettings, requireScope } from '../http/demands.js';
import type { Call } from '../model/call.js';
import { changeSettingsOf } from '../settings/change-settings-of.js';
import { applyGroup } from './apply-group.js';
import { readAppFiles } from './read-app-files.js';

export function appFileRoutes(deps: Deps) {
  return initServer().router(contract.appFiles, {
    read: async ({ req }) => {
      const call = callOf(req);
      for (const scope of ['config:read', 'data:manage', 'webhooks:manage'] as const) {
        requireScope(deps, call, scope, ['files']);
      }
      return ok(await readAppFiles(deps, call.app.id));
    },
    apply: async ({ req, body }) => {
      const call = callOf(req);
      requireScopesOf(deps, call, body);
      if (body.settings) await requireMayChangeSettings(deps, call, body.settings);
      return ok(
        await applyGroup(deps, call, body, (patch, requireCurrent) =>
          changeSettingsOf(deps, call, patch, requireCurrent),
        ),
      );
    },
  });
}

function requireScopesOf(
  deps: Deps,
  call: Call,
  { remote_config, collections, webhooks }: AppFilesChange,
): void {
  if (remote_config) requireScope(deps, call, 'config:write', ['remote_config']);
  if (collections) requireScope(deps, call, 'data:manage', ['collections']);
  if (!webhooks) return;
  requireScope(deps, call, 'webhooks:manage', ['webhooks']);
  requireScope(deps, call, 'users:read', ['webhooks']);
  if (webhooks.some(({ types }) => types.some(isAuditType))) {
    requireScope(deps, call, 'audit:read', ['webhooks']);
  }
}

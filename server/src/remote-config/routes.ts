// Routes of the remote config: values for apps, administration for the team.
import { contract } from '@foyer/contract';
import { initServer } from '@ts-rest/express';
import type { Deps } from '../deps.js';
import { callOf } from '../http/call.js';
import { ok } from '../http/data-answer.js';
import { hasCurrent, notModified } from '../http/json-answer.js';
import { storeResponse } from '../idempotency/idempotency-key.js';
import { replaceConfig, rollBackConfig } from './change-config.js';
import { contentOf, currentTag } from './current-config.js';
import { etagOf, listVersions, serializeConfig } from './read-config.js';
import { findNewestVersion, findVersion, type VersionRow } from './store.js';

export function remoteConfigRoutes(deps: Deps) {
  return initServer().router(contract.remoteConfig, {
    get: async ({ req, res, headers }) => {
      const { app } = callOf(req);
      const tag = await currentTag(deps, app);
      // The values do not depend on a user: they may be cached, with revalidation each time.
      res.setHeader('Cache-Control', 'no-cache');
      res.vary('X-App-Key');
      if (hasCurrent(res, headers['if-none-match'], etagOf(tag))) return notModified;
      const content = await contentOf(deps, app, tag);
      res.setHeader('ETag', etagOf(content));
      return ok(content.delivered);
    },
  });
}

export function configVersionRoutes(deps: Deps) {
  return initServer().router(contract.configVersions, {
    current: async ({ req, res, headers }) => {
      const row = await findNewestVersion(deps.prisma, callOf(req).app.id);
      if (hasCurrent(res, headers['if-none-match'], etagOf(row))) return notModified;
      return configured(row);
    },
    replace: async ({ req, res, headers, query, body }) => {
      const change = {
        parameters: body.parameters,
        note: body.note || null,
        ifMatch: headers['if-match'],
        validateOnly: query.validate_only === 'true',
      };
      const { row, etag } = await replaceConfig(deps, callOf(req), change);
      res.setHeader('ETag', etag);
      return configured(row);
    },
    list: async ({ req, query }) => {
      return ok(await listVersions(deps, callOf(req).app.id, query));
    },
    get: async ({ req, params }) =>
      configured(await findVersion(deps.prisma, callOf(req).app.id, params.version)),
    rollback: async ({ req, res, headers, body }) => {
      const to = { version: body.version, ifMatch: headers['if-match'] };
      const store = storeResponse(req, (row: VersionRow) => ({
        ...configured(row),
        headers: { ETag: etagOf(row) },
      }));
      const row = await rollBackConfig(deps, callOf(req), to, store);
      res.setHeader('ETag', etagOf(row));
      return configured(row);
    },
  });
}

function configured(row: VersionRow) {
  return ok(serializeConfig(row));
}

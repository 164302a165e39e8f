// Routes of files: upload, metadata, URLs, content, and the list for the backend.
import { Readable } from 'node:stream';
import { contract } from '@foyer/contract';
import { initServer } from '@ts-rest/express';
import type { Request, Response } from 'express';
import { clientIp } from '../../engines/http-guard/index.js';
import type { Deps } from '../deps.js';
import { callOf } from '../http/call.js';
import { created, noContent, ok } from '../http/data-answer.js';
import { requireScope } from '../http/demands.js';
import { unknownIds } from '../http/unknown-ids.js';
import { matchesIfNoneMatch } from '../lib/etag.js';
import { timestamp } from '../lib/timestamp.js';
import type { Actor } from '../model/actor.js';
import { actsForApp, type Call } from '../model/call.js';
import type { FileRow } from './columns.js';
import { publicUrl, signedUrl } from './content-url.js';
import { deleteFile } from './delete-file.js';
import { findReadableFile, listFiles, serializeFile } from './find-file.js';
import { type Conditions, type FindUnsigned, readBytes } from './read-bytes.js';
import { isUserExport } from './store.js';
import { uploadFile } from './upload-file.js';

export function fileRoutes(deps: Deps) {
  const { baseUrl } = deps.config;
  return initServer().router(contract.files, {
    upload: async ({ req }) => {
      const file = await uploadFile(deps, callOf(req), req);
      return created(serializeFile(baseUrl, file));
    },
    get: async ({ req, params }) => {
      const file = await findReadableFile(deps, callOf(req), params.id);
      return ok(serializeFile(baseUrl, file));
    },
    url: async ({ req, params, query }) => {
      const file = await findReadableFile(deps, callOf(req), params.id);
      await requireScopesOfExport(deps, callOf(req), file);
      const by = actsForApp(callOf(req)) ? callOf(req).actor : undefined;
      const download = query.download === 'true';
      const wanted = { expiresInSeconds: query.expires_in, download, by: by?.name };
      const { url, expiresAt } = signedUrl(deps, file, wanted);
      if (by) recordUrl(deps, file, by);
      const data = { url, expires_at: timestamp(expiresAt), public_url: publicUrl(baseUrl, file) };
      return ok(data);
    },
    delete: async ({ req, params }) => {
      await deleteFile(deps, callOf(req), params.id);
      return noContent;
    },
  });
}

export function fileBytesRoutes(deps: Deps) {
  const unknown = unknownIds(deps.clock, deps.config.rateLimits);
  return initServer().router(contract.fileBytes, {
    read: async ({ req, res, params, query }) => {
      const ids = { appId: params.app_id, fileId: params.id };
      const findUnsigned: FindUnsigned = (look) =>
        unknown.find(clientIp(req), `${ids.appId} ${ids.fileId}`, look);
      const answer = await readBytes(deps, ids, query, { ...conditionsOf(req), findUnsigned });
      // `set` would add a charset to text types.
      for (const [name, value] of Object.entries(answer.headers)) res.setHeader(name, value);
      const { status } = answer;
      if (status === 302) return { status, body: undefined };
      if (status === 304) return { status, body: undefined };
      const body = answer.bytes ? sentTo(res, answer.bytes) : Readable.from([]);
      return status === 206 ? { status, body } : { status, body };
    },
  });
}

export function allFilesRoutes(deps: Deps) {
  return initServer().router(contract.allFiles, {
    list: async ({ req, query }) => {
      const filters = { ownerId: query.owner_uid, visibility: query.visibility };
      const data = await listFiles(deps, callOf(req).app, filters, query);
      return ok(data);
    },
  });
}

/** What an export contains can be read with these; a secret key for files has no right to the rest. */
const scopesOfExport = ['users:read', 'data:read', 'push:read', 'loyalty:read', 'audit:read'] as const;

async function requireScopesOfExport(deps: Deps, call: Call, file: FileRow): Promise<void> {
  const missing = scopesOfExport.filter((scope) => call.secretKey && !call.secretKey.scopes.includes(scope));
  if (missing.length === 0 || !(await isUserExport(deps.query, file))) return;
  for (const scope of missing) requireScope(deps, call, scope, ['id']);
}

/** A member's URLs by file; those of a secret key once a minute, since a backend may create thousands. */
function recordUrl(deps: Pick<Deps, 'auditBuffer'>, { appId, id }: FileRow, by: Actor): void {
  const target = by.name.startsWith('member:') ? `file:${id}` : by.name;
  const action = 'file.url_created' as const;
  deps.auditBuffer.add({
    appId,
    actor: by,
    action,
    target,
    onceAMinute: `${action} ${by.name}`,
    details: {},
  });
}

function conditionsOf(req: Request): Conditions {
  return {
    head: req.method === 'HEAD',
    ranges(size) {
      const ranges = req.range(size, { combine: true });
      // A suffix range longer than the file selects all of it (RFC 9110, 14.1.2).
      if (ranges === -1 && size > 0 && /^bytes=-0*[1-9]\d*$/.test(req.get('Range') ?? '')) {
        return [{ start: 0, end: size - 1 }];
      }
      if (ranges === undefined || (Array.isArray(ranges) && ranges.type !== 'bytes')) return 'none';
      if (ranges === -1) return 'unsatisfiable';
      return ranges === -2 ? 'malformed' : ranges;
    },
    ifRange: req.get('If-Range'),
    // Express's `fresh` ignores conditions when fetch adds `no-cache` to them.
    has: (etag) => matchesIfNoneMatch(req.get('If-None-Match'), etag),
  };
}

/** Closes the file when the client disconnects, and the connection when reading fails, so that a truncated response is detected. */
function sentTo(res: Response, bytes: Readable): Readable {
  // The client may have disconnected before the file was open.
  if (res.destroyed) bytes.destroy();
  res.on('close', () => bytes.destroy());
  bytes.on('error', () => res.destroy());
  return bytes;
}

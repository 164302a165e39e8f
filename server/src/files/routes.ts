// Routes of files: upload, metadata, URLs, content, and the list for the backend.
import { Readable } from 'node:stream';
import { contract } from '@foyer/contract';
import { initServer } from '@ts-rest/express';
import type { Request, Response } from 'express';
import type { Deps } from '../deps.js';
import { actorOf, actsForApp, callerOf, userIdsOf } from '../http/caller.js';
import { created, noContent, ok } from '../http/data-answer.js';
import { matchesIfNoneMatch } from '../lib/http/etag.js';
import { timestamp } from '../lib/timestamp.js';
import { publicUrl, signedUrl } from './content-url.js';
import { deleteFile } from './delete-file.js';
import { findReadableFile, listFiles, type Reader, serializeFile } from './find-file.js';
import { type Conditions, readBytes } from './read-bytes.js';
import { uploadFile } from './upload-file.js';

export function fileRoutes(deps: Deps) {
  const { baseUrl } = deps.config;
  return initServer().router(contract.files, {
    upload: async ({ req }) => {
      const file = await uploadFile(deps, callerOf(req), writerOf(req), req);
      return created(serializeFile(baseUrl, file));
    },
    get: async ({ req, params }) => {
      const file = await findReadableFile(deps, callerOf(req).app, readerOf(req), params.id);
      return ok(serializeFile(baseUrl, file));
    },
    url: async ({ req, params, query }) => {
      const file = await findReadableFile(deps, callerOf(req).app, readerOf(req), params.id);
      const wanted = { expiresInSeconds: query.expires_in, download: query.download === 'true' };
      const { url, expiresAt } = signedUrl(deps, file, wanted);
      const data = { url, expires_at: timestamp(expiresAt), public_url: publicUrl(baseUrl, file) };
      return ok(data);
    },
    delete: async ({ req, params }) => {
      await deleteFile(deps, callerOf(req).app, writerOf(req), params.id);
      return noContent;
    },
  });
}

export function fileBytesRoutes(deps: Deps) {
  return initServer().router(contract.fileBytes, {
    read: async ({ req, res, params, query }) => {
      const ids = { appId: params.app_id, fileId: params.id };
      const answer = await readBytes(deps, ids, query, conditionsOf(req));
      // Not `set`, which adds a charset to text types.
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
      const data = await listFiles(deps, callerOf(req).app, filters, query);
      return ok(data);
    },
  });
}

/** The user of the call; or the backend or member as an actor of the audit log. */
function writerOf(req: Parameters<typeof callerOf>[0]) {
  if (callerOf(req).session === null) return { actor: actorOf(req) };
  const { uid, sessionId } = userIdsOf(req);
  return { uid, sessionId };
}

function readerOf(req: Parameters<typeof callerOf>[0]): Reader {
  const caller = callerOf(req);
  return { uid: caller.session?.uid ?? null, backend: actsForApp(caller) };
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
    // Not express's `fresh`, which ignores conditions when fetch adds `no-cache` to them.
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

// The bytes of a file by its address: what is answered, and with which headers. The row is asked for each time, so that
// deleting a file, or switching its app off, acts at once.
import type { Readable } from 'node:stream';
import { create as contentDisposition } from 'content-disposition';
import type { Deps } from '../deps.js';
import { ApiError } from '../lib/api-error.js';
import { isSigned, type SignedParameters } from './address.js';
import { judgeAddress, judgeRange, type Range } from './address-rules.js';
import { type FileRow, findFileOfEnabledApp } from './store.js';
import { isShown } from './type-rules.js';

export type Conditions = {
  /** No body is wanted. */
  head: boolean;
  ranges(size: number): readonly Range[] | 'malformed' | 'unsatisfiable' | 'none';
  ifRange: string | undefined;
  /** The client has the bytes with this ETag already. */
  has(etag: string): boolean;
};

export type BytesAnswer = {
  status: 200 | 206 | 302 | 304;
  headers: Record<string, string>;
  /** Null where none are sent. */
  bytes: Readable | null;
};

export async function readBytes(
  deps: Pick<Deps, 'query' | 'keyRing' | 'clock' | 'fileStore' | 'logger'>,
  ids: { appId: string; fileId: string },
  parameters: SignedParameters,
  conditions: Conditions,
): Promise<BytesAnswer> {
  const file = await fileAt(deps, ids, parameters);
  const etag = `"${Buffer.from(file.sha256).toString('hex')}"`;
  const headers = headersOf(file, etag);
  if (conditions.has(etag)) return { status: 304, headers, bytes: null };

  const disposition = dispositionOf(file, parameters.download === 'true');
  const part = judgeRange(
    { ranges: conditions.head ? 'none' : conditions.ranges(file.size), ifRange: conditions.ifRange },
    etag,
  );
  if (part === 'unsatisfiable') {
    throw new ApiError('files/range-not-satisfiable', {
      headers: { 'Content-Range': `bytes */${file.size}` },
    });
  }
  const range = part === 'all' ? null : part;
  const bodyHeaders: Record<string, string> = {
    ...headers,
    'Content-Type': file.contentType,
    'Content-Disposition': disposition,
    'Content-Length': String(range ? range.end - range.start + 1 : file.size),
    ...(range && { 'Content-Range': `bytes ${range.start}-${range.end}/${file.size}` }),
  };
  if (conditions.head) return { status: 200, headers: bodyHeaders, bytes: null };

  const as = { range, contentType: file.contentType, disposition };
  const opened = await deps.fileStore.open({ appId: file.appId, fileId: file.id }, as);
  if (opened === null) {
    // Deleted a moment ago; or the files lie elsewhere than the service was told.
    deps.logger.warn({ app_id: file.appId, file_id: file.id }, 'the bytes of a file are not in the store');
    throw new ApiError('files/not-found');
  }
  if ('address' in opened) {
    return { status: 302, headers: { Location: opened.address, 'Cache-Control': 'no-store' }, bytes: null };
  }
  return { status: range ? 206 : 200, headers: bodyHeaders, bytes: opened.bytes };
}

async function fileAt(
  deps: Pick<Deps, 'query' | 'keyRing' | 'clock'>,
  { appId, fileId }: { appId: string; fileId: string },
  parameters: SignedParameters,
): Promise<FileRow> {
  const signed = isSigned(deps, { appId, id: fileId }, parameters);
  const verdict = judgeAddress(parameters, signed, deps.clock.now());
  if (verdict === 'invalid') throw new ApiError('files/invalid-signature');
  if (verdict === 'expired') throw new ApiError('files/url-expired');
  const file = await findFileOfEnabledApp(deps.query, appId, fileId);
  if (!file || (verdict === 'unsigned' && file.visibility !== 'public'))
    throw new ApiError('files/not-found');
  return file;
}

/** Whatever a browser makes of the bytes, it makes it without scripts, without our origin, and never of another type. */
function headersOf(file: FileRow, etag: string): Record<string, string> {
  return {
    ETag: etag,
    'Accept-Ranges': 'bytes',
    // A deleted file is gone at once: a copy may be kept, but is asked for each time.
    'Cache-Control': file.visibility === 'public' ? 'public, no-cache' : 'private, no-store',
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': "sandbox; default-src 'none'",
    'Cross-Origin-Resource-Policy': 'cross-origin',
  };
}

function dispositionOf(file: FileRow, download: boolean): string {
  const type = isShown(file.contentType) && !download ? 'inline' : 'attachment';
  return contentDisposition(file.name, { type });
}

// Serves the content of a file: status, headers and bytes. Reads the row each time, so that deleting a file or disabling its
// app takes effect at once.
import type { Readable } from 'node:stream';
import { create as contentDisposition } from 'content-disposition';
import type { Deps } from '../deps.js';
import { ApiError } from '../lib/api-error.js';
import type { FileRow } from './columns.js';
import { checkSignedUrl, type Range, selectRange } from './content-rules.js';
import { isSigned, type SignedParameters, signerOf } from './content-url.js';
import { findFileOfEnabledApp, isSignerActive } from './store.js';
import { isInlineType } from './type-rules.js';

export type Conditions = {
  /** A HEAD request. */
  head: boolean;
  ranges(size: number): readonly Range[] | 'malformed' | 'unsatisfiable' | 'none';
  ifRange: string | undefined;
  /** The client has the bytes with this ETag already. */
  has(etag: string): boolean;
};

/** Bounds the lookups of files by ids that anybody can make up. A signature cannot be made up. */
export type FindUnsigned = (look: () => Promise<FileRow | null>) => Promise<FileRow | null>;

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
  { findUnsigned, ...conditions }: Conditions & { findUnsigned: FindUnsigned },
): Promise<BytesAnswer> {
  const file = await fileAt(deps, ids, parameters, findUnsigned);
  const etag = `"${Buffer.from(file.sha256).toString('hex')}"`;
  const headers = headersOf(file, etag);
  if (conditions.has(etag)) return { status: 304, headers, bytes: null };

  const disposition = dispositionOf(file, parameters.download === 'true');
  const part = selectRange(
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
    // Deleted concurrently, or the file store is configured with the wrong location.
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
  findUnsigned: FindUnsigned,
): Promise<FileRow> {
  const signed = isSigned(deps, { appId, id: fileId }, parameters);
  const now = deps.clock.now();
  const verdict = checkSignedUrl(parameters, signed, now);
  if (verdict === 'invalid') throw new ApiError('files/invalid-signature');
  if (verdict === 'expired') throw new ApiError('files/url-expired');
  // A URL does not outlive the rights of the key or the member that asked for it.
  if (
    parameters.by !== undefined &&
    !(await isSignerActive(deps.query, signerOf(parameters.by), { appId, now }))
  )
    throw new ApiError('files/url-expired');
  const find = (signedBy: 'nobody' | 'owner' | 'app') =>
    findFileOfEnabledApp(deps.query, { appId, fileId }, signedBy);
  const findPublic = async () => {
    const file = await find('nobody');
    return file?.visibility === 'public' ? file : null;
  };
  const signedBy = parameters.by === undefined ? 'owner' : 'app';
  const file = await (verdict === 'valid' ? find(signedBy) : findUnsigned(findPublic));
  if (!file) throw new ApiError('files/not-found');
  return file;
}

/** Browsers must render user content without scripts, without this origin, and without sniffing its type. */
function headersOf(file: FileRow, etag: string): Record<string, string> {
  return {
    ETag: etag,
    'Accept-Ranges': 'bytes',
    // Caches must revalidate, so that a deleted file disappears at once.
    'Cache-Control': file.visibility === 'public' ? 'public, no-cache' : 'private, no-store',
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': "sandbox; default-src 'none'",
    'Cross-Origin-Resource-Policy': 'cross-origin',
  };
}

function dispositionOf(file: FileRow, download: boolean): string {
  const type = isInlineType(file.contentType) && !download ? 'inline' : 'attachment';
  return contentDisposition(file.name, { type });
}

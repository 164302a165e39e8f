// Files in an S3-compatible service: small files in one request, larger ones as multipart upload that buffers one part.
import { S3mini, S3ServiceError } from 's3mini';
import { systemClock } from '../../src/lib/clock.js';
import { type FileKey, type FileStore, orUnavailable, type S3Options } from './file-store.js';
import { presignedUrl } from './s3-presigned-url.js';

/** The S3 minimum for a part that is not the last. */
const partBytes = 5 * 1_024 * 1_024;
const requestMilliseconds = 60_000;
/** The lifetime of a presigned URL: enough to follow a redirect. */
const urlSeconds = 60;
const retrySeconds = 5;
const trying = <T>(work: () => Promise<T>) => orUnavailable(retrySeconds, work);
/** Services that cannot list multipart uploads, and keys that may not: a lifecycle rule must delete unfinished ones. */
const [notImplemented, forbidden] = [501, 403];
const notFound = 404;

type UploadPart = Parameters<S3mini['completeMultipartUpload']>[2][number];

export function s3FileStore(
  options: S3Options,
  logger: { warn(details: object, message: string): void },
): FileStore {
  const { region, accessKeyId, secretAccessKey } = options;
  const bucket = new S3mini({
    endpoint: bucketUrl(options.endpoint, options),
    region,
    accessKeyId,
    secretAccessKey,
    requestAbortTimeout: requestMilliseconds,
  });
  const publicUrl = bucketUrl(options.publicEndpoint, options);
  let hasWarned = false;

  async function writeParts(name: string, first: Uint8Array, rest: AsyncIterator<Uint8Array>): Promise<void> {
    const uploadId = await trying(() => bucket.getMultipartUploadId(name));
    const done: UploadPart[] = [];
    try {
      let part: Uint8Array | undefined = first;
      while (part) {
        const [bytes, number] = [part, done.length + 1];
        done.push(await trying(() => bucket.uploadPart(name, uploadId, bytes, number)));
        const next = await rest.next();
        part = next.done ? undefined : next.value;
      }
      await trying(() => complete(name, uploadId, done));
    } catch (error) {
      // If this fails, `remove` finds the upload.
      await bucket.abortMultipartUpload(name, uploadId).catch(() => {});
      throw error;
    }
  }

  /** S3 sends the status before the parts are put together: an error may follow in a body of status 200. */
  async function complete(name: string, uploadId: string, parts: UploadPart[]): Promise<void> {
    const result = await bucket.completeMultipartUpload(name, uploadId, parts);
    if (!result.etag) throw new Error(`S3 did not complete an upload: ${JSON.stringify(result)}`);
  }

  return {
    heldBytes: partBytes,
    async write(key, bytes) {
      const parts = inParts(bytes);
      const name = nameOf(key);
      const first = (await parts.next()).value as Uint8Array;
      if (first.length === partBytes) return writeParts(name, first, parts);
      await trying(() => bucket.putObject(name, first));
    },
    async open(key, { contentType, disposition }) {
      const object = new URL(`${publicUrl}/${nameOf(key)}`);
      const headers = {
        'response-content-type': contentType,
        'response-content-disposition': disposition,
        'response-cache-control': 'private, no-store',
      };
      // S3 uses its own clock, which tests cannot control.
      return { address: presignedUrl(options, object, headers, urlSeconds, systemClock.now()) };
    },
    async remove(key) {
      const name = nameOf(key);
      // First, since a service may not be able to list unfinished uploads.
      await bucket.deleteObject(name).catch((error) => {
        if (!isMissingObject(error)) throw error;
      });
      for (const uploadId of await unfinishedUploads(name)) {
        await bucket.abortMultipartUpload(name, uploadId);
      }
    },
  };

  async function unfinishedUploads(name: string): Promise<string[]> {
    const listed = await bucket.listMultipartUploads('/', '', 'GET', { prefix: name }).catch((error) => {
      if (!(error instanceof S3ServiceError)) throw error;
      if (error.status !== notImplemented && error.status !== forbidden) throw error;
      warnOnce(error.status);
      return {};
    });
    return [...JSON.stringify(listed).matchAll(/"uploadId":"([^"]+)"/gi)].map(([, id]) => id as string);
  }

  function warnOnce(status: number): void {
    if (hasWarned) return;
    hasWarned = true;
    logger.warn(
      { status },
      'S3 does not list unfinished multipart uploads: a lifecycle rule of the bucket must delete them, or the access key needs the permission s3:ListBucketMultipartUploads',
    );
  }
}

/** The XML API of Google Cloud Storage answers 404; S3 answers 204. */
function isMissingObject(error: unknown): boolean {
  return (
    error instanceof S3ServiceError && error.status === notFound && !error.body?.includes('NoSuchBucket')
  );
}

function nameOf({ appId, fileId }: FileKey): string {
  return `${appId}/${fileId}`;
}

function bucketUrl(endpoint: string, { bucket, pathStyle }: S3Options): string {
  const url = new URL(endpoint);
  if (pathStyle) url.pathname = `${url.pathname.replace(/\/$/, '')}/${bucket}`;
  else url.hostname = `${bucket}.${url.hostname}`;
  return url.href.replace(/\/$/, '');
}

/** Parts of full size and a last one with the rest; a single empty part for an empty file. */
async function* inParts(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, undefined> {
  let part = Buffer.allocUnsafe(partBytes);
  let filled = 0;
  let full = 0;
  for await (const chunk of bytes) {
    let taken = 0;
    while (taken < chunk.length) {
      const piece = chunk.subarray(taken, taken + partBytes - filled);
      part.set(piece, filled);
      taken += piece.length;
      filled += piece.length;
      if (filled === partBytes) {
        yield part;
        part = Buffer.allocUnsafe(partBytes);
        filled = 0;
        full += 1;
      }
    }
  }
  if (filled > 0 || full === 0) yield part.subarray(0, filled);
}

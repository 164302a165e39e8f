// Files in an S3-compatible service: small ones in one request, larger ones in parts, so that no more than a part is held.
import { S3mini, S3ServiceError } from 's3mini';
import { ApiError } from '../api-error.js';
import { systemClock } from '../clock.js';
import type { FileKey, FileStore, S3Options } from './file-store.js';
import { presignedAddress } from './s3-address.js';

/** The least that S3 takes for a part that is not the last. */
const partBytes = 5 * 1_024 * 1_024;
const requestMilliseconds = 60_000;
/** An address opens what it names for this long: enough to follow a redirect. */
const addressSeconds = 60;
const retrySeconds = 5;
/** Of services that keep parts but list none: what is unfinished there is for a rule of the bucket to forget. */
const notImplemented = 501;

export function s3FileStore(options: S3Options): FileStore {
  const { region, accessKeyId, secretAccessKey } = options;
  const bucket = new S3mini({
    endpoint: bucketAddress(options.endpoint, options),
    region,
    accessKeyId,
    secretAccessKey,
    requestAbortTimeout: requestMilliseconds,
  });
  const publicAddress = bucketAddress(options.publicEndpoint, options);

  async function writeParts(name: string, first: Uint8Array, rest: AsyncIterator<Uint8Array>): Promise<void> {
    const uploadId = await trying(() => bucket.getMultipartUploadId(name));
    const done: { partNumber: number; etag: string }[] = [];
    try {
      let part: Uint8Array | undefined = first;
      while (part) {
        const [bytes, number] = [part, done.length + 1];
        done.push(await trying(() => bucket.uploadPart(name, uploadId, bytes, number)));
        const next = await rest.next();
        part = next.done ? undefined : next.value;
      }
      await trying(() => bucket.completeMultipartUpload(name, uploadId, done));
    } catch (error) {
      // What is left behind here is found by `remove`.
      await bucket.abortMultipartUpload(name, uploadId).catch(() => {});
      throw error;
    }
  }

  return {
    async write(key, bytes) {
      const parts = inParts(bytes);
      const name = nameOf(key);
      const first = (await parts.next()).value as Uint8Array;
      if (first.length === partBytes) return writeParts(name, first, parts);
      await trying(() => bucket.putObject(name, first));
    },
    async open(key, { contentType, disposition }) {
      const object = new URL(`${publicAddress}/${nameOf(key)}`);
      const headers = {
        'response-content-type': contentType,
        'response-content-disposition': disposition,
        'response-cache-control': 'private, no-store',
      };
      // S3 goes by its own clock, which no test can move.
      return { address: presignedAddress(options, object, headers, addressSeconds, systemClock.now()) };
    },
    async remove(key) {
      const name = nameOf(key);
      // First, for a service may refuse to list what is unfinished, or not know how to.
      await bucket.deleteObject(name);
      for (const uploadId of await unfinishedUploads(name)) {
        await bucket.abortMultipartUpload(name, uploadId);
      }
    },
  };

  async function unfinishedUploads(name: string): Promise<string[]> {
    const listed = await bucket.listMultipartUploads('/', '', 'GET', { prefix: name }).catch((error) => {
      if (error instanceof S3ServiceError && error.status === notImplemented) return {};
      throw error;
    });
    return [...JSON.stringify(listed).matchAll(/"uploadId":"([^"]+)"/gi)].map(([, id]) => id as string);
  }
}

function nameOf({ appId, fileId }: FileKey): string {
  return `${appId}/${fileId}`;
}

function bucketAddress(endpoint: string, { bucket, pathStyle }: S3Options): string {
  const url = new URL(endpoint);
  if (pathStyle) url.pathname = `${url.pathname.replace(/\/$/, '')}/${bucket}`;
  else url.hostname = `${bucket}.${url.hostname}`;
  return url.href.replace(/\/$/, '');
}

/** Parts of the full size and what is left as a last one; a single empty part where there are no bytes at all. */
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

async function trying<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    throw new ApiError('request/unavailable', { retryAfterSeconds: retrySeconds, cause });
  }
}

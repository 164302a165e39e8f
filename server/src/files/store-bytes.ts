// Streams the bytes of an upload to the store, and measures, hashes and detects their type on the way.
import { createHash } from 'node:crypto';
import type { FileKey } from '../../engines/file-store/index.js';
import type { FormFile } from '../../engines/http-guard/index.js';
import type { Deps } from '../deps.js';
import { ApiError } from '../lib/api-error.js';
import { queueUploadCleanup } from './remove-bytes.js';
import { isAllowed, typeOf } from './type-rules.js';

export type StoredBytes = { contentType: string; size: number; sha256: Buffer };

export type ByteLimits = {
  maxBytes: number;
  /** The rest of the user's quota; null without a quota. */
  leftBytes: number | null;
  allowedTypes: readonly string[] | null;
};

/** Is called with the number of all bytes before the store is given the last of them; its error ends the write. */
type Progress = { countWritten(size: number): Promise<void> | void };

/** Enough for the signatures of file types. */
const headBytes = 4_100;

/** Resolves when the bytes are durable. After a rejection, the cleanup job queued before removes any rest. */
export async function storeBytes(
  deps: Pick<Deps, 'fileStore' | 'queue' | 'prisma'>,
  key: FileKey,
  file: FormFile,
  limits: ByteLimits & Progress,
): Promise<StoredBytes> {
  const chunks: AsyncIterator<Buffer> = file.bytes[Symbol.asyncIterator]();
  const head = await readHead(chunks);
  // Browsers send this for a field without a chosen file.
  if (!file.name && head.length === 0) throw new ApiError('files/missing-file');
  const whole = head.length < headBytes;
  const detected = await detectType(head);
  const contentType = typeOf(detected, head.subarray(0, headBytes), whole, file.declaredType);
  if (!isAllowed(limits.allowedTypes, contentType)) throw new ApiError('files/type-not-allowed');

  await queueUploadCleanup(deps, key);
  const hash = createHash('sha256');
  let size = 0;
  async function* measured(): AsyncGenerator<Uint8Array> {
    for (let chunk: Buffer | undefined = head; chunk; chunk = await nextOf(chunks)) {
      size += chunk.length;
      if (size > limits.maxBytes) throw new ApiError('files/too-large');
      if (limits.leftBytes !== null && size > limits.leftBytes) throw new ApiError('files/quota-exceeded');
      hash.update(chunk);
      await limits.countWritten(size);
      yield chunk;
    }
  }
  await deps.fileStore.write(key, measured());
  return { contentType, size, sha256: hash.digest() };
}

async function nextOf(chunks: AsyncIterator<Buffer>): Promise<Buffer | undefined> {
  const next = await chunks.next();
  return next.done ? undefined : next.value;
}

async function readHead(chunks: AsyncIterator<Buffer>): Promise<Buffer> {
  const parts: Buffer[] = [];
  let length = 0;
  while (length < headBytes) {
    const chunk = await nextOf(chunks);
    if (!chunk) break;
    parts.push(chunk);
    length += chunk.length;
  }
  return Buffer.concat(parts);
}

/** Detects the type by its signature. Returns undefined for bytes that are crafted to make the detection throw. */
async function detectType(head: Buffer): Promise<string | undefined> {
  const { fileTypeFromBuffer } = await import('file-type');
  try {
    return (await fileTypeFromBuffer(head.subarray(0, headBytes)))?.mime;
  } catch {
    return undefined;
  }
}

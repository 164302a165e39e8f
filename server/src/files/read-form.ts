// Reads the form of an upload (multipart/form-data, RFC 7578) as it comes. The file goes to whoever takes it, piece by
// piece; nothing of it is held here.
import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import busboy from 'busboy';
import { ApiError } from '../lib/api-error.js';

export type FormFile = {
  /** As the client wrote it. */
  name: string | undefined;
  declaredType: string;
  bytes: Readable;
};

export type FormReader<T> = {
  /** The whole form: its file with what else stands in it. */
  maxBytes: number;
  /** Called once, for the field `file`. Its bytes must be read to their end, or it must reject. */
  onFile(file: FormFile): Promise<T>;
  onField(name: string, value: string): void;
};

/** What a form may be larger than its file. */
export const formFrameBytes = 64 * 1_024;

const limits = {
  headerPairs: 50,
  fieldSize: 1_024,
  fields: 100,
  files: 100,
  parts: 200,
};

/**
 * What `onFile` gave; null for a form without a file. When it rejects, what is still to come is let through unread: a
 * client that is cut off while it sends might never see the answer.
 */
export function readForm<T>(
  request: Readable & { headers: IncomingHttpHeaders; complete: boolean },
  reader: FormReader<T>,
): Promise<T | null> {
  const parser = parserFor(request.headers);
  if (Number(request.headers['content-length'] ?? 0) > reader.maxBytes) {
    throw new ApiError('files/too-large');
  }
  return new Promise<T | null>((resolve, reject) => {
    let taken: Promise<T> | null = null;
    let open: Readable | null = null;
    let bytes = 0;
    let over = false;

    function fail(error: unknown): void {
      if (over) return;
      over = true;
      request.unpipe(parser);
      request.off('data', count);
      request.resume();
      open?.destroy(error as Error);
      // Whoever takes the file cleans up first, so that nothing of it comes to be after the refusal.
      Promise.allSettled([taken]).then(() => reject(error));
    }

    function count(chunk: Buffer): void {
      bytes += chunk.length;
      if (bytes > reader.maxBytes) fail(new ApiError('files/too-large'));
    }

    parser.on('file', (field, file, { filename: name, mimeType: declaredType }) => {
      // What is not read would hold up the rest; what breaks off is said by the parser.
      file.on('error', () => {});
      if (over || field !== 'file') {
        file.resume();
        return;
      }
      if (taken !== null) {
        file.resume();
        fail(refusal('file', 'must be one file'));
        return;
      }
      open = file;
      taken = reader.onFile({ name, declaredType, bytes: file });
      taken.catch(fail);
    });
    parser.on('field', (name, value) => {
      if (over) return;
      try {
        reader.onField(name, value);
      } catch (error) {
        fail(error);
      }
    });
    // What is beyond them is dropped by the parser, a second visibility or file too.
    for (const limit of ['fieldsLimit', 'filesLimit', 'partsLimit'] as const) {
      parser.on(limit, () => fail(refusal('body', 'has too many parts')));
    }
    parser.on('error', () => fail(refusal('body', 'is not a whole form (multipart/form-data)')));
    parser.on('finish', () => {
      if (over) return;
      if (taken === null) {
        over = true;
        resolve(null);
      } else {
        taken.then((result) => {
          over = true;
          resolve(result);
        }, fail);
      }
    });
    request.on('error', (cause) => fail(new ApiError('request/timeout', { cause })));
    request.on('close', () => {
      if (!request.complete) fail(new ApiError('request/timeout'));
    });
    request.on('data', count);
    request.pipe(parser);
  });
}

function parserFor(headers: IncomingHttpHeaders) {
  const contentType = headers['content-type'] ?? '';
  try {
    if (!/^multipart\/form-data *;/i.test(contentType)) throw new Error('another type');
    return busboy({
      headers,
      limits,
      defParamCharset: 'utf8',
      // A name is no path, whatever stands in it: what is kept of it is decided elsewhere.
      preservePath: true,
    });
  } catch (cause) {
    throw new ApiError('request/unsupported-media-type', { cause });
  }
}

function refusal(field: string, sentence: string): ApiError {
  return new ApiError('request/validation-failed', { fields: { [field]: [sentence] } });
}

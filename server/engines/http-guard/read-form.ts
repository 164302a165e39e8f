// Parses the form of an upload (multipart/form-data, RFC 7578) as a stream: the file is passed on without buffering.
import type { IncomingHttpHeaders } from 'node:http';
import { type Readable, Transform } from 'node:stream';
import busboy from 'busboy';
import { ApiError } from '../../src/lib/api-error.js';
import { inTurn } from '../../src/lib/one-per-turn.js';
import { bounds } from './bounds.js';

export type FormFile = {
  /** The name as the client wrote it. */
  name: string | undefined;
  declaredType: string;
  bytes: Readable;
};

export type FormReader<T> = {
  /** The size of the whole form. */
  maxBytes: number;
  /** Called once, for the field `file`. Its bytes must be read to their end, or it must reject. */
  onFile(file: FormFile): Promise<T>;
  onField(name: string, value: string): void;
};

/**
 * Returns the result of `onFile`, or null for a form without a file. After a failure the rest of the body is drained: a client
 * whose connection is closed while it sends might never read the response.
 */
export function readForm<T>(
  request: Readable & { headers: IncomingHttpHeaders; complete: boolean },
  reader: FormReader<T>,
): Promise<T | null> {
  const parser = parserFor(request.headers);
  if (Number(request.headers['content-length'] ?? 0) > reader.maxBytes) {
    throw new ApiError('files/too-large');
  }
  // A form of near-boundaries costs ten times as much as another: of many uploads, one chunk is parsed per turn.
  const chunks = new Transform({
    transform: (chunk, _encoding, done) => inTurn(() => done(null, chunk)),
  });
  return new Promise<T | null>((resolve, reject) => {
    let taken: Promise<T> | null = null;
    let open: Readable | null = null;
    let bytes = 0;
    let over = false;

    function fail(error: unknown): void {
      if (over) return;
      over = true;
      request.unpipe(chunks);
      chunks.unpipe(parser);
      request.off('data', count);
      request.resume();
      open?.destroy(error as Error);
      // The consumer of the file cleans up first, so that nothing is stored after the refusal.
      Promise.allSettled([taken]).then(() => reject(error));
    }

    function count(chunk: Buffer): void {
      bytes += chunk.length;
      if (bytes > reader.maxBytes) fail(new ApiError('files/too-large'));
    }

    parser.on('file', (field, file, { filename: name, mimeType: declaredType }) => {
      // An unread file would block the rest of the form; the parser reports a truncated one.
      file.on('error', () => {});
      if (over || field !== 'file') {
        file.resume();
        return;
      }
      if (taken !== null) {
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
    // The parser drops parts beyond the limits, including a second visibility or file.
    for (const limit of ['fieldsLimit', 'filesLimit', 'partsLimit'] as const) {
      parser.on(limit, () => fail(refusal('body', 'has too many parts')));
    }
    parser.on('error', () => fail(refusal('body', 'is not a whole form (multipart/form-data)')));
    parser.on('finish', () => {
      if (over) return;
      if (taken === null) resolve(null);
      else taken.then(resolve, fail);
    });
    request.on('error', (cause) => fail(new ApiError('request/timeout', { cause })));
    request.on('close', () => {
      if (!request.complete) fail(new ApiError('request/timeout'));
    });
    request.on('data', count);
    request.pipe(chunks).pipe(parser);
  });
}

function parserFor(headers: IncomingHttpHeaders) {
  const contentType = headers['content-type'] ?? '';
  try {
    if (!/^multipart\/form-data *;/i.test(contentType)) throw new Error('another type');
    return busboy({
      headers,
      limits: bounds.form.parts,
      defParamCharset: 'utf8',
      // name-rules.ts derives the display name.
      preservePath: true,
    });
  } catch (cause) {
    throw new ApiError('request/unsupported-media-type', { cause });
  }
}

function refusal(field: string, sentence: string): ApiError {
  return new ApiError('request/validation-failed', { fields: { [field]: [sentence] } });
}

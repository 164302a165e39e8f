// The bytes of a file, at its signed or public URL.
import { initContract } from '@ts-rest/core';
import * as z from 'zod';
import { textUpTo } from '../answer-values.js';
import { text } from '../input-values.js';
import { maxHeaderCharacters, shownFileTypes } from '../limits.js';
import { meta } from '../metadata.js';
import { FileContent } from '../schemas/files.js';
import { Ulid } from '../schemas/values.js';

const c = initContract();

export const fileBytes = c.router({
  read: {
    method: 'GET',
    path: '/apps/:app_id/files/:id/content',
    summary: 'Read the bytes of a file',
    description:
      'The URL is returned by `GET /files/{id}/url`, or is the `public_url` of a public file; it requires no app key ' +
      'and no token. One range per request is supported, also with `If-Range`; HEAD returns the headers only. ' +
      `Browsers display ${shownFileTypes.join(', ')} and download all other types. If the files are stored in an ` +
      'S3-compatible service, the response is a redirect to it.',
    pathParams: z.object({
      app_id: Ulid.meta({ description: 'The app.' }),
      id: Ulid.meta({ description: 'The file.' }),
    }),
    // Links are shared, and get parameters that others append.
    query: z.object({
      expires: text({ max: 20 })
        .optional()
        .meta({ description: 'Part of the signed URL.', example: '1767323945' }),
      download: text({ max: 10 })
        .optional()
        .meta({ description: 'Part of the signed URL.', example: 'true' }),
      by: text({ max: 100 }).optional().meta({
        description: 'Part of the signed URL: the secret key or the team member that created it.',
        example: 'secret_key:01JC4Q7M0RZ9X2V5T8W3Y6K1NB',
      }),
      signature: text({ max: 100 })
        .optional()
        .meta({ description: 'The signature of the URL.', example: 'Xh0' }),
    }),
    headers: z.object({
      range: textUpTo(maxHeaderCharacters).optional().meta({
        description: 'The requested range; for several ranges the whole file is returned.',
        example: 'bytes=0-1023',
      }),
      'if-range': textUpTo(maxHeaderCharacters).optional().meta({
        description: 'An `ETag`: if the file no longer matches it, the whole file is returned.',
        example: '"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"',
      }),
      'if-none-match': textUpTo(maxHeaderCharacters).optional().meta({
        description: 'One or more `ETag`s of the bytes that the client has cached.',
        example: '"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"',
      }),
    }),
    responses: { 200: FileContent, 206: FileContent, 302: c.noBody(), 304: c.noBody() },
    metadata: meta({
      auth: 'public',
      rateLimit: 'none',
      etag: true,
      errors: [
        'files/not-found',
        'files/invalid-signature',
        'files/url-expired',
        'files/range-not-satisfiable',
        'request/rate-limited',
      ],
    }),
  },
});

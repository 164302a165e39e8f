// Files: uploaded as a form, kept under limits, read by signed or public addresses. Specification "Other endpoints".
import { initContract } from '@ts-rest/core';
import { z } from 'zod';
import { textUpTo } from './answer-values.js';
import {
  fileBytes as fileSizes,
  fileUrlSeconds,
  fileVisibilities,
  maxFileNameCharacters,
  maxHeaderCharacters,
  maxUrlCharacters,
  shownFileTypes,
} from './limits.js';
import { meta } from './metadata.js';
import { dataEnvelope, inDigits, PageQuery, pageOf, Timestamp, Ulid } from './schemas.js';
import { text } from './text.js';

const c = initContract();

const Visibility = z.enum(fileVisibilities);

export const File = z
  .object({
    id: Ulid,
    name: textUpTo(maxFileNameCharacters).meta({
      description: 'The name that the client gave, without paths and characters that no name should have.',
      example: 'holiday.jpg',
    }),
    content_type: textUpTo(255).meta({
      description: 'What the bytes are recognised as; `application/octet-stream` where nothing is.',
      example: 'image/jpeg',
    }),
    size: z.number().int().min(0).max(fileSizes.max).meta({ description: 'In bytes.', example: 48_213 }),
    sha256: textUpTo(64).meta({
      description: 'Of the bytes, in hex.',
      example: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    }),
    visibility: Visibility.meta({
      description: '`private`: its owner and the backend; `public`: anybody who has the address.',
      example: 'private',
    }),
    public_url: textUpTo(maxUrlCharacters)
      .nullable()
      .meta({ description: 'The lasting address of a public file; null for a private one.', example: null }),
    owner_uid: Ulid.nullable().meta({
      description: 'The user who uploaded it; null when a secret key did.',
      example: '01JC4Q7M0RZ9X2V5T8W3Y6K1NB',
    }),
    created_at: Timestamp.meta({ description: 'When the upload was complete.' }),
  })
  .meta({ id: 'File', description: 'A file, without its bytes.' });
export type File = z.infer<typeof File>;

export const FileUrl = z
  .object({
    url: textUpTo(maxUrlCharacters).meta({
      description:
        'Opens the bytes until `expires_at`, without any header; dead at once when the file is deleted.',
      example:
        'https://accounts.example.com/api/v2/apps/01JC4Q7M0RZ9X2V5T8W3Y6K1NB/files/01JC4Q7M0RZ9X2V5T8W3Y6K1NC/content?expires=1767323945&signature=Xh0',
    }),
    expires_at: Timestamp.meta({ description: 'From this moment `url` is answered `files/url-expired`.' }),
    public_url: File.shape.public_url,
  })
  .meta({ id: 'FileUrl', description: 'Where the bytes of a file are.' });
export type FileUrl = z.infer<typeof FileUrl>;

/** The form of an upload. The service reads it as it comes: a `visibility` may stand before the file or after it. */
export const UploadForm = z
  .object({
    file: z.string().meta({
      description: 'The bytes of the file, with its name. One alone.',
      format: 'binary',
    }),
    visibility: Visibility.default('private').meta({
      description: '`private` when absent.',
      example: 'private',
    }),
  })
  .meta({ description: 'Other fields are ignored.' });

const fileId = z.object({ id: Ulid.meta({ description: 'The file.' }) });

const trueOrFalse = z.enum(['true', 'false']);

/** The bytes of a file: no JSON, and no envelope. */
export const FileContent = z.unknown().meta({
  description: 'The bytes, or the part of them that was asked for.',
  type: 'string',
  format: 'binary',
});

export const files = c.router({
  upload: {
    method: 'POST',
    path: '/files',
    summary: 'Upload a file',
    description:
      'The type is recognised from the first bytes, whatever the client declares. ' +
      'A file belongs to the user who uploads it, and counts towards the quota; one that a secret key uploads belongs to nobody.',
    contentType: 'multipart/form-data',
    // The form never reaches ts-rest as a body: it is streamed to where the file is kept.
    body: UploadForm.optional(),
    responses: { 201: dataEnvelope(File) },
    metadata: meta({
      auth: 'signed-in-or-admin',
      rateLimit: 'upload',
      scope: 'files:write',
      errors: ['files/missing-file', 'files/too-large', 'files/type-not-allowed', 'files/quota-exceeded'],
    }),
  },
  get: {
    method: 'GET',
    path: '/files/:id',
    summary: 'Read what is known of a file',
    description:
      "A private file is shown to its owner and to the app's backend; a public one to any client of the app.",
    pathParams: fileId,
    responses: { 200: dataEnvelope(File) },
    metadata: meta({
      auth: 'optional-user-or-admin',
      rateLimit: 'client',
      scope: 'files:read',
      errors: ['files/not-found'],
    }),
  },
  url: {
    method: 'GET',
    path: '/files/:id/url',
    summary: 'Make an address for the bytes of a file',
    description: 'For whoever may read the file; the address itself opens the bytes to anybody who has it.',
    pathParams: fileId,
    query: z.object({
      expires_in: inDigits(fileUrlSeconds)
        .default(fileUrlSeconds.default)
        .meta({
          description: `Seconds of validity, at most ${fileUrlSeconds.max} (a week).`,
          example: fileUrlSeconds.default,
        }),
      download: trueOrFalse.default('false').meta({
        description: 'True: a browser saves the file instead of showing it.',
        example: 'false',
      }),
    }),
    responses: { 200: dataEnvelope(FileUrl) },
    metadata: meta({
      auth: 'optional-user-or-admin',
      rateLimit: 'client',
      scope: 'files:read',
      errors: ['files/not-found'],
    }),
  },
  delete: {
    method: 'DELETE',
    path: '/files/:id',
    summary: 'Delete a file',
    description: 'By its owner or the backend. Every address of it is dead at once.',
    pathParams: fileId,
    body: c.noBody(),
    responses: { 204: c.noBody() },
    metadata: meta({
      auth: 'signed-in-or-admin',
      rateLimit: 'client',
      scope: 'files:write',
      errors: ['files/not-found'],
    }),
  },
});

export const fileBytes = c.router({
  read: {
    method: 'GET',
    path: '/apps/:app_id/files/:id/content',
    summary: 'Read the bytes of a file',
    description:
      'The address is given by `files.url`, or is the `public_url` of a public file; it needs no app key and no token. ' +
      'One `Range` is served, also on the condition of `If-Range`; HEAD answers the headers alone. ' +
      `A browser shows ${shownFileTypes.join(', ')}, and saves anything else. ` +
      'Where the files are kept in an S3-compatible service the answer is a redirect to it.',
    pathParams: z.object({
      app_id: Ulid.meta({ description: 'The app.' }),
      id: Ulid.meta({ description: 'The file.' }),
    }),
    query: z.object({
      expires: text(20).optional().meta({ description: 'As signed.', example: '1767323945' }),
      download: text(10).optional().meta({ description: 'As signed.', example: 'true' }),
      signature: text(100).optional().meta({ description: 'Of this address.', example: 'Xh0' }),
    }),
    headers: z.object({
      range: textUpTo(maxHeaderCharacters).optional().meta({
        description: 'The part that is wanted; of several it is the whole.',
        example: 'bytes=0-1023',
      }),
      'if-range': textUpTo(maxHeaderCharacters).optional().meta({
        description: 'An `ETag`: where the bytes are others by now, they are sent whole.',
        example: '"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"',
      }),
      'if-none-match': textUpTo(maxHeaderCharacters).optional().meta({
        description: 'The `ETag` of the bytes that the client holds, or several of them.',
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
      ],
    }),
  },
});

export const allFiles = c.router({
  list: {
    method: 'GET',
    path: '/admin/files',
    summary: 'List the files of the app',
    description: 'Newest first.',
    query: PageQuery.extend({
      owner_uid: Ulid.optional().meta({ description: 'The files of this user alone.' }),
      visibility: Visibility.optional().meta({
        description: 'Files of this visibility alone.',
        example: 'public',
      }),
    }),
    responses: { 200: dataEnvelope(pageOf(File)) },
    metadata: meta({ auth: 'admin', rateLimit: 'admin', scope: 'files:read', audit: null, errors: [] }),
  },
});

// Uploading, describing and deleting files.
import { initContract } from '@ts-rest/core';
import * as z from 'zod';
import { fileUrlSeconds } from '../limits.js';
import { meta } from '../metadata.js';
import { dataEnvelope } from '../schemas/envelopes.js';
import { File, FileUrl, UploadForm } from '../schemas/files.js';
import { inDigits, Ulid } from '../schemas/values.js';

const c = initContract();

const fileId = z.object({ id: Ulid.meta({ description: 'ID of the file.' }) });

const trueOrFalse = z.enum(['true', 'false']);

export const files = c.router(
  {
    upload: {
      method: 'POST',
      path: '',
      summary: 'Upload a file',
      description:
        'The type is detected from the first bytes, regardless of the declared type. The file belongs to the user ' +
        "who uploads it and counts towards the user's quota; a file uploaded with a secret key belongs to no user.",
      contentType: 'multipart/form-data',
      // The form is streamed to the file store, so ts-rest never receives it as a body.
      body: UploadForm.optional(),
      responses: { 201: dataEnvelope(File) },
      metadata: meta({
        auth: 'signed-in-or-admin',
        rateLimit: 'upload',
        alsoLimitedBy: ['file-megabytes'],
        scope: 'files:write',
        audit: 'file.uploaded',
        errors: ['files/missing-file', 'files/too-large', 'files/type-not-allowed', 'files/quota-exceeded'],
      }),
    },
    get: {
      method: 'GET',
      path: '/:id',
      summary: 'Read the metadata of a file',
      description:
        "A private file is visible to its owner and to the app's backend; a public file to any client of the app.",
      pathParams: fileId,
      responses: { 200: dataEnvelope(File) },
      metadata: meta({
        auth: 'optional-user-or-admin',
        scope: 'files:read',
        errors: ['files/not-found'],
      }),
    },
    url: {
      method: 'GET',
      path: '/:id/url',
      summary: 'Create a signed URL for the bytes of a file',
      description:
        'Requires read access to the file; the URL itself gives access to the bytes to anyone who has it. A URL that was ' +
        'created with a secret key or by a team member ends with the key or the membership, and is recorded in the audit ' +
        'log: `file.url_created`. For the export of a user, a secret key also needs the scopes of what is in it: `users:read`, ' +
        '`data:read`, `push:read`, `loyalty:read` and `audit:read`.',
      pathParams: fileId,
      query: z.strictObject({
        expires_in: inDigits(fileUrlSeconds)
          .default(fileUrlSeconds.default)
          .meta({
            description: `The lifetime of the URL in seconds, at most ${fileUrlSeconds.max} (a week).`,
            example: fileUrlSeconds.default,
          }),
        download: trueOrFalse.default('false').meta({
          description: 'True: browsers download the file instead of displaying it.',
          example: 'false',
        }),
      }),
      responses: { 200: dataEnvelope(FileUrl) },
      metadata: meta({
        auth: 'optional-user-or-admin',
        scope: 'files:read',
        errors: ['files/not-found'],
      }),
    },
    delete: {
      method: 'DELETE',
      path: '/:id',
      summary: 'Delete a file',
      description:
        'Allowed for the owner and for a secret key. All URLs of the file stop working immediately.',
      pathParams: fileId,
      body: c.noBody(),
      responses: { 204: c.noBody() },
      metadata: meta({
        auth: 'signed-in-or-admin',
        scope: 'files:write',
        audit: 'file.deleted',
        errors: ['files/not-found'],
      }),
    },
  },
  { pathPrefix: '/files', metadata: meta({ rateLimit: 'client' }) },
);

// Uploading, describing and deleting files. Specification "Other endpoints".
import { initContract } from '@ts-rest/core';
import { z } from 'zod';
import { fileUrlSeconds } from '../limits.js';
import { meta } from '../metadata.js';
import { dataEnvelope } from '../schemas/envelopes.js';
import { File, FileUrl, UploadForm } from '../schemas/files.js';
import { inDigits, Ulid } from '../schemas/values.js';

const c = initContract();

const fileId = z.object({ id: Ulid.meta({ description: 'The file.' }) });

const trueOrFalse = z.enum(['true', 'false']);

export const files = c.router(
  {
    upload: {
      method: 'POST',
      path: '',
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
      path: '/:id',
      summary: 'Read what is known of a file',
      description:
        "A private file is shown to its owner and to the app's backend; a public one to any client of the app.",
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
      summary: 'Make an address for the bytes of a file',
      description: 'For whoever may read the file; the address itself opens the bytes to anybody who has it.',
      pathParams: fileId,
      query: z.strictObject({
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
        scope: 'files:read',
        errors: ['files/not-found'],
      }),
    },
    delete: {
      method: 'DELETE',
      path: '/:id',
      summary: 'Delete a file',
      description: 'By its owner or the backend. Every address of it is dead at once.',
      pathParams: fileId,
      body: c.noBody(),
      responses: { 204: c.noBody() },
      metadata: meta({
        auth: 'signed-in-or-admin',
        scope: 'files:write',
        errors: ['files/not-found'],
      }),
    },
  },
  { pathPrefix: '/files', metadata: meta({ rateLimit: 'client' }) },
);

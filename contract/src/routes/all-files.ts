// The files of all users, for the backend of the app.
import { initContract } from '@ts-rest/core';
import { meta } from '../metadata.js';
import { dataEnvelope, PageQuery, pageOf } from '../schemas/envelopes.js';
import { File, Visibility } from '../schemas/files.js';
import { Ulid } from '../schemas/values.js';

const c = initContract();

export const allFiles = c.router({
  list: {
    method: 'GET',
    path: '/admin/files',
    summary: 'List the files of the app',
    description: 'Newest first.',
    query: PageQuery.extend({
      owner_uid: Ulid.optional().meta({ description: 'Files of this user only.' }),
      visibility: Visibility.optional().meta({
        description: 'Files with this visibility only.',
        example: 'public',
      }),
    }),
    responses: { 200: dataEnvelope(pageOf(File)) },
    metadata: meta({ auth: 'admin', rateLimit: 'admin', scope: 'files:read', audit: null, errors: [] }),
  },
});

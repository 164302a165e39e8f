// The remote config values that apps read.
import { initContract } from '@ts-rest/core';
import * as z from 'zod';
import { textUpTo } from '../answer-values.js';
import { maxHeaderCharacters } from '../limits.js';
import { meta } from '../metadata.js';
import { AnyQuery, dataEnvelope } from '../schemas/envelopes.js';
import { ConfigValues } from '../schemas/remote-config.js';

const c = initContract();

export const remoteConfig = c.router({
  get: {
    method: 'GET',
    path: '/config',
    summary: 'Read the configuration values of the app',
    description:
      'Changes are visible within five seconds. Cache the values with their `ETag` and send it as `If-None-Match`: ' +
      '304 means that they have not changed (`Cache-Control: no-cache`).',
    query: AnyQuery,
    headers: z.object({
      'if-none-match': textUpTo(maxHeaderCharacters).optional().meta({
        description: 'One or more `ETag`s of the values that the client has cached.',
        example: '"7-9f86d081884c7d65"',
      }),
    }),
    responses: { 200: dataEnvelope(ConfigValues), 304: c.noBody() },
    metadata: meta({ auth: 'app-key', rateLimit: 'client', etag: true, errors: [] }),
  },
});

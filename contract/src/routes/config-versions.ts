// Writing the remote config and reading its versions, for the backend of the app. Specification "App configuration".
import { initContract } from '@ts-rest/core';
import { z } from 'zod';
import { textUpTo } from '../answer-values.js';
import {
  backendBodyKeys,
  backendBodyValues,
  configBodyBytes,
  configVersionsKept,
  maxHeaderCharacters,
} from '../limits.js';
import { meta } from '../metadata.js';
import { dataEnvelope, PageQuery, pageOf } from '../schemas/envelopes.js';
import {
  ConfigVersion,
  demandPlainNames,
  Parameters,
  RemoteConfig,
  VersionNumber,
  versionNumbers,
} from '../schemas/remote-config.js';
import { inDigits } from '../schemas/values.js';

const c = initContract();

const ifMatch = (description: string) =>
  z.object({
    'if-match': textUpTo(maxHeaderCharacters)
      .optional()
      .meta({ description, example: '"7-9f86d081884c7d65"' }),
  });

export const configVersions = c.router(
  {
    current: {
      method: 'GET',
      path: '',
      summary: 'Read the remote config with types and descriptions',
      description: 'The `ETag` is what a change sends as `If-Match`.',
      responses: { 200: dataEnvelope(RemoteConfig) },
      metadata: meta({
        scope: 'config:read',
        audit: null,
        etag: true,
        errors: [],
      }),
    },
    replace: {
      method: 'PUT',
      path: '',
      summary: 'Replace the remote config',
      description:
        `Writes the whole set as the next version; the last ${configVersionsKept} versions are kept. Of two editors with the ` +
        'same `If-Match` one is refused. An unknown key is refused, so that no typing error passes.',
      headers: ifMatch('The `ETag` of the version that was edited; without it 428.'),
      query: z.strictObject({
        validate_only: z.enum(['true', 'false']).default('false').meta({
          description:
            '`true`: answers as it would, and writes nothing; the `ETag` is that of the version that is still current.',
          example: 'false',
        }),
      }),
      body: z.strictObject({ parameters: z.preprocess(demandPlainNames, Parameters) }),
      responses: { 200: dataEnvelope(RemoteConfig) },
      metadata: meta({
        scope: 'config:write',
        audit: 'config.updated',
        bodyBytes: configBodyBytes,
        bodyValues: backendBodyValues,
        bodyKeys: backendBodyKeys,
        etag: true,
        errors: ['request/precondition-required', 'config/version-conflict', 'config/invalid-parameter'],
      }),
    },
    list: {
      method: 'GET',
      path: '/versions',
      summary: 'List the versions of the remote config',
      description: `The newest first; the last ${configVersionsKept} are kept.`,
      query: PageQuery,
      responses: { 200: dataEnvelope(pageOf(ConfigVersion)) },
      metadata: meta({ scope: 'config:read', audit: null, errors: [] }),
    },
    get: {
      method: 'GET',
      path: '/versions/:version',
      summary: 'Read one version of the remote config',
      description: 'As it was written.',
      pathParams: z.object({
        version: inDigits(versionNumbers).meta({ description: 'The number of the version.', example: 6 }),
      }),
      responses: { 200: dataEnvelope(RemoteConfig) },
      metadata: meta({
        scope: 'config:read',
        audit: null,
        errors: ['config/version-not-found'],
      }),
    },
    rollback: {
      method: 'POST',
      path: '/rollback',
      summary: 'Bring an earlier version back',
      description: 'Writes its parameters as the next version, so that nothing of the history is lost.',
      headers: ifMatch('Optional: the `ETag` of the version that is to be replaced.'),
      body: z.strictObject({
        version: VersionNumber.meta({ description: 'The version to bring back.', example: 6 }),
      }),
      responses: { 200: dataEnvelope(RemoteConfig) },
      metadata: meta({
        scope: 'config:write',
        audit: 'config.rolled_back',
        idempotencyKey: true,
        etag: true,
        errors: ['config/version-not-found', 'config/version-conflict'],
      }),
    },
  },
  { pathPrefix: '/admin/config', metadata: meta({ auth: 'admin', rateLimit: 'admin' }) },
);

// Writing the remote config and reading its versions, for the backend of the app.
import { initContract } from '@ts-rest/core';
import * as z from 'zod';
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
  NoteInput,
  ParametersInput,
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
      description: 'Send its `ETag` as `If-Match` with a change.',
      headers: z.object({
        'if-none-match': textUpTo(maxHeaderCharacters).optional().meta({
          description:
            'One or more `ETag`s of the version that the client has cached: 304 if one is current.',
          example: '"7-9f86d081884c7d65"',
        }),
      }),
      responses: { 200: dataEnvelope(RemoteConfig), 304: c.noBody() },
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
        `Writes the complete set as the next version; the last ${configVersionsKept} versions are stored. If two ` +
        'calls send the same `If-Match`, only one succeeds. An unknown key is rejected, so that a misspelt one ' +
        'does not go unnoticed.',
      headers: ifMatch(
        'The `ETag` of the version that was edited, or `*` for any. Without it the response is 428.',
      ),
      query: z.strictObject({
        validate_only: z
          .enum(['true', 'false'])
          .default('false')
          .meta({
            description:
              '`true`: validates and returns the result without writing it; the `ETag` is that of the current ' +
              'version.',
            example: 'true',
          }),
      }),
      body: z.strictObject({ parameters: ParametersInput, note: NoteInput.optional() }),
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
      description: `Newest first; the last ${configVersionsKept} are stored.`,
      query: PageQuery,
      responses: { 200: dataEnvelope(pageOf(ConfigVersion)) },
      metadata: meta({ scope: 'config:read', audit: null, errors: [] }),
    },
    get: {
      method: 'GET',
      path: '/versions/:version',
      summary: 'Read one version of the remote config',
      description: 'The parameters as they were written.',
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
      summary: 'Restore an earlier version',
      description:
        'Writes the parameters of the earlier version as the next version, so that the history stays complete.',
      headers: ifMatch('Optional: the `ETag` of the current version, or `*` for any.'),
      body: z.strictObject({
        version: VersionNumber.meta({ description: 'The version to restore.', example: 6 }),
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

// Remote config: the values that apps read, and the versions that the app's team writes. Specification "App configuration".
import { initContract } from '@ts-rest/core';
import { z } from 'zod';
import { textUpTo } from './answer-values.js';
import {
  backendBodyKeys,
  backendBodyValues,
  configBodyBytes,
  configVersionsKept,
  maxConfigCharacters,
  maxConfigDescriptionCharacters,
  maxConfigParameters,
  maxHeaderCharacters,
} from './limits.js';
import { meta } from './metadata.js';
import { dataEnvelope, inDigits, PageQuery, pageOf, Timestamp } from './schemas.js';
import { text } from './text.js';

const c = initContract();

export const configParameterTypes = ['string', 'number', 'boolean', 'json'] as const;

export const ConfigParameter = z.strictObject({
  type: z.enum(configParameterTypes).meta({
    description: '`json` is an object or a list; apps get it as a JSON string.',
    example: 'json',
  }),
  value: z.unknown().meta({
    description:
      'Of that type, and real JSON where that is `json`. Numbers are those of IEEE 754; infinite ones, −0 and integers ' +
      'beyond ±(2⁵³−1) are refused, in objects and lists too.',
    example: [{ name: 'Gold', color: '#d4af37' }],
  }),
  description: text(maxConfigDescriptionCharacters)
    .default('')
    .meta({
      description: `For the team; apps do not see it. At most ${maxConfigDescriptionCharacters} characters.`,
      example: 'The tiers as the app shows them.',
    }),
});
export type ConfigParameter = z.infer<typeof ConfigParameter>;

const Parameters = z.record(z.string(), ConfigParameter).meta({
  description: 'Every parameter by its name.',
  example: {
    telegram_url: { type: 'string', value: 'https://t.me/example', description: 'The channel of the app.' },
  },
});

const versionNumbers = { min: 1, max: 2 ** 31 - 1 };
const VersionNumber = z.number().int().min(versionNumbers.min).max(versionNumbers.max);

const versionFields = {
  version: VersionNumber.meta({ description: 'Counts up by one with each change.', example: 7 }),
  updated_at: Timestamp.meta({ description: 'When this version was written.' }),
  updated_by: textUpTo(100).meta({
    description: 'Who wrote it, as in the audit log; `system` for the first version.',
    example: 'secret_key:01JC4Q7M0RZ9X2V5T8W3Y6K1NB',
  }),
};

export const ConfigVersion = z
  .object({
    ...versionFields,
    rolled_back_to: VersionNumber.nullable().meta({
      description: 'The version whose parameters it brought back; null for a change.',
      example: null,
    }),
  })
  .meta({ id: 'ConfigVersion', description: 'A version of the remote config, without its parameters.' });
export type ConfigVersion = z.infer<typeof ConfigVersion>;

export const RemoteConfig = z
  .object({ ...versionFields, parameters: Parameters })
  .meta({ id: 'RemoteConfig', description: 'A version of the remote config with all its parameters.' });
export type RemoteConfig = z.infer<typeof RemoteConfig>;

/** Any finite number of IEEE 754. */
const AnyNumber = z.number().min(-Number.MAX_VALUE).max(Number.MAX_VALUE);

const ConfigValues = z
  .record(z.string(), z.union([textUpTo(maxConfigCharacters), AnyNumber, z.boolean()]))
  .meta({
    description: 'Every value by its name; objects and lists are JSON strings, which the client parses.',
    example: { telegram_url: 'https://t.me/example', tiers: '[{"name":"Gold","color":"#d4af37"}]' },
  });

const ifMatch = (description: string) =>
  z.object({
    'if-match': textUpTo(maxHeaderCharacters)
      .optional()
      .meta({ description, example: '"7-9f86d081884c7d65"' }),
  });

export const remoteConfig = c.router({
  get: {
    method: 'GET',
    path: '/config',
    summary: 'Read the configuration values of the app',
    description:
      'A change is in the next answer. Keep the values with their `ETag` and send it as `If-None-Match`: 304 says that ' +
      'they are the same still (`Cache-Control: no-cache`).',
    headers: z.object({
      'if-none-match': textUpTo(maxHeaderCharacters).optional().meta({
        description: 'The `ETag` of the values that the client holds, or several of them.',
        example: '"7-9f86d081884c7d65"',
      }),
    }),
    responses: { 200: dataEnvelope(ConfigValues), 304: c.noBody() },
    metadata: meta({ auth: 'app-key', rateLimit: 'client', etag: true, errors: [] }),
  },
});

export const configVersions = c.router({
  current: {
    method: 'GET',
    path: '/admin/config',
    summary: 'Read the remote config with types and descriptions',
    description: 'The `ETag` is what a change sends as `If-Match`.',
    responses: { 200: dataEnvelope(RemoteConfig) },
    metadata: meta({
      auth: 'admin',
      rateLimit: 'admin',
      scope: 'config:read',
      audit: null,
      etag: true,
      errors: [],
    }),
  },
  replace: {
    method: 'PUT',
    path: '/admin/config',
    summary: 'Replace the remote config',
    description:
      `Writes the whole set as the next version; the last ${configVersionsKept} versions are kept. Of two editors with the ` +
      'same `If-Match` one is refused. An unknown key is refused, so that no typing error passes.',
    headers: ifMatch('The `ETag` of the version that was edited; without it 428.'),
    query: z.object({
      validate_only: z.enum(['true', 'false']).default('false').meta({
        description:
          '`true`: answers as it would, and writes nothing; the `ETag` is that of the version that is still current.',
        example: 'false',
      }),
    }),
    body: z.strictObject({ parameters: z.preprocess(demandPlainNames, Parameters) }),
    responses: { 200: dataEnvelope(RemoteConfig) },
    metadata: meta({
      auth: 'admin',
      rateLimit: 'admin',
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
    path: '/admin/config/versions',
    summary: 'List the versions of the remote config',
    description: `The newest first; the last ${configVersionsKept} are kept.`,
    query: PageQuery,
    responses: { 200: dataEnvelope(pageOf(ConfigVersion)) },
    metadata: meta({ auth: 'admin', rateLimit: 'admin', scope: 'config:read', audit: null, errors: [] }),
  },
  get: {
    method: 'GET',
    path: '/admin/config/versions/:version',
    summary: 'Read one version of the remote config',
    description: 'As it was written.',
    pathParams: z.object({
      version: inDigits(versionNumbers).meta({ description: 'The number of the version.', example: 6 }),
    }),
    responses: { 200: dataEnvelope(RemoteConfig) },
    metadata: meta({
      auth: 'admin',
      rateLimit: 'admin',
      scope: 'config:read',
      audit: null,
      errors: ['config/version-not-found'],
    }),
  },
  rollback: {
    method: 'POST',
    path: '/admin/config/rollback',
    summary: 'Bring an earlier version back',
    description: 'Writes its parameters as the next version, so that nothing of the history is lost.',
    headers: ifMatch('Optional: the `ETag` of the version that is to be replaced.'),
    body: z.strictObject({
      version: VersionNumber.meta({ description: 'The version to bring back.', example: 6 }),
    }),
    responses: { 200: dataEnvelope(RemoteConfig) },
    metadata: meta({
      auth: 'admin',
      rateLimit: 'admin',
      scope: 'config:write',
      audit: 'config.rolled_back',
      idempotencyKey: true,
      etag: true,
      errors: ['config/version-not-found', 'config/version-conflict'],
    }),
  },
});

/** Zod drops this key wherever it copies an object; a parameter of that name must be refused and not lost. */
function demandPlainNames(parameters: unknown, context: z.RefinementCtx): unknown {
  if (typeof parameters === 'object' && parameters !== null && Object.hasOwn(parameters, '__proto__')) {
    context.addIssue({ code: 'custom', path: ['__proto__'], message: 'cannot be the name of a parameter' });
  }
  return firstParameters(parameters);
}

/** Too many are refused for their number, and none but the first are looked at before that. */
function firstParameters(parameters: unknown): unknown {
  if (typeof parameters !== 'object' || parameters === null || Array.isArray(parameters)) return parameters;
  const entries = Object.entries(parameters);
  return entries.length > maxConfigParameters
    ? Object.fromEntries(entries.slice(0, maxConfigParameters + 1))
    : parameters;
}

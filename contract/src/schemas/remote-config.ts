// Remote config: its parameters, its versions and the values that apps read.
import * as z from 'zod';
import { Count, listUpTo, textUpTo } from '../answer-values.js';
import { text, trimmedText } from '../input-values.js';
import {
  changedConfigNames,
  configNoteCharacters,
  maxConfigCharacters,
  maxConfigDescriptionCharacters,
  maxConfigNameCharacters,
  maxConfigParameters,
} from '../limits.js';
import { AnyValue, integer, requirePlainNames, Timestamp } from './values.js';

export const configParameterTypes = ['string', 'number', 'boolean', 'json'] as const;

const parameterFields = {
  type: z.enum(configParameterTypes).meta({
    description: '`json` is an object or an array; apps receive it as a JSON string.',
    example: 'json',
  }),
  value: AnyValue.meta({
    description:
      'A value of the type; for `json` an object or array, not a string of JSON. Numbers are IEEE 754 doubles; ' +
      'infinite numbers, −0 and integers beyond ±(2⁵³−1) are rejected, also in objects and arrays.',
    example: [{ name: 'Gold', color: '#d4af37' }],
  }),
  description: text({ max: maxConfigDescriptionCharacters }).meta({
    description: `For the team; not visible to apps. At most ${maxConfigDescriptionCharacters} characters.`,
    example: 'The tiers as the app shows them.',
  }),
};

export const ConfigParameter = z.object(parameterFields);
export type ConfigParameter = z.infer<typeof ConfigParameter>;

const ParameterInput = z.strictObject({
  ...parameterFields,
  description: parameterFields.description.default(''),
});

const parameters = {
  description: 'The parameters by name.',
  example: {
    telegram_url: { type: 'string', value: 'https://t.me/example', description: 'The channel of the app.' },
  },
};

export const versionNumbers = { min: 1, max: 2 ** 31 - 1 };

export const VersionNumber = integer(versionNumbers);

const versionFields = {
  version: VersionNumber.meta({ description: 'Incremented by one with each change.', example: 7 }),
  updated_at: Timestamp.meta({ description: 'When this version was written.' }),
  updated_by: textUpTo(100).meta({
    description: 'The author, as in the audit log; `system` for the first version.',
    example: 'secret_key:01JC4Q7M0RZ9X2V5T8W3Y6K1NB',
  }),
  note: textUpTo(configNoteCharacters).nullable().meta({
    description: 'What the author wrote about this version; null without a note.',
    example: 'Summer prices.',
  }),
};

export const NoteInput = trimmedText({ max: configNoteCharacters, lines: true }).meta({
  description: `A note for the history, at most ${configNoteCharacters} characters.`,
  example: 'Summer prices.',
});

export const ConfigVersion = z
  .object({
    ...versionFields,
    changed_names: listUpTo(changedConfigNames, textUpTo(maxConfigNameCharacters)).meta({
      description: `The names of parameters that were added, changed or removed, at most ${changedConfigNames}.`,
      example: ['telegram_url'],
    }),
    changed_count: Count.nullable().meta({
      description:
        'How many parameters were added, changed or removed; null for versions before this was stored.',
      example: 1,
    }),
    rolled_back_to: VersionNumber.nullable().meta({
      description: 'The version whose parameters were restored; null for a change.',
      example: null,
    }),
  })
  .meta({ id: 'ConfigVersion', description: 'A version of the remote config, without its parameters.' });
export type ConfigVersion = z.infer<typeof ConfigVersion>;

export const RemoteConfig = z
  .object({ ...versionFields, parameters: z.record(z.string(), ConfigParameter).meta(parameters) })
  .meta({ id: 'RemoteConfig', description: 'A version of the remote config with all its parameters.' });
export type RemoteConfig = z.infer<typeof RemoteConfig>;

export const ConfigValues = z
  .record(z.string(), z.union([textUpTo(maxConfigCharacters), z.number(), z.boolean()]))
  .meta({
    description: 'The values by name; objects and arrays are JSON strings, which the client parses.',
    example: { telegram_url: 'https://t.me/example', tiers: '[{"name":"Gold","color":"#d4af37"}]' },
  });

export const ParametersInput = z.preprocess(
  (parameters, context) => firstParameters(requirePlainNames(parameters, context, 'a parameter')),
  z.record(z.string(), ParameterInput).meta(parameters),
);

/** An object with too many parameters is rejected before the parameters beyond the limit are validated. */
function firstParameters(parameters: unknown): unknown {
  if (typeof parameters !== 'object' || parameters === null || Array.isArray(parameters)) return parameters;
  const entries = Object.entries(parameters);
  return entries.length > maxConfigParameters
    ? Object.fromEntries(entries.slice(0, maxConfigParameters + 1))
    : parameters;
}

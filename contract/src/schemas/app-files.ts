// An app as files: its settings, remote config, collections and webhooks as `foyer pull` writes them.
import * as z from 'zod';
import { listUpTo, textUpTo } from '../answer-values.js';
import { list, text } from '../input-values.js';
import {
  collectionsPerApp,
  languagesPerMail,
  maxAppFileCharacters,
  maxUrlCharacters,
  webhooksPerApp,
} from '../limits.js';
import { AppSettingsPatch } from './apps.js';
import { CollectionName, declared } from './collections.js';
import { mailPurposes } from './mail-settings.js';
import { ParametersInput } from './remote-config.js';
import { WebhookDeclaration } from './webhooks.js';

/** The parts of an app that are applied one by one, in this order. */
export const appFileGroups = ['settings', 'remote_config', 'collections', 'webhooks'] as const;
export type AppFileGroup = (typeof appFileGroups)[number];

const maxVersionCharacters = 100;

const GroupVersion = textUpTo(maxVersionCharacters).meta({
  description: 'The current version of the group.',
  example: '"9f86d081884c7d659a2feaa0c55ad015"',
});

export const AppFiles = z
  .object({
    app: textUpTo(64).meta({ description: 'The slug of the app.', example: 'orchard' }),
    files: listUpTo(
      1 + mailPurposes.length * languagesPerMail,
      z.object({
        path: textUpTo(100).meta({
          description: 'The path in the folder: `app.yaml`, or `mails/<language>/<purpose>.md`.',
          example: 'app.yaml',
        }),
        text: textUpTo(maxAppFileCharacters).meta({
          description: 'The content of the file. Secrets appear as references to environment variables.',
          example: 'settings:\n  sign_up: open\n',
        }),
      }),
    ).meta({ description: 'Sorted by path.' }),
    versions: z
      .object({
        settings: GroupVersion,
        remote_config: GroupVersion,
        collections: GroupVersion,
        webhooks: GroupVersion,
      })
      .meta({ description: 'The current version of each group, to be sent with a change of it.' }),
  })
  .meta({ id: 'AppFiles', description: 'The app as files.' });
export type AppFiles = z.infer<typeof AppFiles>;

const CollectionDeclaration = z.strictObject({ name: CollectionName, ...declared });

export const AppFilesChange = z
  .strictObject({
    version: text({ max: maxVersionCharacters }).meta({
      description: 'The version of the group as it was read; if it is no longer current, nothing changes.',
      example: '"7-9f86d081884c7d65"',
    }),
    settings: AppSettingsPatch.optional().meta({
      description: 'The settings to change, as in `PATCH /admin/settings`.',
      example: { sign_up: 'closed' },
    }),
    remote_config: ParametersInput.optional(),
    collections: list(CollectionDeclaration, { max: collectionsPerApp.max })
      .refine(haveOwnNames, 'must not contain a name twice')
      .optional()
      .meta({
        description: 'All collections of the app: others are deleted.',
        example: [{ name: 'notes', access_mode: 'owner', on_user_delete: 'delete', indexed_fields: [] }],
      }),
    webhooks: list(WebhookDeclaration, { max: webhooksPerApp })
      .optional()
      .meta({
        description:
          'All webhooks of the app: those with a URL that is not in the list are deleted. One with the same URL as before ' +
          'keeps its secret.',
        example: [],
      }),
    delete_records: z.boolean().default(false).meta({
      description: 'Whether collections that are deleted may have records; without it the call is rejected.',
      example: false,
    }),
  })
  .refine(
    (change) => appFileGroups.filter((group) => change[group] !== undefined).length === 1,
    'must have exactly one of settings, remote_config, collections and webhooks',
  )
  .meta({
    example: { version: '"9f86d081884c7d659a2feaa0c55ad015"', settings: { sign_up: 'closed' } },
  });
export type AppFilesChange = z.infer<typeof AppFilesChange>;

function haveOwnNames(collections: { name: string }[]): boolean {
  return new Set(collections.map(({ name }) => name)).size === collections.length;
}

export const AppliedFiles = z
  .object({
    version: textUpTo(maxVersionCharacters).meta({
      description: 'The new version of the group.',
      example: '"8-2c26b46b68ffc68f"',
    }),
    new_webhooks: listUpTo(
      webhooksPerApp,
      z.object({
        url: textUpTo(maxUrlCharacters).meta({
          description: 'The URL of the webhook.',
          example: 'https://backend.example.com/webhooks/foyer',
        }),
        secret: textUpTo(100).meta({
          description: 'Verifies the signatures (Standard Webhooks). It is returned only once.',
          example: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
        }),
      }),
    ).meta({ description: 'The webhooks that were added, with their secrets.' }),
  })
  .meta({ id: 'AppliedFiles', description: 'The result of a change.' });
export type AppliedFiles = z.infer<typeof AppliedFiles>;

// The shape of `app.yaml`: what the API accepts, but for secrets, which are references, and texts of mails, which are files of
// their own.
import {
  AppSettingsPatch,
  CollectionName,
  collectionDeclaration,
  type MailText,
  type mailPurposes,
  ParametersInput,
  WebhookDeclaration,
  withOneIssuer,
} from '@foyer/contract';
import * as z from 'zod';

export const Secret = z
  .string()
  .regex(/^\$\{[A-Za-z_][A-Za-z0-9_]*\}$/, `must be a reference such as \${NAME}: files hold no secrets`)
  .nullable()
  .meta({
    description: `The name of an environment variable with the secret, such as \${NAME}; null for none.`,
  });

const { mail, provider_a, provider_b, providers, push } = AppSettingsPatch.shape;
const pushSettings = push.unwrap();
const { fcm, apns } = pushSettings.shape;
const { keyType: ProviderId, valueType: Provider } = providers.unwrap();

const ProviderInFile = Provider.unwrap()
  .extend({ client_secret: Secret.optional() })
  .overwrite(withOneIssuer);

const Settings = z
  .strictObject({
    ...AppSettingsPatch.shape,
    mail: mail.unwrap().omit({ texts: true }),
    provider_a: provider_a.unwrap().extend({ client_secret: Secret.optional() }),
    provider_b: provider_b
      .unwrap()
      .omit({ services_id: true, bundle_id: true })
      .extend({ private_key: Secret.optional() }),
    providers: z.record(ProviderId, ProviderInFile).meta({
      description: 'All further identity providers by id: `foyer apply` deletes others.',
    }),
    push: pushSettings.extend({
      fcm: fcm.unwrap().extend({ service_account: Secret.optional() }),
      apns: apns.unwrap().extend({ private_key: Secret.optional() }),
    }),
  })
  .partial()
  .meta({ description: "The app's settings. One that is not named is left as it is." });

const Collection = z.strictObject({
  access_mode: collectionDeclaration.access_mode.default('admin'),
  on_user_delete: collectionDeclaration.on_user_delete.default('delete'),
  indexed_fields: collectionDeclaration.indexed_fields.default([]),
});

export const AppFile = z
  .strictObject({
    settings: Settings,
    remote_config: ParametersInput.meta({
      description: 'All parameters of the remote config: `foyer apply` deletes others.',
    }),
    collections: z.record(CollectionName, Collection).meta({
      description: 'All collections by name: `foyer apply` deletes others.',
    }),
    webhooks: z
      .array(WebhookDeclaration)
      .meta({ description: 'All webhooks: `foyer apply` deletes others. One is identified by its URL.' }),
  })
  .partial();
export type AppFile = z.infer<typeof AppFile>;
/** The order in which a file has the settings. */
export const settingNames = Object.keys(Settings.shape) as (keyof SettingsInFile)[];
export type SettingsInFile = NonNullable<AppFile['settings']>;
export type Parameters = NonNullable<AppFile['remote_config']>;

/** By the path of the file, such as `mails/de/sign_in.md`. */
export type MailFiles = Record<string, z.infer<typeof MailText>>;
export type Purpose = (typeof mailPurposes)[number];

/** What the files of an app say. Groups that `app.yaml` does not have are undefined. */
export type AppContent = AppFile & { mails: MailFiles };

export const appFilePath = 'app.yaml';

export function mailPath(language: string, purpose: string): string {
  return `mails/${language}/${purpose}.md`;
}

/** For editors: `yaml-language-server` reads draft 7. */
export function appFileSchema(): object {
  const schema = z.toJSONSchema(AppFile, { io: 'input', unrepresentable: 'any', target: 'draft-7' });
  return { ...schema, title: 'A Foyer app (app.yaml)' };
}

// Writes an app as files. The text depends on the configuration only, so that two apps with the same one have the same files.
import { AppSettings, type ConfigParameter } from '@foyer/contract';
import {
  type CreateNodeOptions,
  type DocumentOptions,
  type SchemaOptions,
  stringify,
  type ToStringOptions,
} from 'yaml';
import * as z from 'zod';
import { compareTexts } from '../lib/compare-texts.js';
import { type AppContent, appFilePath, mailPath, type SettingsInFile, settingNames } from './app-file.js';

export type File = { path: string; text: string };

/** The references under which secrets appear that the app has. */
const secretNames = {
  providerA: 'PROVIDER_A_CLIENT_SECRET',
  providerB: 'PROVIDER_B_PRIVATE_KEY',
  fcm: 'FCM_SERVICE_ACCOUNT',
  apns: 'APNS_PRIVATE_KEY',
};

const title =
  '# The configuration of an app. `foyer diff` compares the app with it, `foyer apply` changes the app.\n';

const yamlOptions: DocumentOptions & SchemaOptions & CreateNodeOptions & ToStringOptions = {
  version: '1.2',
  schema: 'core',
  aliasDuplicateObjects: false,
  lineWidth: 0,
};

export function yamlText(value: unknown): string {
  return stringify(value, yamlOptions);
}

/** One file for the groups, and one for each text of a mail; sorted by path. */
export function filesOf({ mails, ...groups }: AppContent): File[] {
  const texts = Object.entries(groups).map(([name, group]) => yamlText({ [name]: group }));
  const files = Object.entries(mails).map(([path, { text, ...front }]) => ({
    path,
    text: `---\n${yamlText(front)}---\n${withUnixLines(text)}\n`,
  }));
  return [{ path: appFilePath, text: [title, ...texts].join('\n') }, ...files].sort(byPath);
}

/** A deep link may have been stored before a rule of today. */
const StoredSettings = AppSettings.extend({ deep_link: z.string().nullable() });

/** The settings that a file can have, in the order of the contract. */
export function settingsInFile(settings: AppSettings): {
  settings: SettingsInFile;
  mails: AppContent['mails'];
} {
  const { v1_deprecated_at: _, mail, provider_a, provider_b, ...more } = StoredSettings.parse(settings);
  const { providers, push, ...others } = more;
  const { texts, ...sender } = mail;
  const { private_key_set, private_key_fault: _b, ...providerB } = provider_b;
  const { client_secret_set, ...providerA } = provider_a;
  const { private_key_set: apnsSet, private_key_fault: _a, ...apns } = push.apns;
  const mails = Object.entries(texts).flatMap(([purpose, languages]) =>
    Object.entries(languages).map(([language, text]) => [mailPath(language, purpose), text] as const),
  );
  const all: SettingsInFile = {
    ...others,
    mail: sender,
    provider_a: { ...providerA, client_secret: reference(secretNames.providerA, client_secret_set) },
    provider_b: { ...providerB, private_key: reference(secretNames.providerB, private_key_set) },
    providers: sortedByKey(providersInFile(providers)),
    push: {
      fcm: { service_account: reference(secretNames.fcm, push.fcm.service_account_set) },
      apns: { ...apns, private_key: reference(secretNames.apns, apnsSet) },
      web_push: { subject: push.web_push.subject },
    },
  };
  return {
    settings: Object.fromEntries(settingNames.map((name) => [name, all[name]])),
    mails: Object.fromEntries(mails),
  };
}

function providersInFile(providers: AppSettings['providers']): NonNullable<SettingsInFile['providers']> {
  const entries = Object.entries(providers).map(([id, { client_secret_set: isSet, ...provider }]) => {
    const name = `${id.toUpperCase().replaceAll('-', '_')}_CLIENT_SECRET`;
    return [id, { ...provider, client_secret: reference(name, isSet) }] as const;
  });
  return Object.fromEntries(entries);
}

/** Sorted by name; a description that is empty is left out. */
export function parametersInFile(parameters: Record<string, ConfigParameter>) {
  return sortedByKey(
    Object.fromEntries(
      Object.entries(parameters).map(([name, { type, value, description }]) => [
        name,
        { type, value, ...(description !== '' && { description }) },
      ]),
    ),
  ) as Record<string, ConfigParameter>;
}

export function sortedByKey<Value>(map: Record<string, Value>): Record<string, Value> {
  return Object.fromEntries(Object.entries(map).sort(([one], [other]) => compareTexts(one, other)));
}

/** Git and editors change the ends of lines, so that files cannot hold others. */
export function withUnixLines(text: string): string {
  return text.replace(/\r\n?/g, '\n');
}

function reference(name: string, isSet: boolean): string | null {
  return isSet ? `\${${name}}` : null;
}

function byPath(one: File, other: File): number {
  return compareTexts(one.path, other.path);
}

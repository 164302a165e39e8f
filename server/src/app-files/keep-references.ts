// What a person has written into the files and `foyer pull` keeps: the comments at the beginning of `app.yaml`, and the names of
// environment variables.
import type { SettingsInFile } from './app-file.js';
import { FileFaults } from './file-faults.js';
import { contentOf } from './read-files.js';
import { type Environment, escapedReferences, expanded, namesIn } from './references.js';
import { type File, filesOf, parametersInFile } from './write-files.js';

export function withKeptParts(pulled: File[], existing: File[], env: Environment): File[] {
  const before = contentIfValid(existing);
  if (!before) return pulled;
  const content = contentOf(pulled);
  const files = filesOf({
    ...content,
    ...(content.settings && { settings: withSecretNames(content.settings, before.settings) }),
    ...(content.remote_config && { remote_config: parametersInFile(content.remote_config) }),
    ...(content.webhooks && {
      webhooks: content.webhooks.map((webhook) => ({
        ...webhook,
        url: withNames(webhook.url, before.webhooks ?? [], env),
      })),
    }),
  });
  return files.map((file) => withComments(file, existing));
}

function contentIfValid(files: File[]) {
  try {
    return contentOf(files);
  } catch (error) {
    if (error instanceof FileFaults) return null;
    throw error;
  }
}

function withSecretNames(settings: SettingsInFile, before: SettingsInFile | undefined): SettingsInFile {
  const { provider_a, provider_b, providers = {}, push } = settings;
  const providersBefore = before?.providers ?? {};
  const withName = ([id, provider]: [string, (typeof providers)[string]]) => {
    const own = Object.hasOwn(providersBefore, id) ? providersBefore[id] : undefined;
    return [id, { ...provider, ...named('client_secret', provider, own) }] as const;
  };
  return {
    ...settings,
    providers: Object.fromEntries(Object.entries(providers).map(withName)),
    provider_a: { ...provider_a, ...named('client_secret', provider_a, before?.provider_a) },
    provider_b: { ...provider_b, ...named('private_key', provider_b, before?.provider_b) },
    push: {
      ...push,
      fcm: { ...push?.fcm, ...named('service_account', push?.fcm, before?.push?.fcm) },
      apns: { ...push?.apns, ...named('private_key', push?.apns, before?.push?.apns) },
    },
  };
}

/** The reference of before, if the secret is set. */
function named<Name extends string>(
  name: Name,
  pulled: { [Key in Name]?: string | null | undefined } | undefined,
  before: { [Key in Name]?: string | null | undefined } | undefined,
) {
  const reference = pulled?.[name] && before?.[name];
  return reference ? { [name]: reference } : {};
}

function withNames(url: string, before: { url: string }[], env: Environment): string {
  const own = expanded(url, {});
  const kept = before.find((each) => namesIn(each.url).length > 0 && expanded(each.url, env) === own);
  return kept?.url ?? escapedReferences(own);
}

function withComments(file: File, existing: File[]): File {
  const comments = /^(?:#.*\n)+/;
  const [kept] = comments.exec(existing.find(({ path }) => path === file.path)?.text ?? '') ?? [];
  return kept === undefined ? file : { ...file, text: file.text.replace(comments, () => kept) };
}

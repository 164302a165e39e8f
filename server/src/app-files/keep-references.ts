// What a person has written into the files and `foyer pull` keeps: the comments at the beginning of `app.yaml`, and the names of
// environment variables. Everything else is written as the service sends it, which may be later than this version.
import * as z from 'zod';
import { isObject } from '../lib/json-rules.js';
import { type AppContent, appFilePath, Secret } from './app-file.js';
import { readYaml } from './read-yaml.js';
import { couldBe, type Environment, escapedReferences, expanded, namesIn } from './references.js';
import { type File, filesOf, withUnixLines } from './write-files.js';

export function withKeptParts(pulled: File[], existing: File[], env: Environment): File[] {
  return pulled.map((file) => {
    const before = existing.find(({ path }) => path === file.path);
    if (!before) return file;
    return withComments(file.path === appFilePath ? withReferences(file, before, env) : file, before);
  });
}

/** The groups that have references, in the order of a file. The existing file may have faults elsewhere, or a conflict of Git. */
const Groups = z.looseObject({
  settings: z.unknown().optional(),
  remote_config: z.unknown().optional(),
  collections: z.unknown().optional(),
  webhooks: z.array(z.looseObject({ url: z.string() })).optional(),
});

function withReferences(pulled: File, existing: File, env: Environment): File {
  const [groups, before] = [pulled, existing].map(({ text }) => {
    return readYaml(Groups, withUnixLines(text), appFilePath).value;
  }) as [z.infer<typeof Groups>, z.infer<typeof Groups>];
  const urls = urlsOf(groups.webhooks ?? [], before.webhooks ?? [], env);
  const content = {
    ...groups,
    ...('settings' in groups && { settings: withSecretNames(groups.settings, before.settings) }),
    ...(groups.webhooks && {
      webhooks: groups.webhooks.map((webhook, place) => ({ ...webhook, url: urls[place] })),
    }),
  };
  return filesOf({ ...(content as Omit<AppContent, 'mails'>), mails: {} })[0] as File;
}

const secretKeys = ['client_secret', 'private_key', 'service_account'];

/** With the reference of before in place of that of each secret which is set. */
function withSecretNames(settings: unknown, before: unknown): unknown {
  if (!isObject(settings) || !isObject(before)) return settings;
  return Object.fromEntries(
    Object.entries(settings).map(([key, value]) => {
      const own = Object.hasOwn(before, key) ? before[key] : undefined;
      if (!secretKeys.includes(key)) return [key, withSecretNames(value, own)];
      return [key, value && own && Secret.safeParse(own).success ? own : value];
    }),
  );
}

type Webhook = { url: string };

/**
 * The URLs with the references of before. One that may have the value of a reference is refused: the value, which may be a secret,
 * would be written in clear text.
 */
function urlsOf(pulled: Webhook[], before: Webhook[], env: Environment): string[] {
  const written = new Map(before.map(({ url }) => [expanded(url, env), url]));
  const urls = pulled.map(({ url }) => expanded(url, {}));
  const others = urls.filter((url) => !written.has(url));
  for (const [url, reference] of written) {
    if (!urls.includes(url)) requireNone(others, reference);
  }
  return urls.map((url) => written.get(url) ?? escapedReferences(url));
}

function requireNone(urls: string[], reference: string): void {
  const names = namesIn(reference).join(', ');
  if (names === '' || !urls.some((url) => couldBe(url, reference))) return;
  throw new Error(
    `the URL of a webhook may be ${reference} with a value that this environment does not have, and nothing was written: set ${names}, or remove that URL from ${appFilePath}`,
  );
}

function withComments(file: File, existing: File): File {
  const comments = /^(?:#.*\n)+/;
  const [kept] = comments.exec(existing.text) ?? [];
  return kept === undefined ? file : { ...file, text: file.text.replace(comments, () => kept) };
}

// What the files that a service sends say. The service may be later than this version, and the app may have settings that were
// stored before a rule of today: what `apply` can leave as it is counts as not named.
import * as z from 'zod';
import { type Fields, isObject } from '../lib/json-rules.js';
import { type AppContent, AppFile, appFilePath } from './app-file.js';
import { FileFaults } from './file-faults.js';
import { contentOf, isMailPath } from './read-files.js';
import { readYaml } from './read-yaml.js';
import { type File, yamlText } from './write-files.js';

export function contentOfApp(files: File[]): AppContent {
  const known = files.filter(({ path }) => path === appFilePath || isMailPath(path));
  try {
    return contentOf(known.map((file) => (file.path === appFilePath ? withKnownSettings(file) : file)));
  } catch (error) {
    if (!(error instanceof FileFaults)) throw error;
    throw new FileFaults(error.faults, 'the app has what this version of foyer does not know: update foyer');
  }
}

function withKnownSettings({ path, text }: File): File {
  const { value } = readYaml(z.record(z.string(), z.unknown()), text, path);
  for (const issue of AppFile.safeParse(value).error?.issues ?? []) {
    const places =
      issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...issue.path, key]) : [issue.path];
    for (const place of places.filter(isLeftAlone)) removeAt(value, place);
  }
  return { path, text: yamlText(value) };
}

/** Settings that are set as a whole: what is not known of them would be lost. */
const wholeSettings: unknown[] = ['passkeys', 'providers'];

/** Settings are patched, and a group that the files do not have is left as it is; the other groups are replaced. */
function isLeftAlone([group, setting]: PropertyKey[]): boolean {
  if (group === 'settings') return setting !== undefined && !wholeSettings.includes(setting);
  return group !== undefined && !Object.hasOwn(AppFile.shape, group);
}

/** Removes a value, or the list that contains it. */
function removeAt(fields: Fields, [key, ...below]: PropertyKey[]): void {
  const inner = fields[String(key)];
  if (below.length > 0 && isObject(inner)) removeAt(inner, below);
  else delete fields[String(key)];
}

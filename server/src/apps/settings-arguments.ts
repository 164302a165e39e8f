// Parses settings of the command line: `deep_link=https://…`, `mail.from_name=Example`, `provider_b.private_key=@key.p8`.
import { readFileSync } from 'node:fs';
import { AppSettingsPatch, errorMap } from '@foyer/contract';
import { jsonIn } from '../lib/json-rules.js';

/** Throws an Error with a message for the user. */
export function settingsOfArguments(words: string[]): AppSettingsPatch {
  const patch: Record<string, unknown> = Object.create(null);
  for (const word of words) {
    const split = word.indexOf('=');
    if (split < 1) throw new Error(`${JSON.stringify(word)} is not of the form name=value`);
    const path = word.slice(0, split).split('.');
    let place = patch;
    for (const step of path.slice(0, -1)) {
      place[step] ??= Object.create(null);
      place = place[step] as Record<string, unknown>;
      if (typeof place !== 'object') throw new Error(`${path.join('.')} is set twice`);
    }
    place[path.at(-1) as string] = valueIn(word.slice(split + 1));
  }
  const result = AppSettingsPatch.safeParse(JSON.parse(JSON.stringify(patch)), { error: errorMap });
  if (result.success) return result.data;
  const lines = result.error.issues.map(
    (issue) => `  ${issue.path.join('.') || 'settings'}: ${issue.message}`,
  );
  throw new Error(`these settings are wrong:\n${lines.join('\n')}`);
}

/**
 * JSON if it parses (null, numbers, lists, objects), `@file` for the text of a file, otherwise the text itself.
 */
function valueIn(word: string): unknown {
  if (word.startsWith('@')) return readFileSync(word.slice(1), 'utf8');
  const value = jsonIn(word);
  return value === undefined ? word : value;
}

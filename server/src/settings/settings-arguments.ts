// Parses settings of the command line: `deep_link=https://…`, `mail.from_name=Example`, `provider_b.private_key=@key.p8`.
import { readFileSync } from 'node:fs';
import { AppSettingsPatch, errorMap } from '@foyer/contract';
import { type Fields, isObject, jsonIn } from '../lib/json-rules.js';

/** Throws an Error with a message for the user. */
export function settingsOfArguments(words: string[]): AppSettingsPatch {
  const patch: Fields = Object.create(null);
  for (const word of words) {
    const split = word.indexOf('=');
    if (split < 1) throw new Error(`${JSON.stringify(word)} is not of the form name=value`);
    const name = word.slice(0, split);
    const path = name.split('.');
    const last = path.pop() as string;
    let place = patch;
    for (const step of path) {
      if (!(step in place)) place[step] = Object.create(null);
      place = placeIn(place[step], name);
    }
    if (last in place) throw setTwice(name);
    place[last] = valueIn(word.slice(split + 1));
  }
  const result = AppSettingsPatch.safeParse(JSON.parse(JSON.stringify(patch)), { error: errorMap });
  if (result.success) return result.data;
  const lines = result.error.issues.map(
    (issue) => `  ${issue.path.join('.') || 'settings'}: ${issue.message}`,
  );
  throw new Error(`these settings are wrong:\n${lines.join('\n')}`);
}

/** An object that was made for dotted names, which has no prototype, and not a value. */
function placeIn(value: unknown, name: string): Fields {
  if (!isObject(value) || Object.getPrototypeOf(value) !== null) throw setTwice(name);
  return value;
}

function setTwice(name: string): Error {
  return new Error(`${name} is set twice`);
}

/** JSON if it parses (null, numbers, lists, objects), `@file` for the value in a file, otherwise the text itself. */
function valueIn(word: string): unknown {
  if (word.startsWith('@')) return valueInFile(readFileSync(word.slice(1), 'utf8'));
  const value = jsonIn(word);
  return value === undefined ? word : value;
}

/** Objects stay text, as the service account of FCM. */
function valueInFile(content: string): unknown {
  const text = content.replace(/^\ufeff/, '');
  return /^\s*\[/.test(text) ? (jsonIn(text) ?? text) : text;
}

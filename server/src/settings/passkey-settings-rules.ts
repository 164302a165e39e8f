// Whether the files of the relying party's host let mobile apps use its passkeys.
import type { AppSettings } from '@foyer/contract';
import { isObject, jsonIn } from '../lib/json-rules.js';
import { type CheckStep, failed, passed, skipped } from './provider-settings-rules.js';

type Passkeys = NonNullable<AppSettings['passkeys']>;

/** A file that was fetched: its status and text, or why it could not be. */
export type FetchedFile = { status: number; body: string } | { failure: string };

export const appleFile = '/.well-known/apple-app-site-association';
export const androidFile = '/.well-known/assetlinks.json';

/** iOS and macOS apps: the file lists them under `webcredentials`. */
export function checkAppleFile(file: FetchedFile): CheckStep {
  const name = 'Apple apps';
  const json = jsonOf(file);
  if (typeof json === 'string')
    return failed(name, `${appleFile}: ${json}. Only apps of Apple's systems need it.`);
  const apps = isObject(json) && isObject(json.webcredentials) ? json.webcredentials.apps : undefined;
  if (Array.isArray(apps) && apps.some((app) => /^[A-Z0-9]{10}\.[A-Za-z0-9.-]+$/.test(String(app))))
    return passed(name, `${appleFile} names an app under webcredentials.`);
  return failed(
    name,
    `${appleFile} names no app: webcredentials.apps must have one such as ABCDE12345.com.example.app, the team id and ` +
      'the bundle id.',
  );
}

/** The relation by which an Android app may use the passkeys of the domain. */
const relation = 'delegate_permission/common.get_login_creds';

/** Android apps: the file names the certificate of each origin that begins with `android:`. */
export function checkAndroidFile(file: FetchedFile, { origins }: Passkeys): CheckStep {
  const name = 'Android apps';
  const wanted = origins.filter((origin) => origin.startsWith('android:')).map(fingerprintOf);
  if (wanted.length === 0) return skipped(name, 'No origin begins with android:apk-key-hash:.');
  const json = jsonOf(file);
  if (typeof json === 'string') return failed(name, `${androidFile}: ${json}.`);
  const statements = Array.isArray(json) ? json.filter(isObject) : [];
  const named = statements
    .filter((each) => Array.isArray(each.relation) && each.relation.includes(relation))
    .flatMap(({ target }) => (isObject(target) ? target.sha256_cert_fingerprints : []))
    .map((fingerprint) => String(fingerprint).toUpperCase());
  const missing = wanted.find((fingerprint) => !named.includes(fingerprint));
  if (missing === undefined)
    return passed(name, `${androidFile} names the certificate of each Android origin.`);
  return failed(
    name,
    `${androidFile} has no statement with the relation ${relation} and the certificate ${missing}.`,
  );
}

/** `android:apk-key-hash:` and base64url, as the file spells the same: `AB:CD:…`. */
function fingerprintOf(origin: string): string {
  const hash = Buffer.from(origin.slice(origin.lastIndexOf(':') + 1), 'base64url').toString('hex');
  return (hash.toUpperCase().match(/../g) ?? []).join(':');
}

/** The JSON of a file, or what is wrong with it. */
function jsonOf(file: FetchedFile): unknown {
  if ('failure' in file) return file.failure;
  if (file.status !== 200)
    return `the host answered with status ${file.status}, without a redirect it must be 200`;
  return jsonIn(file.body) ?? 'the file is not JSON';
}

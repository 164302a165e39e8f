// What `foyer apply` would change: the difference between the app and its files, group by group.
import type { AppFileGroup, AppFilesChange, WebhookDeclaration } from '@foyer/contract';
import { type Fields, isObject } from '../lib/json-rules.js';
import type { AppContent, MailFiles, Parameters, SettingsInFile } from './app-file.js';
import { added, changed, changedText, removed } from './shown-changes.js';
import { filesOf } from './write-files.js';

type Values = Omit<AppFilesChange, 'version' | 'delete_records'>;

export type GroupPlan = {
  group: AppFileGroup;
  /** For the person who reads the difference. */
  lines: string[];
  /** What would be deleted; empty if nothing is. */
  deletions: string[];
  /** The environment variables whose values are sent. */
  secrets: string[];
  /** What is sent, with the secrets of an environment. */
  values(env: Readonly<Record<string, string | undefined>>): Values;
};

type ProvidersInFile = NonNullable<SettingsInFile['providers']>;
type Difference = { lines: string[]; deletion?: string };
type Reference = [name: string, variable: string];

/** The secrets, which files have as references. The app does not show them, so one that is set is not sent again. */
const secretSettings = [
  'provider_a.client_secret',
  'provider_b.private_key',
  'push.fcm.service_account',
  'push.apns.private_key',
];
/** Settings that are set as a whole. */
const wholeSettings = ['passkeys'];

/** The groups that differ. `sendSecrets`: also secrets that are set. */
export function planOf(current: AppContent, wanted: AppContent, sendSecrets: boolean): GroupPlan[] {
  const plans = [
    settingsPlan(current, wanted, sendSecrets),
    wanted.remote_config && configPlan(current.remote_config ?? {}, wanted.remote_config),
    wanted.collections && collectionsPlan(current.collections ?? {}, wanted.collections),
    wanted.webhooks && webhooksPlan(current.webhooks ?? [], wanted.webhooks),
  ];
  return plans.filter((plan): plan is GroupPlan => plan !== undefined && plan.lines.length > 0);
}

function settingsPlan(current: AppContent, wanted: AppContent, sendSecrets: boolean): GroupPlan {
  const differences: Difference[] = [];
  const patch: Fields = {};
  const references: Reference[] = [];
  const { providers, ...settings } = wanted.settings ?? {};
  const before = new Map(leavesOf(current.settings ?? {}));
  for (const [name, value] of leavesOf(settings)) {
    const isSet = before.get(name) !== null;
    if (!secretSettings.includes(name)) {
      if (isSame(before.get(name), value)) continue;
      differences.push({ lines: changed(name, before.get(name) ?? null, value) });
      setAt(patch, name, value);
    } else if (value !== null && (!isSet || sendSecrets)) {
      differences.push({ lines: [`~ ${name}: set from ${value}`] });
      references.push([name, String(value).slice(2, -1)]);
    } else if (value === null && isSet) {
      differences.push({ lines: removed(name), deletion: `the secret ${name}` });
      setAt(patch, name, null);
    }
  }
  if (providers) {
    const before = current.settings?.providers ?? {};
    const given = { before, wanted: providers, sendSecrets };
    differences.push(...providerDifferences(given, patch, references));
  }
  const managesMails = wanted.settings !== undefined || Object.keys(wanted.mails).length > 0;
  if (managesMails) differences.push(...mailDifferences(current.mails, wanted.mails, patch));
  return {
    ...shownAs('settings', differences),
    secrets: references.map(([, variable]) => variable),
    values(env) {
      const complete = structuredClone(patch);
      for (const [name, variable] of references) setAt(complete, name, env[variable]);
      return { settings: complete as Values['settings'] };
    },
  };
}

type Providers = { before: ProvidersInFile; wanted: ProvidersInFile; sendSecrets: boolean };

/** Each is set as a whole; its secret is sent where the app has none for the issuer. */
function providerDifferences(
  { before: current, wanted, sendSecrets }: Providers,
  patch: Fields,
  references: Reference[],
): Difference[] {
  return namesOf(current, wanted).flatMap((id) => {
    const name = `providers.${id}`;
    const [before, after] = [valueIn(current, id), valueIn(wanted, id)];
    if (!after) {
      setAt(patch, name, null);
      return [{ lines: removed(name), deletion: `the provider ${id}` }];
    }
    const secretName = `${name}.client_secret`;
    const { client_secret: secret, ...given } = after;
    const provider = { ...given, scopes: given.scopes ?? null };
    const { client_secret: secretBefore = null, ...providerBefore } = before ?? {};
    const isSet = secretBefore !== null && before?.issuer === after.issuer && before.kind === after.kind;
    const sends = typeof secret === 'string' && (!isSet || sendSecrets);
    const removes = secret === null && secretBefore !== null;
    const lines = before ? fieldsChanged(name, providerBefore, provider) : added(name);
    if (lines.length === 0 && !sends && !removes) return [];
    setAt(patch, name, { ...provider, ...(removes && { client_secret: null }) });
    if (sends) {
      references.push([secretName, secret.slice(2, -1)]);
      return [{ lines: [...lines, `~ ${secretName}: set from ${secret}`] }];
    }
    if (!removes) return [{ lines }];
    return [{ lines: [...lines, ...removed(secretName)], deletion: `the secret ${secretName}` }];
  });
}

function mailDifferences(current: MailFiles, wanted: MailFiles, patch: Fields): Difference[] {
  return namesOf(current, wanted).flatMap((path) => {
    const [before, after] = [valueIn(current, path), valueIn(wanted, path)];
    if (isSame(before, after)) return [];
    const [, language = '', purpose = ''] = path.replace(/\.md$/, '').split('/');
    setAt(patch, `mail.texts.${purpose}.${language}`, after ?? null);
    if (!before) return [{ lines: added(path) }];
    if (!after) return [{ lines: removed(path), deletion: `the mail text ${path}` }];
    return [{ lines: changedText(path, mailText(path, before), mailText(path, after)) }];
  });
}

function mailText(path: string, mail: MailFiles[string]): string {
  return filesOf({ mails: { [path]: mail } }).find((file) => file.path === path)?.text ?? '';
}

function configPlan(current: Parameters, wanted: Parameters): GroupPlan {
  const differences = namesOf(current, wanted).flatMap((name) => {
    const [before, after] = [valueIn(current, name), valueIn(wanted, name)];
    if (isSame(before, after)) return [];
    if (!before) return [{ lines: added(name) }];
    if (!after) return [{ lines: removed(name), deletion: `the parameter ${name}` }];
    return [{ lines: fieldsChanged(name, before, after) }];
  });
  return { ...shownAs('remote_config', differences), secrets: [], values: () => ({ remote_config: wanted }) };
}

function collectionsPlan(
  current: NonNullable<AppContent['collections']>,
  wanted: NonNullable<AppContent['collections']>,
): GroupPlan {
  const differences = namesOf(current, wanted).flatMap((name) => {
    const [before, after] = [valueIn(current, name), valueIn(wanted, name)];
    if (isSame(before, after)) return [];
    if (!before) return [{ lines: added(name) }];
    if (!after) return [{ lines: removed(name), deletion: `the collection ${name}` }];
    return [{ lines: fieldsChanged(name, before, after) }];
  });
  const collections = Object.entries(wanted).map(([name, declaration]) => ({ name, ...declaration }));
  return { ...shownAs('collections', differences), secrets: [], values: () => ({ collections }) };
}

/** Webhooks with the same URL are compared in their order, those that are equal first. */
function webhooksPlan(current: WebhookDeclaration[], wanted: WebhookDeclaration[]): GroupPlan {
  const left = [...current];
  const take = (matches: (each: WebhookDeclaration) => boolean) => {
    const at = left.findIndex(matches);
    return at < 0 ? undefined : left.splice(at, 1)[0];
  };
  const differing = wanted.filter((webhook) => !take((each) => isSame(each, webhook)));
  const differences: Difference[] = differing.map((webhook) => {
    const before = take(({ url }) => url === webhook.url);
    return { lines: before ? fieldsChanged(webhook.url, before, webhook) : added(webhook.url) };
  });
  for (const { url } of left) differences.push({ lines: removed(url), deletion: `the webhook ${url}` });
  return { ...shownAs('webhooks', differences), secrets: [], values: () => ({ webhooks: wanted }) };
}

function fieldsChanged(name: string, before: object, after: object): string[] {
  const [from, to] = [before as Fields, after as Fields];
  return namesOf(from, to).flatMap((field) =>
    isSame(from[field], to[field]) ? [] : changed(`${name}.${field}`, from[field] ?? null, to[field] ?? null),
  );
}

function shownAs(group: AppFileGroup, differences: Difference[]) {
  return {
    group,
    lines: differences.flatMap(({ lines }) => lines),
    deletions: differences.flatMap(({ deletion }) => (deletion === undefined ? [] : [deletion])),
  };
}

/** Every setting by its path, such as `mail.from_name`. */
function leavesOf(value: SettingsInFile | Fields, above = ''): [string, unknown][] {
  return Object.entries(value).flatMap(([key, inner]) => {
    const name = `${above}${key}`;
    if (inner === undefined) return [];
    return isObject(inner) && !wholeSettings.includes(name)
      ? leavesOf(inner, `${name}.`)
      : ([[name, inner]] as [string, unknown][]);
  });
}

function setAt(fields: Fields, name: string, value: unknown): void {
  const keys = name.split('.');
  const last = keys.pop() as string;
  let place = fields;
  for (const key of keys) {
    place[key] ??= {};
    place = place[key] as Fields;
  }
  place[last] = value;
}

/** A parameter or a provider may be named like a method of every object. */
function valueIn<Value>(map: Record<string, Value>, name: string): Value | undefined {
  return Object.hasOwn(map, name) ? map[name] : undefined;
}

function namesOf(one: object, other: object): string[] {
  return [...new Set([...Object.keys(one), ...Object.keys(other)])].sort();
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

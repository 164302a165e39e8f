// The one detail of an audit entry that matters, in words.
import type { AuditEntry } from '@foyer/contract';
import { capitalized } from './capitalized.ts';
import { providerName } from './provider-name.ts';
import { devicesText, signedText } from './quantities.ts';
import { signInMethods } from './sign-in-methods.ts';
import { failureWords, limitWords, tokenWords } from './sign-in-words.ts';

type Details = Record<string, unknown>;
type Change = { from: unknown; to: unknown };

const mostChanges = 3;

/** Empty if the action says everything. */
export function detailText(entry: AuditEntry): string {
  const { details } = entry;
  const own = wordsOf(entry);
  const count = typeof details.count === 'number' && details.count > 1 ? `${details.count} times` : '';
  return [own, entry.action === 'audit.left_out' ? `${details.count} entries` : count]
    .filter(Boolean)
    .join(', ');
}

/** To whom a push message was sent; the log has the kind and not the ids. */
const recipients: Record<string, string> = {
  all: 'To all devices',
  topic: 'To a topic',
  uids: 'To chosen users',
  device_ids: 'To chosen devices',
};

const byAction: Record<string, (details: Details) => string> = {
  'loyalty.entry_added': ({ points, description }) =>
    [`${signedText(Number(points))} points`, description].filter(Boolean).join(', '),
  'member.role_changed': ({ from, to }) => `Role: ${from} → ${to}`,
  'app.renamed': ({ from, to }) => change('Name', { from, to }),
  'user.updated': ({ changed }) => (changed as string[]).map(nameOf).join(', ') || 'Nothing differed',
  'config.rolled_back': (details) =>
    [
      `Version ${details.rolled_back_to} as version ${details.version}`,
      changesText(details, parameterOf),
    ].join(': '),
  'config.updated': (details) => changesText(details, parameterOf) || `Version ${details.version}`,
  'users.imported': ({ created, failed, service }) =>
    service === undefined ? `${created} created, ${failed} failed` : `From ${service}`,
  'users.exported': ({ hashes }) => (hashes ? 'With password hashes' : 'Without password hashes'),
  'users.imported_from_v1': ({ lines }) => `${lines} lines`,
  'push.sent': ({ to, target_count }) =>
    [
      ...(to as string[]).map((kind) => recipients[kind] ?? nameOf(kind)),
      devicesText(Number(target_count)),
    ].join(', '),
  'user.limits_lifted': ({ limits }) => (limits as string[]).map(limitWords).join('; '),
  'app.limit_reached': ({ limit, reached_by }) =>
    limit === undefined ? '' : `${nameOf(String(limit))}, by the ${reached_by}`,
  'user.recovery_code_used': ({ left }) => `${left} left`,
  'user.second_factor_enrolled': ({ replaced }) => (replaced ? 'In place of an earlier one' : ''),
  'secret_key.created': ({ scopes }) => (scopes as string[]).join(', '),
  'signing_keys.rotated': ({ algorithm }) => String(algorithm),
  'webhook.created': ({ url }) => String(url),
  'webhook.replayed': ({ since, until }) => `${since} – ${until}`,
  'webhook.disabled': ({ reason }) =>
    reason === 'gone' ? 'The receiver answered 410' : 'No delivery succeeded for five days',
  'provider.token_refused': ({ reason }) => capitalized(tokenWords(reason)),
  'user.unproven_removed': (details) =>
    Object.keys(details)
      .filter((name) => details[name])
      .map(nameOf)
      .join(', '),
};

function wordsOf(entry: AuditEntry): string {
  const { action, details } = entry;
  if (Object.keys(details).length === 0) return '';
  if (action.endsWith('_failed') && details.method !== undefined) return capitalized(failureWords(entry));
  if (action === 'user.guesses_limited') return failureWords(entry);
  const own = byAction[action];
  if (own) return own(details);
  if (details.changes !== undefined || details.secrets !== undefined) return changesText(details, settingOf);
  return general(details);
}

/** The details that many actions share. */
function general({
  method,
  second_factor,
  provider,
  role,
  purpose,
  reason,
  record,
  scope,
  changed,
}: Details): string {
  const parts = [
    typeof method === 'string' && (signInMethods[method as keyof typeof signInMethods] ?? nameOf(method)),
    typeof second_factor === 'string' && nameOf(second_factor),
    typeof provider === 'string' && providerName(provider),
    typeof role === 'string' && `Role: ${role}`,
    typeof purpose === 'string' && nameOf(purpose),
    typeof reason === 'string' && nameOf(reason),
    typeof scope === 'string' && scope,
    typeof record === 'string' && record,
    Array.isArray(changed) && changed.map(nameOf).join(', '),
  ];
  return parts.filter(Boolean).join(', ');
}

function changesText({ changes = {}, secrets = [] }: Details, labelOf: (path: string) => string): string {
  const values = Object.entries(changes as Record<string, Change>).filter(
    ([path]) => !/_(set|fault)$/.test(path),
  );
  const texts = [
    ...(secrets as string[]).map((path) => `${labelOf(path)} set or removed`),
    ...values.map(([path, each]) => change(labelOf(path), each)),
  ];
  const more = texts.length - mostChanges;
  return [...texts.slice(0, mostChanges), ...(more > 0 ? [`${more} more`] : [])].join('; ');
}

function change(label: string, { from, to }: Change): string {
  return `${label}: ${valueText(from)} → ${valueText(to)}`;
}

function valueText(value: unknown): string {
  if (value === null || value === '') return 'none';
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(valueText).join(', ');
  if (typeof value !== 'object') return String(value);
  // A new or removed parameter.
  return 'value' in value ? valueText(value.value) : JSON.stringify(value);
}

/** `mail.from_name` as "Mail, from name". */
function settingOf(path: string): string {
  return capitalized(path.split('.').map(plain).join(', '));
}

/** `cards.value` as "cards": a parameter is known by its name. */
function parameterOf(path: string): string {
  return path.replace(/\.value$/, '').replace('.', ', ');
}

function nameOf(name: string): string {
  return capitalized(plain(name.replace(/^[a-z]+\//, '')));
}

function plain(name: string): string {
  return name.replaceAll(/[_-]/g, ' ');
}

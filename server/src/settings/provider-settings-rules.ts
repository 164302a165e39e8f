// Checks the settings of an identity provider as far as their form tells. The form of client ids, team ids and key ids is
// known for Google and Apple; the service may be configured with other providers.
import type { AppSettings, ProviderCheck } from '@foyer/contract';

export type CheckStep = ProviderCheck['steps'][number];

function stepOf(status: CheckStep['status']) {
  return (name: string, message: string): CheckStep => ({ name, status, message });
}

export const passed = stepOf('passed');
export const failed = stepOf('failed');
export const skipped = stepOf('skipped');

/** A client id and what it is for. */
type PlatformId = [platform: string, id: string];

/** A message has at most 1,000 characters. */
const maxQuoted = 2;

const clientIds = 'Client ids';
const clientIdForm = 'Form of the client ids';

export function checkSettingsOfProviderA(
  { client_ids: { web, ios, android } }: Pick<AppSettings['provider_a'], 'client_ids'>,
  isGoogle: boolean,
): CheckStep[] {
  return checkClientIds(
    [
      ['the web', web],
      ['iOS', ios],
      ['Android', android],
    ],
    'Set at least one client id: for the web, iOS or Android. Without one, sign-in with this provider is off.',
    (set) => checkFormOfProviderA(set, isGoogle),
  );
}

function checkFormOfProviderA(set: PlatformId[], isGoogle: boolean): CheckStep {
  if (!isGoogle)
    return skipped(clientIdForm, 'The provider is not Google, so the form of its client ids is not known.');
  const wrong = set.filter(([, id]) => !/^[^\s/@]+\.apps\.googleusercontent\.com$/.test(id));
  if (wrong.length === 0) return passed(clientIdForm, 'Each ends with .apps.googleusercontent.com.');
  return failed(
    clientIdForm,
    `A client id of Google ends with .apps.googleusercontent.com; ${quoted(wrong)} does not. Copy ` +
      'it from the Google Cloud console (APIs & Services, Credentials, OAuth 2.0 client IDs).',
  );
}

export function checkSettingsOfProviderB(
  settings: Omit<AppSettings['provider_b'], 'private_key_set' | 'private_key_fault'>,
  isApple: boolean,
): CheckStep[] {
  const { services_ids: servicesIds, bundle_ids: bundleIds, team_id: teamId, key_id: keyId } = settings;
  return [
    ...checkClientIds(
      [
        ['the web', servicesIds],
        ['the app', bundleIds],
      ],
      'Set the Services ID for sign-in on the web, or the bundle id for sign-in in the app. Without one of them, ' +
        'sign-in with this provider is off.',
      (set) => checkIdentifiers(set, isApple),
    ),
    checkId('Team id', teamId, isApple, 'Set the team id of the developer account at the provider.'),
    checkId('Key id', keyId, isApple, 'Set the id of the private key, which the provider shows beside it.'),
  ];
}

function checkIdentifiers(set: PlatformId[], isApple: boolean): CheckStep {
  if (!isApple)
    return skipped(clientIdForm, 'The provider is not Apple, so the form of its client ids is not known.');
  const wrong = set.filter(([, id]) => !/^[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+$/.test(id));
  if (wrong.length > 0) {
    return failed(
      clientIdForm,
      `An identifier of Apple looks like com.example.app; ${quoted(wrong)} does not. Copy it from ` +
        'the Apple Developer account (Certificates, Identifiers & Profiles, Identifiers), without the team id in front.',
    );
  }
  if (new Set(set.map(([, id]) => id)).size < set.length) {
    return failed(
      clientIdForm,
      'A Services ID is also a bundle id. Apple makes the Services ID an identifier of its own: copy it ' +
        'from the Apple Developer account (Identifiers, Services IDs), or leave it empty without sign-in on the web.',
    );
  }
  return passed(clientIdForm, 'Each looks like com.example.app.');
}

function checkId(name: string, id: string | null, isApple: boolean, missing: string): CheckStep {
  if (id === null) return failed(name, `${missing} ${withoutKey}`);
  if (isApple && !/^[A-Z0-9]{10}$/.test(id)) {
    return failed(
      name,
      `A ${name.toLowerCase()} of Apple has 10 capital letters and digits, such as A1B2C3D4E5; this one does not.`,
    );
  }
  return passed(name, 'Set.');
}

/** Says what happens while the service cannot prove to provider B that it acts for the app. */
export const withoutKey =
  'Until then users can sign in, but their tokens cannot be revoked at the provider when they delete their account, ' +
  'which Apple requires.';

function checkClientIds(
  ids: [platform: string, ids: readonly string[]][],
  missing: string,
  checkForm: (set: PlatformId[]) => CheckStep,
): CheckStep[] {
  const set = ids.flatMap(([platform, each]) => each.map((id): PlatformId => [platform, id]));
  if (set.length === 0) return [failed(clientIds, missing), skipped(clientIdForm, 'Set a client id first.')];
  const platforms = ids.filter(([, each]) => each.length > 0);
  const named = platforms.map(([platform, { length }]) =>
    length === 1 ? platform : `${platform} (${length})`,
  );
  return [passed(clientIds, `Set for ${listed(named)}.`), checkForm(set)];
}

function quoted(ids: PlatformId[]): string {
  const named = ids.slice(0, maxQuoted).map(([platform, id]) => `"${id}" for ${platform}`);
  return listed(ids.length > maxQuoted ? [...named, `${ids.length - maxQuoted} more`] : named);
}

function listed(words: string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}

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

const clientIds = 'Client ids';
const clientIdForm = 'Form of the client ids';

export function checkSettingsOfProviderA(
  { client_ids: { web, ios, android } }: AppSettings['provider_a'],
  isGoogle: boolean,
): CheckStep[] {
  return checkClientIds(
    { web, iOS: ios, Android: android },
    'Set at least one client id: for the web, iOS or Android. Without one, sign-in with this provider is off.',
    (set) => checkFormOfProviderA(set, isGoogle),
  );
}

function checkFormOfProviderA(set: [string, string][], isGoogle: boolean): CheckStep {
  if (!isGoogle)
    return skipped(clientIdForm, 'The provider is not Google, so the form of its client ids is not known.');
  const wrong = set.filter(([, id]) => !/^[^\s/@]+\.apps\.googleusercontent\.com$/.test(id));
  if (wrong.length === 0) return passed(clientIdForm, 'Each ends with .apps.googleusercontent.com.');
  return failed(
    clientIdForm,
    `A client id of Google ends with .apps.googleusercontent.com; that for ${listed(wrong)} does not. Copy ` +
      'it from the Google Cloud console (APIs & Services, Credentials, OAuth 2.0 client IDs).',
  );
}

export function checkSettingsOfProviderB(
  settings: Omit<AppSettings['provider_b'], 'private_key_set'>,
  isApple: boolean,
): CheckStep[] {
  const { services_id: servicesId, bundle_id: bundleId, team_id: teamId, key_id: keyId } = settings;
  return [
    ...checkClientIds(
      { 'the web': servicesId, 'the app': bundleId },
      'Set the Services ID for sign-in on the web, or the bundle id for sign-in in the app. Without one of them, ' +
        'sign-in with this provider is off.',
      (set) => checkIdentifiers(set, isApple),
    ),
    checkId('Team id', teamId, isApple, 'Set the team id of the developer account at the provider.'),
    checkId('Key id', keyId, isApple, 'Set the id of the private key, which the provider shows beside it.'),
  ];
}

function checkIdentifiers(set: [string, string][], isApple: boolean): CheckStep {
  if (!isApple)
    return skipped(clientIdForm, 'The provider is not Apple, so the form of its client ids is not known.');
  const wrong = set.filter(([, id]) => !/^[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+$/.test(id));
  if (wrong.length > 0) {
    return failed(
      clientIdForm,
      `An identifier of Apple looks like com.example.app; that for ${listed(wrong)} does not. Copy it from ` +
        'the Apple Developer account (Certificates, Identifiers & Profiles, Identifiers), without the team id in front.',
    );
  }
  if (new Set(set.map(([, id]) => id)).size < set.length) {
    return failed(
      clientIdForm,
      'The Services ID and the bundle id are the same. Apple makes the Services ID an identifier of its own: copy it ' +
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

/** What happens while the service cannot prove to provider B that it acts for the app. */
export const withoutKey =
  'Until then users can sign in, but their tokens cannot be revoked at the provider when they delete their account, ' +
  'which Apple requires.';

function checkClientIds(
  ids: Record<string, string | null>,
  missing: string,
  checkForm: (set: [string, string][]) => CheckStep,
): CheckStep[] {
  const set = Object.entries(ids).filter((entry): entry is [string, string] => entry[1] !== null);
  if (set.length === 0) return [failed(clientIds, missing), skipped(clientIdForm, 'Set a client id first.')];
  return [passed(clientIds, `Set for ${listed(set)}.`), checkForm(set)];
}

function listed(set: [string, string][]): string {
  return set.map(([name]) => name).join(' and ');
}

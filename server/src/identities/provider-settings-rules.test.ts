// What is wrong with the settings of a provider, row by row.
import { expect, test } from 'vitest';
import { checkSettingsOfProviderA, checkSettingsOfProviderB } from './provider-settings-rules.js';

const google = '123456-abc.apps.googleusercontent.com';

test.each([
  [
    'nothing',
    {},
    true,
    { 'Client ids': /^failed: Set at least one client id/, 'Form of the client ids': /^skipped/ },
  ],
  [
    'one of Google',
    { ios: google },
    true,
    { 'Client ids': /^passed: Set for iOS\.$/, 'Form of the client ids': /^passed/ },
  ],
  [
    'a wrong one beside a right one',
    { web: google, android: 'com.example.app' },
    true,
    {
      'Client ids': /^passed: Set for web and Android\.$/,
      'Form of the client ids': /^failed: .*that for Android does not\. Copy it/,
    },
  ],
  ['the bare ending', { web: '.apps.googleusercontent.com' }, true, { 'Form of the client ids': /^failed/ }],
  ['an address', { web: `https://${google}` }, true, { 'Form of the client ids': /^failed/ }],
  ['spaces', { web: ` ${google}` }, true, { 'Form of the client ids': /^failed/ }],
  ['any of another provider', { web: 'web.client' }, false, { 'Form of the client ids': /^skipped/ }],
])('provider A with %s', (_, ids, isGoogle, expected) => {
  const none = { web: null, ios: null, android: null };
  expectSteps(checkSettingsOfProviderA({ client_ids: { ...none, ...ids } }, isGoogle), expected);
});

const complete = {
  services_id: 'com.example.web',
  bundle_id: 'com.example.app',
  team_id: 'A1B2C3D4E5',
  key_id: 'ABC123DEFG',
};

test.each([
  [
    'everything',
    {},
    true,
    {
      'Client ids': /^passed: Set for the web and the app\.$/,
      'Form of the client ids': /^passed/,
      'Team id': /^passed/,
      'Key id': /^passed/,
    },
  ],
  [
    'no client id',
    { services_id: null, bundle_id: null },
    true,
    { 'Client ids': /^failed: Set the Services ID/, 'Form of the client ids': /^skipped/ },
  ],
  ['only a bundle id', { services_id: null }, true, { 'Client ids': /^passed: Set for the app\.$/ }],
  [
    'one identifier for both',
    { services_id: 'com.example.app' },
    true,
    { 'Form of the client ids': /^failed: The Services ID and the bundle id are the same\./ },
  ],
  [
    'the name of an app',
    { bundle_id: 'Example' },
    true,
    { 'Form of the client ids': /^failed: .*that for the app does not\./ },
  ],
  [
    'no team id and no key id',
    { team_id: null, key_id: null },
    true,
    { 'Team id': /^failed: Set the team id/, 'Key id': /^failed: Set the id of the private key/ },
  ],
  [
    'a team id of 9 characters',
    { team_id: 'A1B2C3D4E' },
    true,
    { 'Team id': /^failed: A team id of Apple has 10/ },
  ],
  [
    'a key id of 11 characters',
    { key_id: 'ABC123DEFGH' },
    true,
    { 'Key id': /^failed: A key id of Apple has 10/ },
  ],
  ['a key id in small letters', { key_id: 'abc123defg' }, true, { 'Key id': /^failed/ }],
  [
    'values of another provider',
    { services_id: 'web', bundle_id: 'web', team_id: 'team', key_id: 'key' },
    false,
    { 'Form of the client ids': /^skipped/, 'Team id': /^passed/, 'Key id': /^passed/ },
  ],
])('provider B with %s', (_, given, isApple, expected) => {
  expectSteps(checkSettingsOfProviderB({ ...complete, ...given }, isApple), expected);
});

function expectSteps(
  steps: { name: string; status: string; message: string }[],
  expected: Record<string, RegExp>,
): void {
  const seen = Object.fromEntries(steps.map(({ name, status, message }) => [name, `${status}: ${message}`]));
  for (const [name, pattern] of Object.entries(expected)) expect(seen[name], name).toMatch(pattern);
}

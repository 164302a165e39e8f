// What is wrong with the settings of a provider, row by row.
import { expect, test } from 'vitest';
import { checkSettingsOfProviderA, checkSettingsOfProviderB } from './provider-settings-rules.js';

const [ids, form, team, key] = ['Client ids', 'Form of the client ids', 'Team id', 'Key id'];
const google = '123456-abc.apps.googleusercontent.com';

test.each([
  ['nothing', {}, true, { [ids]: /^failed: Set at least one client id/, [form]: /^skipped/ }],
  ['one of Google', { ios: [google] }, true, { [ids]: /^passed: Set for iOS\.$/, [form]: /^passed/ }],
  [
    'a wrong one beside a right one',
    { web: [google], android: ['com.example.app', google, 'x y', 'z'] },
    true,
    {
      [ids]: /^passed: Set for the web and Android \(4\)\.$/,
      [form]: /^failed: .*; "com\.example\.app" for Android, "x y" for Android and 1 more does not\. Copy it/,
    },
  ],
  ['two wrong ones', { web: ['x', 'y'] }, true, { [form]: /"x" for the web and "y" for the web does not/ }],
  ['the bare ending', { web: ['.apps.googleusercontent.com'] }, true, { [form]: /^failed/ }],
  ['an address', { web: [`https://${google}`] }, true, { [form]: /^failed/ }],
  ['spaces', { web: [` ${google}`] }, true, { [form]: /^failed/ }],
  ['any of another provider', { web: ['web.client'] }, false, { [form]: /^skipped/ }],
])('provider A with %s', (_, given, isGoogle, expected) => {
  const none = { web: [], ios: [], android: [] };
  expectSteps(checkSettingsOfProviderA({ client_ids: { ...none, ...given } }, isGoogle), expected);
});

const complete = {
  services_ids: ['com.example.web'],
  bundle_ids: ['com.example.app'],
  team_id: 'A1B2C3D4E5',
  key_id: 'ABC123DEFG',
};

test.each([
  [
    'everything',
    {},
    true,
    {
      [ids]: /^passed: Set for the web and the app\.$/,
      [form]: /^passed/,
      [team]: /^passed/,
      [key]: /^passed/,
    },
  ],
  [
    'no client id',
    { services_ids: [], bundle_ids: [] },
    true,
    { [ids]: /^failed: Set the Services ID/, [form]: /^skipped/ },
  ],
  ['only a bundle id', { services_ids: [] }, true, { [ids]: /^passed: Set for the app\.$/ }],
  [
    'one identifier for both',
    { services_ids: ['com.example.app'] },
    true,
    { [form]: /^failed: A Services ID is also a bundle id\./ },
  ],
  [
    'the name of an app',
    { bundle_ids: ['Example'] },
    true,
    { [form]: /^failed: .*"Example" for the app does not\./ },
  ],
  [
    'no team id and no key id',
    { team_id: null, key_id: null },
    true,
    { [team]: /^failed: Set the team id/, [key]: /^failed: Set the id of the private key/ },
  ],
  [
    'a team id of 9 characters',
    { team_id: 'A1B2C3D4E' },
    true,
    { [team]: /^failed: A team id of Apple has 10/ },
  ],
  [
    'a key id of 11 characters',
    { key_id: 'ABC123DEFGH' },
    true,
    { [key]: /^failed: A key id of Apple has 10/ },
  ],
  ['a key id in small letters', { key_id: 'abc123defg' }, true, { [key]: /^failed/ }],
  [
    'values of another provider',
    { services_ids: ['web'], bundle_ids: ['web'], team_id: 'team', key_id: 'key' },
    false,
    { [form]: /^skipped/, [team]: /^passed/, [key]: /^passed/ },
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

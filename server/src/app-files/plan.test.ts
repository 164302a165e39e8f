// Which parts of an app `foyer apply` manages, and what it shows and sends.
import { expect, test } from 'vitest';
import type { AppContent } from './app-file.js';
import { planOf } from './plan.js';

const german = { 'mails/de/reset.md': { subject: 'Code', text: 'Hallo' } };
const french = { 'mails/fr/reset.md': { subject: 'Code', text: 'Bonjour' } };

test.each<[string, AppContent, string[]]>([
  ['neither settings nor mails', { mails: {} }, []],
  ['settings', { settings: {}, mails: {} }, ['the mail text mails/de/reset.md']],
  ['another mail', { mails: french }, ['the mail text mails/de/reset.md']],
])(
  'a mail that is not in the files is deleted if they have settings or mails: %s',
  (_what, wanted, deletions) => {
    const plans = planOf({ settings: {}, mails: german }, wanted, false);
    expect(plans.flatMap((plan) => plan.deletions)).toEqual(deletions);
  },
);

const hook = { url: 'https://a.example.com/hook', description: null, types: ['*'], enabled: true };
const notes = { access: 'owner', schema: null, indexes: [] };
const contoso = {
  kind: 'openid',
  issuer: 'https://login.example.com',
  client_ids: ['a'],
  scopes: null,
  client_secret: `\${SECRET}`,
};
const withContoso = (change: object = {}) =>
  ({ settings: { providers: { contoso: { ...contoso, ...change } } }, mails: {} }) as unknown as AppContent;
const others = (change: object) => ({ mails: {}, ...change }) as unknown as AppContent;

test.each<[string, AppContent, AppContent, boolean, string[]]>([
  ['a secret that is set', withContoso(), withContoso(), false, []],
  [
    'the same, if secrets are to be sent',
    withContoso(),
    withContoso(),
    true,
    [`~ providers.contoso.client_secret: set from \${SECRET}`],
  ],
  [
    'a provider of another kind, for which the app has no secret',
    withContoso({ kind: 'oauth2' }),
    withContoso(),
    false,
    ['~ providers.contoso.kind: oauth2 → openid', `~ providers.contoso.client_secret: set from \${SECRET}`],
  ],
  [
    'a provider at another issuer, for which the app has no secret',
    withContoso({ issuer: 'https://login.example.org' }),
    withContoso(),
    false,
    [
      '~ providers.contoso.issuer: https://login.example.org → https://login.example.com',
      `~ providers.contoso.client_secret: set from \${SECRET}`,
    ],
  ],
  [
    'a provider whose secret is not set',
    withContoso({ client_secret: null }),
    withContoso(),
    false,
    [`~ providers.contoso.client_secret: set from \${SECRET}`],
  ],
  [
    'a webhook with other types',
    others({ webhooks: [hook] }),
    others({ webhooks: [{ ...hook, types: ['user.created'] }] }),
    false,
    ['~ https://a.example.com/hook.types: - "*" → - user.created'],
  ],
  [
    'a parameter with another value',
    others({ remote_config: { a: { type: 'number', value: 1 } } }),
    others({ remote_config: { a: { type: 'number', value: 2 } } }),
    false,
    ['~ a.value: 1 → 2'],
  ],
  [
    'a collection with other access',
    others({ collections: { notes } }),
    others({ collections: { notes: { ...notes, access: 'shared' } } }),
    false,
    ['~ notes.access: owner → shared'],
  ],
])('of %s only what differs is shown', (_what, current, wanted, sendSecrets, lines) => {
  const plans = planOf(current, wanted, sendSecrets);
  expect(plans.flatMap((plan) => plan.lines)).toEqual(lines);
  expect(plans.flatMap((plan) => plan.deletions)).toEqual([]);
});

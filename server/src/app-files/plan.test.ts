// Which parts of an app `foyer apply` manages.
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

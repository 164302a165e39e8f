// Every action of the audit log in words, and the detail of an entry that matters.
import { type AuditEntry, auditActions } from '@foyer/contract';
import { expect, test } from 'vitest';
import { detailText } from './audit-details.ts';
import { actionGroups, actionText, targetText } from './audit-words.ts';

test('every action is in one group, with words of its own', () => {
  const grouped = Object.values(actionGroups).flatMap((group) => Object.entries(group));
  expect(grouped.map(([action]) => action).sort()).toEqual(Object.keys(auditActions).sort());
  expect(new Set(grouped.map(([, words]) => words)).size).toBe(grouped.length);
  expect(actionText('user.signed_in')).toBe('Signed in');
  expect(actionText('user.of_a_later_version')).toBe('User of a later version');
});

const change = (from: unknown, to: unknown) => ({ from, to });

test.each<[string, Record<string, unknown>, string]>([
  ['loyalty.entry_added', { entry: '01', points: 170, description: 'Birthday' }, '+170 points, Birthday'],
  ['loyalty.entry_added', { entry: '01', points: -5 }, '−5 points'],
  ['member.role_changed', { from: 'viewer', to: 'editor' }, 'Role: viewer → editor'],
  [
    'settings.updated',
    { changed: ['deep_link'], changes: { deep_link: change('a', 'b') } },
    'Deep link: a → b',
  ],
  [
    'settings.updated',
    { changes: { 'mail.from_name': change(null, 'Foyer'), allowed_origins: change(['a', 'b'], []) } },
    'Mail, from name: none → Foyer; Allowed origins: a, b → none',
  ],
  [
    'settings.updated',
    {
      changes: { 'provider_b.private_key_set': change(false, true) },
      secrets: ['provider_b.private_key'],
    },
    'Provider b, private key set or removed',
  ],
  ['settings.updated', { changed: ['mail', 'sign_up'] }, 'Mail, Sign up'],
  [
    'config.updated',
    { version: 3, changes: { 'cards.value': change('a', 'b'), fresh: change(null, { value: true }) } },
    'cards: a → b; fresh: none → on',
  ],
  ['config.updated', { version: 3, changes: {} }, 'Version 3'],
  [
    'webhook.updated',
    { changes: { a: change(1, 2), b: change(1, 2), c: change(1, 2), d: change(1, 2), e: change(1, 2) } },
    'A: 1 → 2; B: 1 → 2; C: 1 → 2; 2 more',
  ],
  ['user.signed_in', { method: 'password', second_factor: 'totp' }, 'Password, Totp'],
  [
    'user.sign_in_failed',
    { method: 'email_code', reason: 'auth/code-expired', count: 12 },
    'Emailed code: the code had expired, 12 times',
  ],
  ['user.updated', { changed: ['first_name', 'email'] }, 'First name, Email'],
  ['user.updated', { changed: [] }, 'Nothing differed'],
  ['push.sent', { to: ['topic'], target_count: 17 }, 'To a topic, 17 devices'],
  ['push.sent', { to: ['uids'], target_count: 1 }, 'To chosen users, 1 device'],
  ['user.code_sent', { purpose: 'sign_in' }, 'Sign in'],
  ['users.imported', { created: 2, failed: 1 }, '2 created, 1 failed'],
  ['users.imported', { service: 'Firebase' }, 'From Firebase'],
  ['users.exported', { hashes: true }, 'With password hashes'],
  ['users.exported', { hashes: false }, 'Without password hashes'],
  ['user.signed_out', {}, ''],
  ['audit.left_out', { count: 7 }, '7 entries'],
])('%s %j', (action, details, expected) => {
  expect(detailText({ action, target: 'user:1', details } as AuditEntry)).toBe(expected);
});

test.each<[string, string | null, string]>([
  ['user:01', 'Ada Lovelace', 'Ada Lovelace'],
  ['user:01', null, 'A user'],
  ['session:01', null, 'A session'],
  ['session:01', 'Ada Lovelace', 'A session of Ada Lovelace'],
  ['push_message:01', 'Hello', '“Hello”'],
  ['collection:notes', null, 'notes'],
  ['secret_key:01', 'backend', 'Key backend'],
  ['config', null, 'Remote config'],
  ['of_a_later_version:01', null, 'of_a_later_version:01'],
])('the target %s with the name %j is shown as %s', (target, target_name, expected) => {
  expect(targetText({ target, target_name })).toBe(expected);
});

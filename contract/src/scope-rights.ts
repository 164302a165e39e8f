// What each scope amounts to in the hands of somebody else, beyond the words of its name. The dashboard shows it where a key
// is created, docs/security.md has it as a table.
import type { SecretKeyScope } from './scopes.js';

export type ScopeRight = { allows: string; amountsTo: string };

export const scopeRights: Record<SecretKeyScope, ScopeRight> = {
  'users:read': {
    allows: 'Read users and their devices',
    amountsTo: 'All personal data of every user: email, name, claims, sessions with IP addresses.',
  },
  'users:write': {
    allows: 'Create, change and delete users',
    amountsTo:
      'Can become any user, by setting a password or an email; grant any custom claim; and do all that users:support allows. Creates no points without loyalty:write.',
  },
  'users:support': {
    allows: 'Help users to sign in: codes, limits, sessions, notes; disable and enable',
    amountsTo:
      'Can lock any user out, and lift the limits that slow down guesses; and read each user whose id it knows, because a change returns the user. Cannot become a user.',
  },
  'tokens:verify': {
    allows: 'Verify access tokens',
    amountsTo: 'The profile of each user whose access token it is given.',
  },
  'push:read': {
    allows: 'Read messages, receipts and devices',
    amountsTo: 'The text of every message, and which devices belong to whom.',
  },
  'push:send': {
    allows: 'Send messages',
    amountsTo: 'Can say anything to any user in the name of the app.',
  },
  'data:read': {
    allows: 'Read the list of collections and their records',
    amountsTo: 'Every record of every user, whatever the access mode of the collection.',
  },
  'data:write': {
    allows: 'Create, change and delete records',
    amountsTo:
      'Can forge or erase every record; and read those whose ids it knows, because a change returns the record.',
  },
  'data:manage': {
    allows: 'Create, change and delete collections',
    amountsTo:
      'Can let everyone read or change every record, with another access mode; or delete all of them.',
  },
  'files:read': {
    allows: 'Read files',
    amountsTo:
      'Every private file, except exports of users, which need the scopes of what is in them; its URLs work for others too, while the key is active.',
  },
  'files:write': {
    allows: 'Upload and delete files',
    amountsTo: 'Can publish files under the origin of the service, and erase the files of every user.',
  },
  'config:read': {
    allows: 'Read the config and its history',
    amountsTo: 'Also the values that were replaced, and who replaced them.',
  },
  'config:write': {
    allows: 'Publish and roll back',
    amountsTo: 'Decides what every app shows, including the URLs that users are sent to.',
  },
  'loyalty:read': {
    allows: 'Read points and their history',
    amountsTo: 'The points of each user whose id it knows.',
  },
  'loyalty:write': {
    allows: 'Add and deduct points',
    amountsTo: 'Can create whatever points are worth, for any user.',
  },
  'webhooks:manage': {
    allows: 'Manage webhooks, replay and read events',
    amountsTo:
      'Can stop events, and forge them for your backend with a new secret. With users:read, also create and redirect webhooks, replay and read events: a copy of all of them.',
  },
  'settings:manage': {
    allows: 'Read all settings, and change those that do not concern sign-in',
    amountsTo:
      'Can stop the app from working: quotas, push credentials, the end of v1. Cannot become a user.',
  },
  'sign-in:manage': {
    allows: 'Change sign-in, providers, redirect URIs, deep link, mails and origins',
    amountsTo:
      'Can become any user: by a client id of its own, or a deep link or redirect URI that receives the codes. Also reads all settings.',
  },
  'audit:read': {
    allows: 'Read the audit log',
    amountsTo:
      'Who did what and when, with emails and IP addresses of users and members, and old and new values of settings and remote config.',
  },
  'migration:read': {
    allows: 'Read the progress of the move from v1',
    amountsTo: 'Figures only.',
  },
  'stats:read': {
    allows: 'Read statistics',
    amountsTo: 'Figures only.',
  },
};

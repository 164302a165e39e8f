// The parts of the v2 document that are not in the contract: its title, its introduction and the texts for each group
// of routes.
import { contract, ErrorEnvelope, WebhookPayload } from '@foyer/contract';
import { codedErrors } from './error-answers.js';
import type { DocumentSource } from './source.js';
import { introduction } from './v2-introduction.js';

const groupTexts: Record<keyof typeof contract, { title: string; description: string }> = {
  signIn: {
    title: 'Sign-in',
    description: 'Sign up and sign in: each call starts a session and returns its first tokens.',
  },
  passwords: {
    title: 'Passwords',
    description: 'Resetting and changing passwords.',
  },
  sessions: {
    title: 'Sessions',
    description: 'Refreshing tokens, signing out, and the devices on which a user is signed in.',
  },
  profile: {
    title: 'Profile',
    description: "The signed-in user's own profile, email address and account.",
  },
  push: {
    title: 'Push devices',
    description: 'The devices that receive push messages of the app, and the topics they are subscribed to.',
  },
  pushMessages: {
    title: 'Push messages',
    description: "Sending push messages from the app's own backend, and their delivery reports. Secret key.",
  },
  passkeys: {
    title: 'Passkeys',
    description: 'The passkeys (WebAuthn credentials) of the signed-in user.',
  },
  identities: {
    title: 'Identities',
    description: 'The identity providers that the signed-in user has linked.',
  },
  secondFactor: {
    title: 'Second factor',
    description:
      'The second step of a sign-in, and the authenticator app and recovery codes of the signed-in user.',
  },
  loyalty: {
    title: 'Loyalty',
    description: "The signed-in user's points, tier and history.",
  },
  loyaltyEntries: {
    title: 'Loyalty ledger',
    description: "Adding points to a user and taking them away, from the app's own backend. Secret key.",
  },
  remoteConfig: {
    title: 'Remote config',
    description: 'Named values that the app reads and its team changes without a release.',
  },
  tokens: {
    title: 'Tokens',
    description: 'The public documents for verifying access tokens offline, without app key or envelope.',
  },
  v1Exchange: {
    title: 'Moving from v1',
    description: 'Exchanging a v1 token for a v2 session.',
  },
  migration: {
    title: 'Migration',
    description: 'How many users still use v1, to decide when it can be switched off. Secret key.',
  },
  tokenVerification: {
    title: 'Token verification',
    description:
      'Verifying an access token by a call, for backends that do not verify it offline. Secret key.',
  },
  files: {
    title: 'Files',
    description: "Uploading and deleting a user's files, and reading their metadata and URLs.",
  },
  fileBytes: {
    title: 'File contents',
    description: 'The bytes of a file at its URL, without app key, token or envelope.',
  },
  allFiles: {
    title: 'All files',
    description: "The files of every user, for the app's own backend. Secret key.",
  },
  apps: {
    title: 'App settings',
    description: 'Reading and changing the settings of the app. Secret key.',
  },
  appFiles: {
    title: 'App as files',
    description:
      'The settings, remote config, collections and webhooks of the app as files, and changes of them. Secret key.',
  },
  settingsChecks: {
    title: 'Settings checks',
    description:
      'Previews of mails, test mails, and checks of identity providers. Secret key or team member.',
  },
  keys: {
    title: 'Secret keys',
    description: 'The secret keys of the app. Team member.',
  },
  stats: {
    title: 'Statistics',
    description: 'Sign-ups, sign-ins, active users and errors of each day. Secret key.',
  },
  configVersions: {
    title: 'Remote config versions',
    description: 'Changing the remote config: each change is a version that can be restored. Secret key.',
  },
  users: {
    title: 'Users',
    description: "Managing the users of the app from the app's own backend. Secret key.",
  },
  support: {
    title: 'Support',
    description: 'Helping a user who cannot sign in: limits, codes and notes. Secret key.',
  },
  userExport: {
    title: 'User export',
    description: 'Everything that is stored about a user, as a file of the user.',
  },
  webhooks: {
    title: 'Webhooks',
    description: 'The webhooks of the app, their deliveries, and the events. Secret key.',
  },
  audit: {
    title: 'Audit log',
    description: 'The actions on the app and its accounts, with their actors and IP addresses. Secret key.',
  },
  data: {
    title: 'Data',
    description:
      'JSON records in the collections that the app declares. There are no rules per record: the access mode of ' +
      'a collection defines what is allowed with only the app key, as a signed-in user, and with a secret key.',
  },
  collections: {
    title: 'Collections',
    description: 'Declaring the collections of JSON records and their access modes. Secret key.',
  },
  console: {
    title: 'Team',
    description:
      'The apps of a team member, and the members of the team of an app. Called by the dashboard, with the app key of ' +
      'the reserved app `console`.',
  },
  invitations: {
    title: 'Invitations',
    description: 'Accepting an invitation to a team. Called by the dashboard.',
  },
};

/** The headings under which viewers list the tags. */
const tagGroups: { name: string; tags: (keyof typeof contract)[] }[] = [
  {
    name: 'Signing in',
    tags: [
      'signIn',
      'secondFactor',
      'passwords',
      'passkeys',
      'sessions',
      'identities',
      'tokens',
      'v1Exchange',
    ],
  },
  { name: 'The signed-in user', tags: ['profile', 'userExport', 'loyalty', 'files', 'fileBytes', 'push'] },
  { name: 'App content', tags: ['remoteConfig', 'data'] },
  {
    name: 'Administration: users',
    tags: [
      'users',
      'support',
      'tokenVerification',
      'loyaltyEntries',
      'allFiles',
      'pushMessages',
      'migration',
    ],
  },
  {
    name: 'Administration: the app',
    tags: [
      'apps',
      'appFiles',
      'settingsChecks',
      'keys',
      'stats',
      'configVersions',
      'collections',
      'webhooks',
      'audit',
    ],
  },
  { name: 'Dashboard', tags: ['console', 'invitations'] },
];

export const v2: DocumentSource = {
  title: 'Foyer API',
  // The next one after the last release replaces it.
  version: '2.0.0',
  introduction,
  baseUrl: {
    default: 'http://localhost:3000/api/v2',
    description: 'The base URL of the service, including the version.',
  },
  groups: contract,
  groupTexts,
  tagGroups,
  sdk: true,
  errorEnvelope: ErrorEnvelope,
  errors: codedErrors,
  userToken: {
    bearerFormat: 'JWT',
    description: 'The access token of a signed-in user: `Authorization: Bearer <ACCESS_TOKEN>`.',
  },
  headers: ['X-Request-Id'],
  webhook: {
    name: 'event',
    tag: 'webhooks',
    summary: 'An event of the app, or a test',
    description:
      'Sent to each webhook that is subscribed to the type, and signed according to [Standard ' +
      'Webhooks](https://www.standardwebhooks.com); the SDK’s `verifyWebhook` verifies the signature. Every ' +
      'event is delivered at least once: ignore a `webhook-id` that was already received. Attempts start in ' +
      'the order of the events, several at a time, and failed ones are retried after 5 s, 5 min, 30 min, 2 h, 5 ' +
      'h, 10 h, 14 h, 20 h and 24 h, each ±10 %: order by `timestamp` and `id` if the order matters. ' +
      'Redirects are not followed.',
    payload: WebhookPayload,
  },
};

// What the v2 document says beside the contract: its title, its introduction and the words for each group of routes.
import { contract, ErrorEnvelope, WebhookPayload } from '@foyer/contract';
import type { DocumentSource } from './document.js';
import { codedErrors } from './error-answers.js';
import { introduction } from './v2-introduction.js';

const groupTexts: Record<keyof typeof contract, { title: string; description: string }> = {
  signIn: {
    title: 'Sign-in',
    description: 'Ways in: each call starts a session and answers with its first pair of tokens.',
  },
  passwords: {
    title: 'Passwords',
    description: 'Forgotten, reset and changed passwords.',
  },
  sessions: {
    title: 'Sessions',
    description: 'Staying signed in, signing out, and the devices a user is signed in on.',
  },
  profile: {
    title: 'Profile',
    description: 'What the signed-in user can read and change of the own account.',
  },
  push: {
    title: 'Push',
    description: "The devices that an app's messages go to, and the topics they are subscribed to.",
  },
  pushMessages: {
    title: 'Push messages',
    description: "Sending messages from the app's own backend, with a secret key, and what became of them.",
  },
  identities: {
    title: 'Identities',
    description: 'The identity providers that the signed-in user has linked.',
  },
  loyalty: {
    title: 'Loyalty',
    description: "The signed-in user's points, tier and history.",
  },
  loyaltyEntries: {
    title: 'Loyalty ledger',
    description: "Points that the app's own backend adds to a user or takes away, with a secret key.",
  },
  remoteConfig: {
    title: 'Remote config',
    description: 'Values that the app reads, and that its team changes without a release.',
  },
  tokens: {
    title: 'Tokens',
    description:
      'What anybody needs to verify an access token: public documents, without app key or envelope.',
  },
  v1Exchange: {
    title: 'Moving from v1',
    description: 'How an app that still holds a token of v1 becomes signed in to v2.',
  },
  migration: {
    title: 'Migration',
    description: 'Who is left on v1, for the app to switch it off when nobody is.',
  },
  tokenVerification: {
    title: 'Token verification',
    description: 'For a backend that would rather ask than verify access tokens itself, with a secret key.',
  },
  files: {
    title: 'Files',
    description:
      'Pictures, documents and whatever else users keep with the app: uploaded, described, addressed, deleted.',
  },
  fileBytes: {
    title: 'Bytes of files',
    description: 'What the address of a file opens, without app key, token or envelope.',
  },
  allFiles: {
    title: 'All files',
    description: "The files of every user, for the app's own backend.",
  },
  apps: {
    title: 'Apps',
    description: "What the app's own backend reads and sets, with a secret key.",
  },
  configVersions: {
    title: 'Remote config versions',
    description:
      "How the app's team changes the remote config: each change is a version that can be brought back.",
  },
  users: {
    title: 'Users',
    description: "The users of the app, for the app's own backend, with a secret key.",
  },
  webhooks: {
    title: 'Webhooks',
    description:
      'Where the events of the app are sent, what became of each, and the events themselves, with a secret key.',
  },
  audit: {
    title: 'Audit log',
    description: 'What was done to the app and its accounts, by whom and from where.',
  },
  data: {
    title: 'Data',
    description:
      'JSON records in the collections that the app declares. There are no rules per record: the access mode of a ' +
      'collection says what an app key alone, a signed-in user and a secret key may do.',
  },
  collections: {
    title: 'Collections',
    description: 'The declarations of the collections of JSON records.',
  },
};

export const v2: DocumentSource = {
  title: 'Foyer API',
  version: '2',
  introduction,
  baseUrl: {
    default: 'http://localhost:3000/api/v2',
    description: 'Where the service is reached, with the version in it.',
  },
  groups: contract,
  groupTexts,
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
      'Sent to each webhook that wants the type, and signed as [Standard Webhooks](https://www.standardwebhooks.com) ' +
      'says; the SDK’s `verifyWebhook` checks it. Every event arrives at least once: a receiver that has seen the ' +
      '`webhook-id` ignores it. Attempts begin in the order of the events, several at once, and failed ones are ' +
      'repeated after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h, each give or take a tenth: order by ' +
      '`timestamp` and `id` where order matters. Redirects are not followed.',
    payload: WebhookPayload,
  },
};

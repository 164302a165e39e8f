// Which types the SDK declares for which schemas of the contract. A description is given here where
// the schema has none, or one that is about a property.
import {
  contract,
  credentialsOf,
  type EndpointAuth,
  errorCatalogue,
  ImportUser,
  limits,
  metadataOf,
  WebhookPayload,
} from '@foyer/contract';
import { answer, body, camelCase, inside, item, query, schemaOf } from './schemas.js';
import type { Schema } from './typescript.js';

/** A file of `src/generated/`: its first line, and its types by name. */
export type Source = { purpose: string; types: Record<string, Schema> };

const { signIn, passwords, profile, sessions, identities, loyalty, push, files } = contract;
const { users, webhooks, collections, configVersions, loyaltyEntries, pushMessages, apps } = contract;

const reauthentication = body(signIn.reauthenticate);
const settings = answer(apps.getSettings);
const message = body(pushMessages.send);
const event = (type: string) =>
  schemaOf(WebhookPayload, 'output').oneOf?.find((each) => each.properties?.type?.const === type) ?? {};

const models: Record<string, Schema> = {
  User: answer(profile.get),
  ProfilePatch: described(
    body(profile.update),
    'The fields of the profile to change. `null` clears a field.',
  ),
  SignUp: described(
    body(signIn.signUp),
    `A new account with a password of at least ${limits.minPasswordCharacters} characters.`,
  ),
  PasswordCredential: described(body(signIn.withPassword), 'An email and its password.'),
  EmailCodeSignIn: described(
    body(signIn.withEmailCode),
    'An emailed code, and the names for an account that it may create.',
  ),
  CodeSent: answer(signIn.sendEmailCode),
  PasswordReset: described(body(passwords.reset), 'A new password, and the emailed code that allows it.'),
  PasswordChange: described(
    camelCase(body(passwords.change)),
    'A new password. `currentPassword` replaces a recent sign-in.',
  ),
  ProviderAProof: described(camelCase(body(signIn.withProviderA)), 'The credential from provider A.'),
  ProviderBProof: described(
    camelCase(inside(reauthentication, 'provider_b')),
    'The credential from provider B.',
  ),
  Provider: described(inside(item(identities.list), 'provider'), 'An identity provider.'),
  Identity: item(identities.list),
  SessionInfo: item(sessions.list),
  LoyaltyStatus: answer(loyalty.status),
  LoyaltyEntry: item(loyalty.history),
  PageQuery: described(query(sessions.list), 'Which page of a list to read.'),
  AccessAnswer: described(answer(signIn.reauthenticate), 'A new access token. It stays inside the SDK.'),
  TokenAnswer: answer(signIn.withPassword),
  ProviderATokenAnswer: described(answer(signIn.withProviderA), 'The answer to a sign-in with provider A.'),
  FileVisibility: described(inside(answer(files.get), 'visibility'), 'Who can read a file.'),
  FileInfo: answer(files.get),
  FileUrl: answer(files.url),
  PushProvider: inside(answer(push.register), 'provider'),
  PushPlatform: inside(answer(push.register), 'platform'),
  PushRegistration: described(camelCase(body(push.register)), 'The device that the app runs on.'),
  PushDevice: answer(push.register),
};

const adminModels: Record<string, Schema> = {
  AdminUser: item(users.list),
  NewUser: described(
    body(users.create),
    'A user to create. Without a password the user signs in with an emailed code or a provider.',
  ),
  UserPatch: described(
    body(users.update),
    'The fields to change. `null` clears a field. A new password, and `disabled: true`, end every session. A new email is unverified unless `email_verified` is given.',
  ),
  ImportUser: schemaOf(ImportUser, 'input'),
  ImportReport: answer(users.import),
  UserQuery: described(query(users.list), 'Filters of the list of users, combined with AND, and its order.'),
  AuditEntry: item(contract.audit.list),
  AuditLogQuery: described(query(contract.audit.list), 'Filters of the audit log, combined with AND.'),
  AccessMode: inside(item(collections.list), 'access_mode'),
  CollectionInfo: item(collections.list),
  NewCollection: described(body(collections.create), 'A collection to declare.'),
  CollectionPatch: described(body(collections.update), 'The parts of a declaration to change.'),
  ConfigParameter: described(
    inside(answer(configVersions.get), 'parameters', '{}'),
    'A parameter of the remote config.',
  ),
  NewConfigParameter: described(
    inside(body(configVersions.replace), 'parameters', '{}'),
    'A parameter of the remote config to write.',
  ),
  ConfigVersion: item(configVersions.list),
  ConfigSnapshot: answer(configVersions.get),
  FileQuery: described(query(contract.allFiles.list), 'Filters of the list of files, combined with AND.'),
  LedgerEntry: item(loyaltyEntries.list),
  NewLedgerEntry: described(body(loyaltyEntries.add), 'An entry to add to the ledger of points.'),
  AddedEntry: answer(loyaltyEntries.add),
  MigrationReport: answer(contract.migration.get),
  PushNotification: described(inside(message, 'notification'), 'What a device shows.'),
  PushDelivery: described(inside(message, 'options'), 'How a message is delivered.'),
  PushTarget: described(inside(item(pushMessages.list), 'target'), 'The recipients: exactly one of these.'),
  NewPushMessage: described(message, 'A message to send: a notification, data, or both, to one target.'),
  PushSent: answer(pushMessages.send),
  PushMessage: item(pushMessages.list),
  PushReceipt: item(pushMessages.receipts),
  Tier: described(inside(settings, 'tiers', '[]'), 'A loyalty tier.'),
  RateLimitName: described(
    inside(settings, 'rate_limits', '(name)'),
    'A rate limit that an app can set, named as in `RateLimit-Policy`.',
  ),
  RateLimitRule: described(inside(settings, 'rate_limits', '{}'), 'A limit per window of time.'),
  MailPurpose: described(inside(settings, 'mail', 'texts', '(name)'), 'What a mail is sent for.'),
  MailText: described(inside(settings, 'mail', 'texts', '{}', '{}'), 'The text of a mail in one language.'),
  AppSettings: settings,
  AppSettingsPatch: described(
    body(apps.updateSettings),
    'The settings to change. `null` clears a nullable setting, and removes an entry of a map.',
  ),
  DailyStats: inside(answer(contract.stats.daily), 'days', '[]'),
  StatsReport: described(answer(contract.stats.daily), 'The statistics of the days that were read.'),
  StatsQuery: described(query(contract.stats.daily), 'The days to read.'),
  MailDraft: described(body(contract.settingsChecks.previewMail), 'The mail to render.'),
  RenderedMail: answer(contract.settingsChecks.previewMail),
  ProviderCheck: answer(contract.settingsChecks.checkProvider),
  TokenVerdict: answer(contract.tokenVerification.verify),
  AppEventType: described(inside(item(webhooks.list), 'types', '[]'), 'The type of an event of the app.'),
  NewWebhook: described(body(webhooks.create), 'A webhook to add.'),
  WebhookPatch: described(body(webhooks.update), 'The properties of a webhook to change.'),
  Webhook: item(webhooks.list),
  WebhookWithSecret: answer(webhooks.create),
  WebhookDelivery: item(webhooks.listDeliveries),
  WebhookDeliveryDetails: answer(webhooks.getDelivery),
  DeliveryQuery: described(query(webhooks.listDeliveries), 'Filters of the list of deliveries.'),
  ReplayStretch: described(body(webhooks.replay), 'The period whose events are sent again.'),
  WebhookReplay: answer(webhooks.replay),
  EventQuery: described(query(webhooks.listEvents), 'Filters of the list of events, combined with AND.'),
};

const webhookModels: Record<string, Schema> = {
  WebhookUser: inside(event('user.created'), 'data', 'user'),
  WebhookSession: described(inside(event('session.created'), 'data', 'session'), 'The session of an event.'),
  WebhookLoyaltyEntry: inside(event('loyalty.points_changed'), 'data', 'entry'),
  WebhookEventType: described(
    inside(item(webhooks.listDeliveries), 'event_type'),
    'The type of an event. A later version of the service may add types.',
  ),
  WebhookEvent: schemaOf(WebhookPayload, 'output'),
};

const errorCodes: Record<string, Schema> = {
  ServerCode: {
    description:
      'The codes that the service answers. A later version may add codes; unknown ones are passed through.',
    oneOf: Object.entries(errorCatalogue).map(([code, { status, message }]) => ({
      const: code,
      description: `${status}: ${message}`,
    })),
  },
};

const routes: Record<string, Schema> = {
  Route: {
    description: 'The endpoints that an app calls, as `METHOD /path`.',
    enum: routesFor((auth) => auth !== 'public' && auth !== 'admin' && !isOfDashboard(auth)),
  },
  AdminRoute: {
    description: "The endpoints that only an app's backend calls.",
    enum: routesFor((auth) => auth === 'admin'),
  },
  SecretKeyRoute: {
    description: 'The endpoints that accept a secret key.',
    enum: routesFor((auth) => credentialsOf(auth).secretKey),
  },
};

/** The files by name. A type of an earlier file can be used by a later one. */
export const sources: Record<string, Source> = {
  'error-codes': { purpose: 'The error codes of the service.', types: errorCodes },
  routes: { purpose: 'The endpoints that the SDK can call.', types: routes },
  models: { purpose: 'What the calls of an app send and receive.', types: models },
  'webhook-models': { purpose: 'What webhooks carry.', types: webhookModels },
  'admin-models': { purpose: "What the calls of an app's backend send and receive.", types: adminModels },
};

/** The calls that only the dashboard makes. */
function isOfDashboard(auth: EndpointAuth): boolean {
  return auth === 'member' || auth.startsWith('console');
}

function routesFor(accepts: (auth: EndpointAuth) => boolean): string[] {
  return Object.values(contract)
    .flatMap((group) => Object.values(group))
    .filter((route) => accepts(metadataOf(route).auth))
    .map(({ method, path }) => `${method} ${path}`);
}

function described(schema: Schema, description: string): Schema {
  return { ...schema, description };
}

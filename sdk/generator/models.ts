// The types that the SDK declares for the schemas of the contract. A description is given here where the schema has
// none, or one that is about a property.
import {
  contract,
  type EndpointAuth,
  errorCatalogue,
  ImportUser,
  limits,
  metadataOf,
  WebhookPayload,
} from '@foyer/contract';
import { capitalized, interfaceName } from './call-files.js';
import { adminCalls, type Call, consoleCalls } from './calls.js';
import { answer, body, inside, item, query, schemaOf } from './schemas.js';
import { type Schema, shapeOf } from './typescript.js';

/** A file of `src/generated/`: its first line, and its types by name. */
export type Source = { purpose: string; types: Record<string, Schema> };

const { signIn, passkeys, secondFactor, passwords, profile, sessions, identities, loyalty, push, files } =
  contract;
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
  SignInMethods: answer(signIn.methods),
  CodeSent: answer(signIn.sendEmailCode),
  PasswordReset: described(body(passwords.reset), 'A new password, and the emailed code that allows it.'),
  PasswordChange: described(
    body(passwords.change),
    'A new password. `current_password` replaces a recent sign-in.',
  ),
  ProviderAProof: described(body(signIn.withProviderA), 'The credential from provider A.'),
  ProviderSignIn: described(
    body(signIn.withProvider),
    'The credential from any provider, and the names that provider B returns at the first sign-in.',
  ),
  RedirectBegun: answer(signIn.beginRedirect),
  RedirectProof: described(
    body(signIn.finishRedirect),
    'What the user came back from a provider with, and the code verifier of the client that began.',
  ),
  ProviderBProof: described(inside(reauthentication, 'provider_b'), 'The credential from provider B.'),
  Identity: item(identities.list),
  PasskeyAssertion: inside(body(signIn.withPasskey), 'credential'),
  PasskeyRegistration: inside(body(passkeys.create), 'credential'),
  PasskeySignInOptions: answer(signIn.passkeyOptions),
  PasskeyCreationOptions: answer(passkeys.creationOptions),
  Passkey: item(passkeys.list),
  AcceptedPasskeys: answer(passkeys.remove),
  SessionInfo: item(sessions.list),
  LoyaltyStatus: answer(loyalty.status),
  LoyaltyEntry: item(loyalty.history),
  PageQuery: described(query(sessions.list), 'Which page of a list to read.'),
  AccessAnswer: described(answer(signIn.reauthenticate), 'A new access token. It stays inside the SDK.'),
  TokenAnswer: answer(signIn.withPassword),
  ProviderATokenAnswer: described(answer(signIn.withProviderA), 'The answer to a sign-in with provider A.'),
  Factors: answer(secondFactor.get),
  TotpEnrollment: answer(secondFactor.beginTotp),
  RecoveryCodes: answer(secondFactor.confirmTotp),
  SecondFactorAnswer: answer(secondFactor.complete),
  EnrolledAnswer: answer(secondFactor.confirmEnrollment),
  FileVisibility: described(inside(answer(files.get), 'visibility'), 'Who can read a file.'),
  FileInfo: answer(files.get),
  FileUrl: answer(files.url),
  UserExport: answer(contract.userExport.get),
  PushProvider: inside(answer(push.register), 'provider'),
  PushPlatform: inside(answer(push.register), 'platform'),
  PushRegistration: described(body(push.register), 'The device that the app runs on.'),
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
  SignInState: answer(contract.support.signInState),
  SignInLimit: inside(answer(contract.support.signInState), 'limits', '[]'),
  UserNote: item(contract.support.notes),
  MigrationReport: answer(contract.migration.get),
  PushNotification: described(inside(message, 'notification'), 'What a device shows.'),
  PushDelivery: described(inside(message, 'options'), 'How a message is delivered.'),
  PushTarget: described(inside(item(pushMessages.list), 'target'), 'The recipients: exactly one of these.'),
  NewPushMessage: described(message, 'A message to send: a notification, data, or both, to one target.'),
  PushSent: answer(pushMessages.send),
  PushMessage: item(pushMessages.list),
  PushReceipt: item(pushMessages.receipts),
  PushTopic: item(pushMessages.topics),
  Tier: described(inside(settings, 'tiers', '[]'), 'A loyalty tier.'),
  RateLimitFactors: described(
    inside(settings, 'rate_limits'),
    'A factor for each group of rate limits, by which its limits are multiplied.',
  ),
  MailPurpose: described(inside(settings, 'mail', 'texts', '(name)'), 'What a mail is sent for.'),
  MailText: described(inside(settings, 'mail', 'texts', '{}', '{}'), 'The text of a mail in one language.'),
  AppSettings: settings,
  AppSettingsPatch: described(
    body(apps.updateSettings),
    'The settings to change. `null` clears a nullable setting, and removes an entry of a map.',
  ),
  AppFiles: answer(contract.appFiles.read),
  AppFilesChange: described(
    body(contract.appFiles.apply),
    'A change of one group: of the settings, or of all parameters, collections or webhooks.',
  ),
  AppFilesResult: answer(contract.appFiles.apply),
  DailyStats: inside(answer(contract.stats.daily), 'days', '[]'),
  StatsReport: described(answer(contract.stats.daily), 'The statistics of the days that were read.'),
  StatsQuery: described(query(contract.stats.daily), 'The days to read.'),
  MailDraft: described(body(contract.settingsChecks.previewMail), 'The mail to render.'),
  RenderedMail: answer(contract.settingsChecks.previewMail),
  ProviderCheck: answer(contract.settingsChecks.checkProvider),
  TokenVerdict: answer(contract.tokenVerification.verify),
  AppEventType: described(inside(item(webhooks.list), 'types', '[]'), 'The type of an event of the app.'),
  AppEvent: described(item(webhooks.listEvents), 'An event of the app.'),
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
};

/** The files by name. A type of an earlier file can be used by a later one. */
export const sources: Record<string, Source> = {
  'error-codes': { purpose: 'The error codes of the service.', types: errorCodes },
  routes: { purpose: 'The endpoints that the SDK can call.', types: routes },
  models: { purpose: 'What the calls of an app send and receive.', types: models },
  'webhook-models': { purpose: 'What webhooks carry.', types: webhookModels },
  'admin-models': {
    purpose: "What the calls of an app's backend send and receive.",
    types: { ...adminModels, ...unnamed(adminCalls, 'Admin') },
  },
  'console-models': {
    purpose: 'What the calls of a team member send and receive.',
    types: unnamed(consoleCalls, 'Console'),
  },
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

/** The objects that calls send or receive and that no other type names, by the name of the call. */
function unnamed(calls: Call[], prefix: string): Record<string, Schema> {
  const known = new Set([...Object.values(models), ...Object.values(adminModels)].map(shapeOf));
  const found: Record<string, Schema> = {};
  for (const { namespace, method, summary, input, answer: output, pages } of calls) {
    const parts = { [pages ? 'Item' : 'Answer']: output, Input: input?.schema };
    for (const [suffix, schema] of Object.entries(parts)) {
      if (!schema?.properties || known.has(shapeOf(schema))) continue;
      known.add(shapeOf(schema));
      const name = [interfaceName(prefix, namespace), capitalized(method), suffix].join('');
      found[name] = described(schema, schema.description ?? `${summary}.`);
    }
  }
  return found;
}

function described(schema: Schema, description: string): Schema {
  return { ...schema, description };
}

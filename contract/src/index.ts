// The contract of the v2 API (`{base_url}`, which includes /api/v2), and that of v1 beside it. What is not in them does
// not exist.
import './problem-words.js';
import { initContract } from '@ts-rest/core';
import { apps } from './apps.js';
import { audit } from './audit.js';
import { collections } from './collections.js';
import { data } from './data.js';
import { ErrorEnvelope } from './errors.js';
import { allFiles, fileBytes, files, UploadForm } from './files.js';
import { identities } from './identities.js';
import { measureTextsAndArraysAlone } from './lengths.js';
import { loyalty, loyaltyEntries } from './loyalty.js';
import { passwords } from './passwords.js';
import { profile } from './profile.js';
import { push } from './push.js';
import { pushMessages } from './push-messages.js';
import { configVersions, remoteConfig } from './remote-config.js';
import { sessions } from './sessions.js';
import { signIn } from './sign-in.js';
import { tokens, tokenVerification } from './tokens.js';
import { refuseUnknownKeys } from './unknown-keys.js';
import { ImportUser, users } from './users.js';
import { migration, v1Contract, v1Exchange } from './v1.js';
import { webhooks } from './webhooks.js';

const c: ReturnType<typeof initContract> = initContract();

// Both types are named: written out they are longer than the compiler puts into a declaration.
type Groups = {
  signIn: typeof signIn;
  passwords: typeof passwords;
  sessions: typeof sessions;
  profile: typeof profile;
  push: typeof push;
  pushMessages: typeof pushMessages;
  identities: typeof identities;
  v1Exchange: typeof v1Exchange;
  tokens: typeof tokens;
  tokenVerification: typeof tokenVerification;
  files: typeof files;
  fileBytes: typeof fileBytes;
  allFiles: typeof allFiles;
  apps: typeof apps;
  loyalty: typeof loyalty;
  loyaltyEntries: typeof loyaltyEntries;
  remoteConfig: typeof remoteConfig;
  configVersions: typeof configVersions;
  migration: typeof migration;
  audit: typeof audit;
  users: typeof users;
  webhooks: typeof webhooks;
  data: typeof data;
  collections: typeof collections;
};
type Contract = ReturnType<typeof c.router<Groups, '', typeof answers>>;

const groups: Groups = {
  signIn,
  passwords,
  sessions,
  profile,
  push,
  pushMessages,
  identities,
  v1Exchange,
  tokens,
  tokenVerification,
  files,
  fileBytes,
  allFiles,
  apps,
  migration,
  audit,
  loyalty,
  loyaltyEntries,
  remoteConfig,
  configVersions,
  users,
  webhooks,
  data,
  collections,
};

const answers = {
  strictStatusCodes: true,
  commonResponses: {
    400: ErrorEnvelope,
    401: ErrorEnvelope,
    403: ErrorEnvelope,
    404: ErrorEnvelope,
    408: ErrorEnvelope,
    409: ErrorEnvelope,
    412: ErrorEnvelope,
    413: ErrorEnvelope,
    415: ErrorEnvelope,
    416: ErrorEnvelope,
    422: ErrorEnvelope,
    428: ErrorEnvelope,
    429: ErrorEnvelope,
    500: ErrorEnvelope,
    503: ErrorEnvelope,
  },
} as const;

export const contract: Contract = c.router(refuseUnknownKeys(groups), answers);
measureTextsAndArraysAlone([contract, v1Contract, ImportUser, UploadForm]);

export { AppSettings, AppSettingsPatch, mailPurposes } from './apps.js';
export { AuditEntry, AuditLogQuery } from './audit.js';
export type { AuditAction } from './audit-actions.js';
export { auditActions } from './audit-actions.js';
export { atMostCharacters, charactersOf } from './characters.js';
export { accessModes, Collection, CollectionName, FieldPath } from './collections.js';
export { DataRecord, RecordId } from './data.js';
export type { ErrorCode } from './errors.js';
export { ErrorEnvelope, ErrorFields, errorCatalogue, errorCodes } from './errors.js';
export { File, FileContent, FileUrl, UploadForm } from './files.js';
export { Identity, providers } from './identities.js';
export { measureTextsAndArraysAlone } from './lengths.js';
export type { RateLimitPolicy } from './limits.js';
export * as limits from './limits.js';
export { LedgerEntry, LoyaltyEntry, LoyaltyStatus, Tiers } from './loyalty.js';
export type { EndpointAuth, EndpointMetadata, EndpointRateLimit, SecretKeyScope } from './metadata.js';
export { credentialsOf, errorsOf, hasBody, hasForm, metadataOf, secretKeyScopes } from './metadata.js';
export type { ProofHeader } from './proof-headers.js';
export { CodeFlow, codeFlowAnswer, DeviceToken, deviceTokenAnswer } from './proof-headers.js';
export { DeviceInput, PushDevice, pushPlatforms, pushProviders } from './push.js';
export { PushMessage, PushMessageInput, PushReceipt } from './push-messages.js';
export {
  ConfigParameter,
  ConfigVersion,
  configParameterTypes,
  RemoteConfig,
} from './remote-config.js';
export {
  dataEnvelope,
  EmailInput,
  InstantInput,
  NameInput,
  PageQuery,
  PhotoUrlInput,
  ProviderAProof,
  ProviderBProof,
  pageOf,
  Timestamp,
  TokenAnswer,
  Ulid,
  User,
} from './schemas.js';
export { deviceTypes, Session, sessionMethods } from './sessions.js';
export { JsonWebKey, TokenVerdict } from './tokens.js';
export { AdminUser, ImportUser, MemberIdInput, userOrders } from './users.js';
export { V1User, v1ConfigNames, v1Contract } from './v1.js';
export type { V1ErrorText } from './v1-errors.js';
export { V1Error, v1ErrorOf, v1SwitchedOff } from './v1-errors.js';
export type { EventType } from './webhook-events.js';
export { Event, eventTypes, testEventType, WebhookPayload } from './webhook-events.js';
export { Webhook, WebhookDelivery } from './webhooks.js';

// What other packages read of the contract. An endpoint that is not in `contract` or `v1Contract` does not exist.

export type { AuditAction } from './audit-actions.js';
export { auditActions } from './audit-actions.js';
export { charactersOf, hasAtMostCharacters } from './characters.js';
export { contract } from './contract.js';
export { errorMap } from './error-map.js';
export type { ErrorCode } from './errors.js';
export { ErrorEnvelope, ErrorFields, errorCatalogue, errorCodes } from './errors.js';
export { list, text } from './input-values.js';
export type { RateLimitPolicy } from './limits.js';
export * as limits from './limits.js';
export { magicLink } from './magic-link.js';
export type { EndpointAuth, EndpointMetadata, EndpointRateLimit } from './metadata.js';
export {
  bulkOf,
  credentialsOf,
  errorsOf,
  hasBody,
  hasForm,
  isClosedToConsole,
  metadataOf,
  roleOf,
} from './metadata.js';
export type { ProofHeader } from './proof-headers.js';
export { CodeFlow, codeFlowAnswer, DeviceToken, deviceTokenAnswer } from './proof-headers.js';
export type { Role } from './roles.js';
export { roleIncludes, roleOfScope, roles } from './roles.js';
export { v1Contract } from './routes/v1.js';
export { AppSettings, AppSettingsPatch, mailPurposes } from './schemas/apps.js';
export { AuditEntry, AuditLogQuery } from './schemas/audit.js';
export { accessModes, Collection, CollectionName, FieldPath } from './schemas/collections.js';
export {
  ConsoleApp,
  ConsoleMe,
  Invitation,
  InvitationDetails,
  Member,
  NewInvitation,
} from './schemas/console.js';
export { EmailInput, ProviderAProof, ProviderBProof } from './schemas/credentials.js';
export { DataRecord, RecordId } from './schemas/data.js';
export { dataEnvelope, PageQuery, pageOf } from './schemas/envelopes.js';
export type { EventType } from './schemas/events.js';
export { Event, eventTypes, testEventType, WebhookPayload } from './schemas/events.js';
export { File, FileContent, FileUrl, UploadForm } from './schemas/files.js';
export { Identity, providers } from './schemas/identities.js';
export { NewSecretKey, SecretKey } from './schemas/keys.js';
export { LedgerEntry, LoyaltyEntry, LoyaltyStatus, Tiers } from './schemas/loyalty.js';
export { DeviceInput, PushDevice, pushPlatforms, pushProviders } from './schemas/push.js';
export { PushMessage, PushMessageInput, PushReceipt } from './schemas/push-messages.js';
export {
  ConfigParameter,
  ConfigVersion,
  configParameterTypes,
  RemoteConfig,
} from './schemas/remote-config.js';
export { deviceTypes, Session, sessionMethods } from './schemas/sessions.js';
export { MailDraft, MailedTo, ProviderCheck, RenderedMail } from './schemas/settings-checks.js';
export { DailyStats } from './schemas/stats.js';
export { TokenAnswer } from './schemas/token-answer.js';
export { TokenVerdict } from './schemas/token-verification.js';
export { JsonWebKey } from './schemas/tokens.js';
export { NameInput, PhotoUrlInput, User } from './schemas/user.js';
export { AdminUser, ImportUser, MemberIdInput, userOrders } from './schemas/users.js';
export { V1User, v1ConfigNames } from './schemas/v1.js';
export { InstantInput, Timestamp, Ulid } from './schemas/values.js';
export { Webhook, WebhookDelivery, WebhookDeliveryDetails } from './schemas/webhooks.js';
export type { SecretKeyScope } from './scopes.js';
export { secretKeyScopes } from './scopes.js';
export { isUrl } from './url.js';
export type { V1ErrorText } from './v1-errors.js';
export { V1Error, v1ErrorOf, v1SwitchedOff } from './v1-errors.js';

// What other packages read of the contract. An endpoint that is not in `contract` or `v1Contract` does not exist.

export type { AuditAction } from './audit-actions.js';
export { auditActions } from './audit-actions.js';
export { charactersOf, hasAtMostCharacters } from './characters.js';
export { contract } from './contract.js';
export { errorMap } from './error-map.js';
export type { ErrorCode } from './errors.js';
export { ErrorEnvelope, ErrorFields, errorCatalogue, errorCodes } from './errors.js';
export type { AuditEventType, EventType } from './event-types.js';
export { eventTypes, everyAuditEvent, isAuditType, testEventType } from './event-types.js';
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
  hasUrlForm,
  isClosedToConsole,
  metadataOf,
  missingScope,
  rolesOf,
} from './metadata.js';
export type { PasskeyRefusal } from './passkey-refusals.js';
export { passkeyRefusals } from './passkey-refusals.js';
export type { ProofHeader } from './proof-headers.js';
export { CodeFlow, codeFlowAnswer, DeviceToken, deviceTokenAnswer } from './proof-headers.js';
export {
  type RateLimitFactors,
  type RateLimitGroup,
  type RateLimitRule,
  rulesWithFactors,
  ruleWithFactor,
} from './rate-limit-rules.js';
export type { Role } from './roles.js';
export { leastRoles, roleHasScope, roleIncludes, roles } from './roles.js';
export { v1Contract } from './routes/v1.js';
export type { AppFileGroup } from './schemas/app-files.js';
export { AppFiles, AppFilesChange, AppliedFiles, appFileGroups } from './schemas/app-files.js';
export { AppSettings, AppSettingsPatch } from './schemas/apps.js';
export { AuditEntry, AuditLogQuery } from './schemas/audit.js';
export {
  accessModes,
  Collection,
  CollectionName,
  declared as collectionDeclaration,
  FieldPath,
} from './schemas/collections.js';
export {
  ConsoleApp,
  ConsoleMe,
  Invitation,
  InvitationDetails,
  Member,
  MemberTrace,
  NewInvitation,
  ServiceOwner,
  TeamSettings,
} from './schemas/console.js';
export { EmailInput, ProviderAProof, ProviderBProof, ProviderProof } from './schemas/credentials.js';
export { DataRecord, RecordId, takesList } from './schemas/data.js';
export { dataEnvelope, PageQuery, pageOf } from './schemas/envelopes.js';
export type { WebhookType } from './schemas/events.js';
export { auditEventTypes, Event, WebhookPayload, webhookTypes } from './schemas/events.js';
export { File, FileContent, FileUrl, UploadForm } from './schemas/files.js';
export { Identity, providers } from './schemas/identities.js';
export { NewSecretKey, SecretKey } from './schemas/keys.js';
export { LedgerEntry, LoyaltyEntry, LoyaltyStatus, Tiers } from './schemas/loyalty.js';
export {
  hasButton,
  Language,
  MailBrandingInput,
  type MailLanguage,
  MailText,
  MailTextInput,
  mailLanguages,
  mailNotices,
  mailPlaceholders,
  mailPurposes,
  onlyWithButton,
} from './schemas/mail-settings.js';
export { belongsToRp, PasskeySettings, PasskeySettingsInput } from './schemas/passkey-settings.js';
export {
  AcceptedPasskeys,
  Passkey,
  PasskeyAssertion,
  PasskeyCreationOptions,
  PasskeyNameInput,
  PasskeyRegistration,
  PasskeySignInOptions,
  passkeyTransports,
} from './schemas/passkeys.js';
export { RedirectProof } from './schemas/provider-redirect.js';
export { withOneIssuer } from './schemas/provider-settings.js';
export { DeviceInput, PushDevice, pushPlatforms, pushProviders } from './schemas/push.js';
export { PushMessage, PushMessageInput, PushReceipt, PushTopic } from './schemas/push-messages.js';
export {
  ConfigParameter,
  ConfigVersion,
  configParameterTypes,
  ParametersInput,
  RemoteConfig,
} from './schemas/remote-config.js';
export {
  EnrolledAnswer,
  Factors,
  RecoveryCodes,
  SecondFactorAnswer,
  type SecondStep,
  secondFactorRules,
  secondSteps,
  TotpEnrollment,
} from './schemas/second-factor.js';
export { deviceTypes, Session, sessionMethods } from './schemas/sessions.js';
export { MailDraft, MailedTo, ProviderCheck, RenderedMail } from './schemas/settings-checks.js';
export { SignInMethods } from './schemas/sign-in-methods.js';
export { DailyStats, StatsTotals } from './schemas/stats.js';
export { SignInState, supportCodePurposes, UserNote } from './schemas/support.js';
export { TokenAnswer } from './schemas/token-answer.js';
export { TokenVerdict } from './schemas/token-verification.js';
export { JsonWebKey } from './schemas/tokens.js';
export { NameInput, PhotoUrlInput, User } from './schemas/user.js';
export { UserExport } from './schemas/user-export.js';
export { AdminUser, ImportUser, MemberIdInput, userOrders } from './schemas/users.js';
export { V1User, v1ConfigNames } from './schemas/v1.js';
export { InstantInput, Timestamp, Ulid } from './schemas/values.js';
export {
  Webhook,
  WebhookDeclaration,
  WebhookDelivery,
  WebhookDeliveryDetails,
} from './schemas/webhooks.js';
export { type ScopeRight, scopeRights } from './scope-rights.js';
export type { SecretKeyScope } from './scopes.js';
export { secretKeyScopes } from './scopes.js';
export { settingScopes, settingsWithScope } from './setting-scopes.js';
export type { ProviderCallFailure, TokenRefusal } from './token-refusals.js';
export { providerCallFailures, tokenRefusals } from './token-refusals.js';
export { asciiDomain, narrowForms } from './typed-text.js';
export { isUrl } from './url.js';
export { isSearchLongEnough } from './user-search.js';
export type { V1ErrorText } from './v1-errors.js';
export { V1Error, v1ErrorOf, v1SwitchedOff } from './v1-errors.js';

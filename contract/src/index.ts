// The contract of the v2 API (`{base_url}`, which includes /api/v2). What is not in it does not exist.
import { initContract } from '@ts-rest/core';
import { apps } from './apps.js';
import { ErrorEnvelope } from './errors.js';
import { identities } from './identities.js';
import { passwords } from './passwords.js';
import { profile } from './profile.js';
import { sessions } from './sessions.js';
import { signIn } from './sign-in.js';
import { tokens } from './tokens.js';

const c = initContract();

export const contract = c.router(
  { signIn, passwords, sessions, profile, identities, tokens, apps },
  {
    strictStatusCodes: true,
    commonResponses: {
      400: ErrorEnvelope,
      401: ErrorEnvelope,
      403: ErrorEnvelope,
      404: ErrorEnvelope,
      408: ErrorEnvelope,
      409: ErrorEnvelope,
      413: ErrorEnvelope,
      415: ErrorEnvelope,
      422: ErrorEnvelope,
      429: ErrorEnvelope,
      500: ErrorEnvelope,
      503: ErrorEnvelope,
    },
  },
);

export { AppSettings, AppSettingsPatch, mailPurposes } from './apps.js';
export type { ErrorCode } from './errors.js';
export { ErrorEnvelope, ErrorFields, errorCatalogue, errorCodes } from './errors.js';
export { Identity, providers } from './identities.js';
export type { RateLimitPolicy } from './limits.js';
export * as limits from './limits.js';
export type { EndpointAuth, EndpointMetadata, EndpointRateLimit, SecretKeyScope } from './metadata.js';
export { errorsOf, hasBody, metadataOf, secretKeyScopes } from './metadata.js';
export {
  dataEnvelope,
  EmailInput,
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
export { JsonWebKey } from './tokens.js';

// The reasons for which an ID token of a provider is refused. The response is the same for all of them; the audit log and the
// dashboard name them to the team of the app.

export const tokenRefusals = {
  malformed: 'The text is not a signed JWT.',
  'unsupported-algorithm': 'The token is signed with another algorithm than RS256 and ES256, or not at all.',
  'forbidden-header': 'The header of the token contains a key, the URL of a key, or a critical extension.',
  'wrong-issuer': 'The token is of another issuer than the provider.',
  'unknown-key': 'The provider publishes no key with the `kid` of the token.',
  'wrong-signature': 'The signature does not match the key of the provider.',
  'wrong-audience': 'The token was made for a client id that is not in the settings of the app.',
  'wrong-authorized-party': 'The token was requested by a client (`azp`) of another project.',
  'no-subject': 'The token has no valid user id (`sub`).',
  expired: 'The token has expired.',
  'too-old': 'The token was issued more than an hour ago.',
  'not-yet-valid': 'The token is issued for a later time than the clock of the service shows.',
  'no-nonce': 'The token has no nonce.',
  'wrong-nonce': 'The nonce in the token does not belong to the nonce that the client sent.',
  'used-before': 'The token was used before, more than five minutes ago.',
  'no-email':
    'The token is valid, but has no email that could be matched or stored, and its user is not known yet.',
  'unverified-email': 'The token is valid, but its email is unverified, and its user is not known yet.',
} as const satisfies Record<string, string>;

export type TokenRefusal = keyof typeof tokenRefusals;

/** Why the service could not exchange a code, or revoke a token, at a provider. */
export const providerCallFailures = {
  'no-key': 'The app has no team id, key id or private key.',
  'unusable-key': 'The private key of the app cannot be used.',
  'client-rejected':
    'The provider rejects the app: its client id and secret, or its team id, key id and private key, do not belong together.',
  'code-rejected': 'The provider rejects the code, or its response is not one to the request of the app.',
  'no-token': 'No token was stored, because no authorization code was exchanged for one.',
  unavailable: 'The provider could not be reached, or answered with an error of its own.',
} as const satisfies Record<string, string>;

export type ProviderCallFailure = keyof typeof providerCallFailures;

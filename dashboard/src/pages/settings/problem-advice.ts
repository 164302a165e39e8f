// What the team of an app does about a refused token, and about a failed call to provider B.
import type { ProviderCallFailure, TokenRefusal } from '@foyer/contract';

export const refusalAdvice: Record<TokenRefusal, string> = {
  malformed: 'Send the ID token that the provider’s SDK returns, not its access token or authorization code.',
  'unsupported-algorithm': 'Send the ID token of the provider, unchanged.',
  'forbidden-header': 'The provider does not issue such tokens: somebody may be trying out forged ones.',
  'wrong-issuer':
    'Send the ID token of the provider itself. A token of Firebase or another service that signed the user in is not accepted.',
  'unknown-key':
    'Send the ID token of the provider itself, unchanged. If many are refused, the operator of the service should check that its keys can be read: Test above.',
  'wrong-signature': 'The token was changed or forged. Send it as the provider’s SDK returns it.',
  'wrong-audience': 'If the client id (aud) is one of your own builds, add it above.',
  'wrong-authorized-party':
    'If the client (azp) is one of your own, add its client id above. Otherwise do nothing.',
  'no-subject': 'Request the scope openid.',
  expired: 'Send the token directly after the sign-in at the provider.',
  'too-old': 'Send the token directly after the sign-in at the provider; do not store it.',
  'not-yet-valid': 'The operator should check the clock of the service.',
  'no-nonce': 'Pass a nonce to the provider’s SDK: createNonce() of the SDK makes one.',
  'wrong-nonce':
    'Give Google the raw nonce and Apple its SHA-256, and the service the raw one, from the same attempt.',
  'used-before': 'Start a new sign-in at the provider for each attempt.',
  'no-email':
    'Request the scope email. Users of the provider who share none need another sign-in method first.',
  'unverified-email': 'The user must verify the email at the provider, or sign in with another method.',
};

export const callAdvice: Record<ProviderCallFailure, string> = {
  'no-key': 'Set the team id, the key id and the private key.',
  'unusable-key': 'Upload the private key again.',
  'client-rejected':
    'Check that the client id and its secret, or the team id, the key id, the private key and the client ids belong together.',
  'code-rejected': 'Register the callback URL at the provider. Otherwise do nothing: the user starts again.',
  'no-token':
    'Set the team id, the key id and the private key, and let the app send a new authorization code with each sign-in.',
  unavailable: 'The provider did not answer for 30 days. The operator should check that it can be reached.',
};

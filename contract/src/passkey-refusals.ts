// The reasons for which a passkey is refused. The response is the same for all of them; the audit log and the dashboard name
// them to the team of the app.

export const passkeyRefusals = {
  malformed: 'The credential cannot be read.',
  'wrong-type': 'The signature was made for another ceremony: a registration is no sign-in.',
  'wrong-challenge': 'The challenge is not one of this app for this purpose and user.',
  'expired-challenge': 'The challenge is older than five minutes.',
  'used-challenge': 'The challenge was used before.',
  'wrong-origin': 'The page or app is not among the origins of the setting `passkeys`.',
  'cross-origin': 'The page was embedded in a page of another origin.',
  'wrong-rp-id': 'The passkey belongs to another domain than the setting `passkeys.rp_id`.',
  'no-user-presence': 'The authenticator did not ask the user.',
  'unsupported-algorithm': 'The public key has another algorithm than EdDSA, ES256 and RS256.',
  'wrong-signature': 'The signature does not match the public key.',
  'wrong-user-handle': 'The passkey is stored for another user than the authenticator says.',
  'unknown-passkey': 'No user of the app has the passkey; it may have been removed.',
  'other-user': 'The passkey belongs to another user than the one who is signed in.',
  'counter-fell-back':
    'The counter of the passkey is lower than at its last use, so a copy of it may exist. Remove it, and ask its user.',
} as const satisfies Record<string, string>;

export type PasskeyRefusal = keyof typeof passkeyRefusals;

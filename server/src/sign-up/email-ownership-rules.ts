// The effects of a used emailed code on an account.

export type OwnershipEffects = {
  /** The email becomes verified. */
  verifies: boolean;
  /** Identities, links of push devices and sessions created before are removed. */
  removesUnproven: boolean;
  /** The password is removed at a sign-in; but users imported from v1 keep theirs. */
  removesPassword: boolean;
};

export function ownershipEffects(
  account: { emailVerified: boolean; emailProven: boolean; passwordFromV1: boolean },
  use: { by: 'sign_in' | 'reset'; ownSession: boolean },
): OwnershipEffects {
  const first = !account.emailVerified && !account.emailProven;
  const removesUnproven = first && !use.ownSession;
  return {
    verifies: use.by === 'sign_in' && !account.emailVerified,
    removesUnproven,
    removesPassword: removesUnproven && use.by === 'sign_in' && !account.passwordFromV1,
  };
}

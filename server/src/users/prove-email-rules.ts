// What the use of a mailed code does to an account. Conventions of the API, "Account pre-hijacking".

export type ProofVerdict = {
  /** The email becomes verified by it. */
  verifies: boolean;
  /** Identities, links of push devices and sessions made before it are removed. */
  removesUnproven: boolean;
  /** And the password, at a sign-in; but users who came from v1 keep theirs, as the specification promises. */
  removesPassword: boolean;
};

export function judgeProof(
  account: { emailVerified: boolean; emailProven: boolean; passwordFromV1: boolean },
  proof: { by: 'sign_in' | 'reset'; ownSession: boolean },
  unprovenCredentials: 'remove' | 'keep',
): ProofVerdict {
  const first = !account.emailVerified && !account.emailProven;
  const removesUnproven = first && !proof.ownSession && unprovenCredentials === 'remove';
  return {
    verifies: proof.by === 'sign_in' && !account.emailVerified,
    removesUnproven,
    removesPassword: removesUnproven && proof.by === 'sign_in' && !account.passwordFromV1,
  };
}

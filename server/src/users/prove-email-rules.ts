// What the use of a mailed code does to an account. Conventions of the API, "Account pre-hijacking".

export type ProofVerdict = {
  /** The email becomes verified by it. */
  verifies: boolean;
  /** Identities and sessions, and at a sign-in the password, made before it are removed. */
  removesUnproven: boolean;
};

export function judgeProof(
  account: { emailVerified: boolean; emailProven: boolean },
  proof: { by: 'sign_in' | 'reset'; ownSession: boolean },
  unprovenCredentials: 'remove' | 'keep',
): ProofVerdict {
  const first = !account.emailVerified && !account.emailProven;
  return {
    verifies: proof.by === 'sign_in' && !account.emailVerified,
    removesUnproven: first && !proof.ownSession && unprovenCredentials === 'remove',
  };
}

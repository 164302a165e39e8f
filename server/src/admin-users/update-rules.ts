// The consequences of a change of an account by the app's backend.

/** The input as in the contract, with the fields that this file names; the others are those of the profile. */
type Patch = {
  email?: string | undefined;
  email_verified?: boolean | undefined;
  disabled?: boolean | undefined;
  password?: string | undefined;
};

export function consequencesOf(
  account: { email: string; emailVerified: boolean; disabled: boolean },
  patch: Patch,
) {
  const { email, disabled, password, email_verified: verified, ...profile } = patch;
  const changesEmail = email !== undefined && email !== account.email;
  const emailVerified = verified ?? (changesEmail ? false : undefined);
  const changesVerified = emailVerified !== undefined && emailVerified !== account.emailVerified;
  const newPassword = password !== undefined;
  const disables = disabled === true && !account.disabled;
  const endsSessions = disables || newPassword;
  const given = namesOfGiven(profile);
  return {
    changesEmail,
    /** The new value of the column; undefined leaves it unchanged, as for `emailProven`. */
    emailVerified,
    // The new email is not confirmed: as after a sign-up, the first emailed code removes unproven credentials.
    emailProven: changesEmail ? emailVerified : emailVerified || undefined,
    verifies: emailVerified === true && (changesEmail || !account.emailVerified),
    newPassword,
    disables,
    enables: disabled === false && account.disabled,
    endsSessions,
    /** Credentials verified before the change are no longer accepted. */
    raisesVersion: endsSessions || changesEmail,
    /** The event `user.updated` is due: a field other than `password` and `disabled` was given. */
    updatesProfile: given.length > 0 || changesEmail || changesVerified,
    /** The fields that the entry `user.updated` names; `disabled` has entries of its own. */
    changed: [
      ...(changesEmail ? ['email'] : []),
      ...(changesVerified ? ['email_verified'] : []),
      ...(newPassword ? ['password'] : []),
      ...given,
    ],
  };
}

function namesOfGiven(fields: object): string[] {
  return Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : name));
}

export type Consequences = ReturnType<typeof consequencesOf>;

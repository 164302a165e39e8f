// The consequences of a change of an account by the app's backend.

export type Consequences = {
  changesEmail: boolean;
  /** The new value of the column; undefined leaves it unchanged. */
  emailVerified: boolean | undefined;
  emailProven: boolean | undefined;
  verifies: boolean;
  newPassword: boolean;
  disables: boolean;
  enables: boolean;
  endsSessions: boolean;
  /** Credentials verified before the change are no longer accepted. */
  raisesVersion: boolean;
  /** The event `user.updated` is due: a field other than `password` and `disabled` was given. */
  updatesProfile: boolean;
};

type Patch = {
  email?: string | undefined;
  emailVerified?: boolean | undefined;
  disabled?: boolean | undefined;
  password?: string | undefined;
};

/** The remaining fields of the patch are those of the profile. */
export function consequencesOf(
  account: { email: string; emailVerified: boolean; disabled: boolean },
  patch: Patch,
): Consequences {
  const { email, disabled, password, emailVerified: verified, ...profile } = patch;
  const changesEmail = email !== undefined && email !== account.email;
  const emailVerified = verified ?? (changesEmail ? false : undefined);
  const changesVerified = emailVerified !== undefined && emailVerified !== account.emailVerified;
  const newPassword = password !== undefined;
  const disables = disabled === true && !account.disabled;
  const endsSessions = disables || newPassword;
  const givesProfile = Object.values(profile).some((value) => value !== undefined);
  return {
    changesEmail,
    emailVerified,
    // The new email is not confirmed: as after a sign-up, the first emailed code removes unproven credentials.
    emailProven: changesEmail ? emailVerified : emailVerified || undefined,
    verifies: emailVerified === true && (changesEmail || !account.emailVerified),
    newPassword,
    disables,
    enables: disabled === false && account.disabled,
    endsSessions,
    raisesVersion: endsSessions || changesEmail,
    updatesProfile: givesProfile || changesEmail || changesVerified,
  };
}

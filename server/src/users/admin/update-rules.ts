// What follows from a change that the app's backend makes to an account.

export type Consequences = {
  changesEmail: boolean;
  /** What the row says afterwards; undefined leaves it as it is. */
  emailVerified: boolean | undefined;
  emailProven: boolean | undefined;
  verifies: boolean;
  newPassword: boolean;
  disables: boolean;
  enables: boolean;
  endsSessions: boolean;
  /** Every proof of a credential that is under way is worthless. */
  raisesVersion: boolean;
  /** The event `user.updated` is due: something beside the password and the switch was given. */
  updatesProfile: boolean;
};

type Patch = {
  email?: string | undefined;
  emailVerified?: boolean | undefined;
  disabled?: boolean | undefined;
  password?: string | undefined;
};

/** What the patch has beside these is of the profile. */
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
    // Nobody has shown yet whose the new address is: as after a sign-up, its first code settles what was there before.
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

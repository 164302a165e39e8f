// Who does something, as audit entries name them.

/** Who did it: `user:<uid>`, `secret_key:<id>`, `member:<uid>`, or the command line. */
export type Actor = { name: string; ipAddress: string | null };

export const commandLine: Actor = { name: 'command_line', ipAddress: null };

/** What nobody asked for, such as a webhook that is disabled because it fails. */
export const theService: Actor = { name: 'service', ipAddress: null };

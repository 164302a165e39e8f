// The actor of an audit entry.

/** `name`: `user:<uid>`, `secret_key:<id>`, `member:<uid>`, or the command line. */
export type Actor = { name: string; ipAddress: string | null };

export const commandLine: Actor = { name: 'command_line', ipAddress: null };

/** For automatic changes, such as disabling a failing webhook. */
export const theService: Actor = { name: 'service', ipAddress: null };

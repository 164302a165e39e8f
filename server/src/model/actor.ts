// The actor of an audit entry.

/** `name`: `user:<uid>`, `secret_key:<id>`, `member:<uid>`, or the command line. */
export type Actor = { name: string; ip: string | null };

/** The user's own calls. */
export function userActor(uid: string, ip: string | null): Actor {
  return { name: `user:${uid}`, ip };
}

/** The app's backend or a member of its team. */
export function isBackendOrMember({ name }: Actor): boolean {
  return name.startsWith('secret_key:') || name.startsWith('member:');
}

export const commandLine: Actor = { name: 'command_line', ip: null };

/** A change that the command line makes in an app. */
export function byCommandLine(appId: string) {
  return { app: { id: appId }, actor: commandLine };
}

/** The actor of automatic changes, such as disabling a failing webhook. */
export const theService: Actor = { name: 'service', ip: null };

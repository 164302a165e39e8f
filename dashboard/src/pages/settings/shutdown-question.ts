// The question before the shutdown date of v1 is stored, by how soon it is and who is left. Specification "Versioning".

/** Undefined while, or if, it could not be counted. */
type LeftOnV1 = { users: number | undefined; tokens: number | undefined };

type ShutdownQuestion = {
  title: string;
  body: string;
  confirmLabel: string;
  /** Whether the name of the app must be typed. */
  typed: boolean;
};

/** A date within this time leaves no release of an app to be installed. */
const soonMilliseconds = 7 * 86_400_000;

/** Null if no user is left and the date is a week away: then there is nothing to ask. */
export function shutdownQuestion(at: Date, now: number, left: LeftOnV1): ShutdownQuestion | null {
  const isNow = at.getTime() <= now;
  const isSoon = at.getTime() < now + soonMilliseconds;
  if (left.users === 0 && !isSoon) return null;
  const isEmpty = left.users === 0 && left.tokens === 0;
  return {
    title: isNow ? 'Shut down v1 now?' : 'Set the shutdown date?',
    body: isEmpty ? emptyText(at, isNow) : isSoon ? soonText(at, isNow, left) : laterText(at, left),
    confirmLabel: isNow ? 'Shut down v1' : 'Set the date',
    typed: isSoon && !isEmpty,
  };
}

export function usersText(users: number | undefined): string {
  if (users === undefined) return 'The number of users on v1 is not known.';
  return users === 1
    ? 'One user used v1 in the last 30 days.'
    : `${users.toLocaleString()} users used v1 in the last 30 days.`;
}

const consequence = 'apps that were not updated cannot sign anyone in.';

function emptyText(at: Date, isNow: boolean): string {
  const from = isNow ? 'at once' : `from ${timeText(at)} on`;
  return `0 users used v1 in the last 30 days, and 0 tokens of v1 are valid. Every call of v1 is rejected ${from}.`;
}

function soonText(at: Date, isNow: boolean, { users, tokens }: LeftOnV1): string {
  const when = isNow ? 'now' : `on ${timeText(at)}`;
  return `v1 stops ${when} for ${countText(users, 'user')}, ${countText(tokens, 'token')}. Every call of v1 is then rejected, and ${consequence}`;
}

function laterText(at: Date, { users }: LeftOnV1): string {
  return `${usersText(users)} From ${timeText(at)} on, every call of v1 is rejected, and ${consequence}`;
}

function countText(count: number | undefined, name: string): string {
  if (count === undefined) return `an unknown number of ${name}s`;
  return `${count.toLocaleString()} ${name}${count === 1 ? '' : 's'}`;
}

function timeText(at: Date): string {
  return at.toLocaleString(undefined, { dateStyle: 'long', timeStyle: 'short' });
}

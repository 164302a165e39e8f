// Times of v1 that are missing, or ahead of the service's clock by up to a day (a clock that differs, or a local time written as
// UTC), are completed with a note, so that no account is lost for them.
import type { WrittenLine } from './written-line.js';

type Completed<T> = T & { created_at: Date };
type Token = Completed<WrittenLine['tokens'][number]> & { last_used_at: Date };

export type V1Export = Completed<Omit<WrittenLine, 'history' | 'tokens'>> & {
  history: Completed<WrittenLine['history'][number]>[];
  tokens: Token[];
};

const dayMilliseconds = 86_400_000;

/** No user if a time is further ahead: then the line is wrong. */
export function completeTimes(line: WrittenLine, now: Date): { user: V1Export | null; notes: string[] } {
  const written = timesOf(line);
  const last = now.getTime() + dayMilliseconds;
  if (written.some((time) => time.getTime() > last)) return { user: null, notes: [] };
  const notes = new Set<string>();
  if (written.some((time) => time > now))
    notes.add('a time is still to come, and reads the time of the import');
  const past = (time: Date) => (time > now ? now : time);

  const createdAt = past(line.created_at ?? earliest([...written, now]));
  if (!line.created_at)
    notes.add('created_at is missing, and reads the earliest time of the line or that of the import');
  const history = line.history.map((entry) => ({
    ...entry,
    created_at: past(entry.created_at ?? createdAt),
  }));
  const tokens = line.tokens.map((token) => {
    const tokenCreatedAt = past(token.created_at ?? token.last_used_at ?? createdAt);
    return { ...token, created_at: tokenCreatedAt, last_used_at: past(token.last_used_at ?? tokenCreatedAt) };
  });
  if ([...line.history, ...line.tokens].some((each) => !each.created_at)) {
    notes.add('a created_at in history or tokens is missing, and reads another time of the line');
  }
  return { user: { ...line, created_at: createdAt, history, tokens }, notes: [...notes] };
}

function timesOf({ created_at, history, tokens }: WrittenLine): Date[] {
  const times = [
    created_at,
    ...history.map((entry) => entry.created_at),
    ...tokens.flatMap((token) => [token.created_at, token.last_used_at]),
  ];
  return times.filter((time) => time instanceof Date);
}

function earliest(times: Date[]): Date {
  return times.reduce((first, time) => (time < first ? time : first));
}

// A time in the reader's locale, relative when it is recent, with the exact time in UTC in a tooltip.
import { Text, Tooltip } from '@mantine/core';
import { useServiceMinute } from '../service-clock.ts';

type Props = {
  at: string | null;
  never?: string;
  /** Adds the date and time, in the reader's time zone, to a relative time. */
  exact?: boolean;
};

export function Time({ at, never = 'Never', exact = false }: Props) {
  const now = new Date(useServiceMinute());
  if (at === null) {
    return (
      <Text span inherit c="dimmed">
        {never}
      </Text>
    );
  }
  const text = timeText(new Date(at), now);
  const full = absolute.format(new Date(at));
  return (
    <Tooltip label={`${at.slice(0, 19).replace('T', ' ')} UTC`}>
      <time dateTime={at}>{exact && full !== text ? `${text} (${full})` : text}</time>
    </Tooltip>
  );
}

const relative = new Intl.RelativeTimeFormat();
const absolute = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const units = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

/** A day and a time, however near they are. */
export function dateText(at: string): string {
  return absolute.format(new Date(at));
}

/** Relative up to a week, in either direction. */
export function timeText(at: Date, now: Date): string {
  const seconds = (at.getTime() - now.getTime()) / 1_000;
  if (Math.abs(seconds) >= 7 * 86_400) return absolute.format(at);
  for (const [unit, length] of units) {
    if (Math.abs(seconds) >= length) return relative.format(Math.trunc(seconds / length), unit);
  }
  return 'just now';
}

// A day that filters a list: it applies once its year is complete.
import { TextInput } from '@mantine/core';
import { useTypedValue } from './use-typed-value.ts';

type Props = { label: string; value: string | undefined; onChange: (day: string | undefined) => void };

/** Browsers report the year 2026 as 0002, 0020 and 0202 while it is being typed. */
const completeYear = /^([1-9]\d{3}-|$)/;

export function DayFilter({ label, value = '', onChange }: Props) {
  const { typed, setTyped, apply } = useTypedValue({
    value,
    onChange: (day) => onChange(day || undefined),
    read: (day) => (completeYear.test(day) ? day : null),
  });
  return (
    <TextInput
      type="date"
      label={label}
      value={typed}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onBlur={() => apply()}
    />
  );
}

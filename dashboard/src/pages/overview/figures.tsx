// The sums of the period, and the share of v1.
import { SimpleGrid } from '@mantine/core';
import { Figure } from '../../components/figure.tsx';
import { type Day, signInsOf, total } from './series.ts';

const percent = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 1 });

export function Figures({ days }: { days: Day[] }) {
  const today = days.at(-1);
  const v1 = total(days, (day) => day.v1_active_users);
  const v2 = total(days, (day) => day.active_users);
  return (
    <SimpleGrid cols={{ base: 2, md: 4 }} spacing="md" component="dl" m={0}>
      <Figure name="Sign-ups" value={total(days, (day) => day.sign_ups).toLocaleString()} />
      <Figure name="Sign-ins" value={total(days, signInsOf).toLocaleString()} />
      <Figure name="Active today (UTC)" value={(today?.active_users ?? 0).toLocaleString()} />
      <Figure
        name="Share of v1"
        value={v1 + v2 === 0 ? '0%' : percent.format(v1 / (v1 + v2))}
        note="Of the daily active users."
      />
    </SimpleGrid>
  );
}

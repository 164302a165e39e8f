// The size of the app, and the sums of the period beside those of the period before.
import { limits, type StatsTotals } from '@foyer/contract';
import { SimpleGrid } from '@mantine/core';
import { Figure } from '../../components/figure.tsx';
import { changeText } from './comparison.ts';
import { type Day, signInsOf, signUpsByUsers, total } from './series.ts';

const percent = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 1 });

type Props = { days: Day[]; before: Day[] | null; totals: StatsTotals };

export function Figures({ days, before, totals }: Props) {
  const v1 = total(days, (day) => day.v1_active_users);
  const v2 = total(days, (day) => day.active_users);
  const byBackend = total(days, (day) => day.sign_ups_by_backend);
  return (
    <SimpleGrid cols={{ base: 2, md: v1 > 0 ? 5 : 4 }} spacing="md" component="dl" m={0}>
      <Figure
        name="Users"
        value={`${totals.users.toLocaleString()}${totals.users >= limits.statsUsers ? '+' : ''}`}
        note="In total, imported and disabled ones included."
      />
      <Figure
        name="Sign-ups"
        value={total(days, signUpsByUsers).toLocaleString()}
        note={[
          changeText(days, before, signUpsByUsers),
          byBackend > 0 && `${byBackend.toLocaleString()} more were created by your server or team.`,
        ]}
      />
      <Figure
        name="Sign-ins"
        value={total(days, signInsOf).toLocaleString()}
        note={[changeText(days, before, signInsOf)]}
      />
      <Figure
        name="Active today (UTC)"
        value={(days.at(-1)?.active_users ?? 0).toLocaleString()}
        note={`Yesterday: ${(days.at(-2)?.active_users ?? 0).toLocaleString()}.`}
      />
      {v1 > 0 && (
        <Figure name="Share of v1" value={percent.format(v1 / (v1 + v2))} note="Of the daily active users." />
      )}
    </SimpleGrid>
  );
}

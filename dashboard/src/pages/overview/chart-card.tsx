// One chart with its numbers as a table: the table is always there for screen readers, and on request for everybody.
import { Box, Button, Group, Paper, ScrollArea, Stack, Text, Title, VisuallyHidden } from '@mantine/core';
import { useDeferredValue, useState } from 'react';
import { Chart } from './chart.tsx';
import type { ChartKind } from './chart-geometry.ts';
import { type Day, type Series, total } from './series.ts';

const chartHeight = 220;
const number = new Intl.NumberFormat();
const dayFormat = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric', timeZone: 'UTC' });

type Props = {
  title: string;
  description?: string;
  days: Day[];
  series: Series[];
  kind: ChartKind;
};

export function ChartCard({ title, description, days, series, kind }: Props) {
  const [asTable, setAsTable] = useState(false);
  // The figures above are shown first.
  const isDrawn = useDeferredValue(true, false);
  const empty = series.every(({ of }) => total(days, of) === 0);
  return (
    <Paper withBorder p="md" component="section" aria-label={title}>
      <Group justify="space-between" align="flex-start" wrap="nowrap" mb="sm">
        <Stack gap={2}>
          <Title order={2}>{title}</Title>
          {description && (
            <Text size="sm" c="dimmed">
              {description}
            </Text>
          )}
        </Stack>
        {!empty && (
          <Button
            variant="subtle"
            size="xs"
            aria-pressed={asTable}
            aria-label={`${title} as a table`}
            onClick={() => setAsTable(!asTable)}
            style={{ flexShrink: 0 }}
          >
            {asTable ? 'Chart' : 'Table'}
          </Button>
        )}
      </Group>
      {empty ? (
        <Text size="sm" c="dimmed">
          None in this period.
        </Text>
      ) : !isDrawn ? (
        <Box h={chartHeight} />
      ) : asTable ? (
        <ScrollArea.Autosize mah={360} type="auto" viewportProps={{ tabIndex: 0 }}>
          <Numbers title={title} days={days} series={series} />
        </ScrollArea.Autosize>
      ) : (
        <>
          <div aria-hidden>
            <Chart kind={kind} days={days} series={series} height={chartHeight} dayText={dayText} />
          </div>
          <VisuallyHidden>
            <Numbers title={title} days={days} series={series} />
          </VisuallyHidden>
        </>
      )}
    </Paper>
  );
}

function dayText(date: string): string {
  return dayFormat.format(new Date(`${date}T00:00Z`));
}

function Numbers({ title, days, series }: Pick<Props, 'title' | 'days' | 'series'>) {
  // Plain elements: there are hundreds of them on the page.
  return (
    <table className="numbers">
      <caption className="visually-hidden">{title}, by day in UTC</caption>
      <thead>
        <tr>
          <th scope="col">Day</th>
          {series.map(({ name }) => (
            <th scope="col" key={name}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {days.map((day) => (
          <tr key={day.date}>
            <th scope="row">{dayText(day.date)}</th>
            {series.map(({ name, of }) => (
              <td key={name}>{number.format(of(day))}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

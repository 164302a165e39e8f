// The chart itself, in a file of its own, since its library is loaded after the page.
import '@mantine/charts/styles.css';
import { AreaChart, BarChart } from '@mantine/charts';
import type { Day, Series } from './series.ts';

type Props = {
  kind: 'area' | 'bar';
  days: Day[];
  series: Series[];
  height: number;
  dayText: (date: string) => string;
};

// The numbers have a table, so that the drawing needs no place in the order of the keyboard.
const drawing = { accessibilityLayer: false };

export default function Chart({ kind, days, series, height, dayText }: Props) {
  const common = {
    h: height,
    data: days.map((day) => ({
      date: dayText(day.date),
      ...Object.fromEntries(series.map(({ of }, index) => [`series${index}`, of(day)])),
    })),
    dataKey: 'date',
    // The library reads names as paths, in which a dot has a meaning.
    series: series.map(({ name, color }, index) => ({ name: `series${index}`, label: name, color })),
    withLegend: series.length > 1,
    valueFormatter: (value: number) => value.toLocaleString(),
    yAxisProps: { allowDecimals: false, width: 44 },
    xAxisProps: { minTickGap: 24 },
  };
  return kind === 'area' ? (
    <AreaChart
      {...common}
      curveType="monotone"
      withDots={false}
      areaProps={{ isAnimationActive: false }}
      areaChartProps={drawing}
    />
  ) : (
    <BarChart {...common} type="stacked" barProps={{ isAnimationActive: false }} barChartProps={drawing} />
  );
}

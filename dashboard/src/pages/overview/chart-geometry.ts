// Where the lines and bars of a chart are. Areas overlap, bars are stacked.
import type { Day, Series } from './series.ts';

export type ChartKind = 'area' | 'bar';

type Plot = { width: number; height: number; max: number };

const wantedTicks = 4;

/** The range from zero to the first round number that no value exceeds. */
export function axisOf(kind: ChartKind, days: Day[], series: Series[]): { max: number; ticks: number[] } {
  const heights = days.map((day) => {
    const values = series.map(({ of }) => of(day));
    return kind === 'bar' ? values.reduce((sum, value) => sum + value, 0) : Math.max(0, ...values);
  });
  const step = roundStep(Math.max(1, ...heights) / wantedTicks);
  const count = Math.ceil(Math.max(1, ...heights) / step);
  return { max: count * step, ticks: Array.from({ length: count + 1 }, (_, index) => index * step) };
}

/** 1, 2 or 5 times a power of ten, at least 1: what is counted is whole. */
function roundStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(least, 1)));
  return ([1, 2, 5, 10].find((factor) => factor * power >= least) ?? 10) * power;
}

/** The SVG paths of each series. */
export function pathsOf(
  kind: ChartKind,
  days: Day[],
  series: Series[],
  { width, height, max }: Plot,
): { area: string; line?: string }[] {
  const step = width / days.length;
  const y = (value: number) => round(height * (1 - value / max));
  if (kind === 'area') {
    return series.map(({ of }) => {
      const points = days.map((day, index) => `${round((index + 0.5) * step)} ${y(of(day))}`);
      const [first, last] = [round(step / 2), round(width - step / 2)];
      return {
        line: `M${points.join('L')}`,
        area: `M${first} ${height}L${points.join('L')}L${last} ${height}Z`,
      };
    });
  }
  const below = days.map(() => 0);
  return series.map(({ of }) => ({
    area: days
      .map((day, index) => {
        const value = of(day);
        const bottom = below[index] as number;
        below[index] = bottom + value;
        if (value === 0) return '';
        const from = round((index + 0.15) * step);
        return `M${from} ${y(bottom)}V${y(bottom + value)}h${round(step * 0.7)}V${y(bottom)}Z`;
      })
      .join(''),
  }));
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

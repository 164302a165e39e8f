// The drawing of the daily numbers, as plain SVG: a library for charts is as large as the rest of the dashboard.
import { Box, Group, getThemeColor, Text, useMantineTheme } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { type PointerEvent, useState } from 'react';
import { axisOf, type ChartKind, pathsOf } from './chart-geometry.ts';
import type { Day, Series } from './series.ts';

type Props = {
  kind: ChartKind;
  days: Day[];
  series: Series[];
  height: number;
  dayText: (date: string) => string;
};

const left = 44;
const bottom = 22;
const top = 8;
const dayLabelWidth = 72;

export function Chart({ kind, days, series, height, dayText }: Props) {
  const theme = useMantineTheme();
  const { ref, width } = useElementSize();
  const [pointed, setPointed] = useState<number | null>(null);
  const colorOf = (index: number) => getThemeColor(series[index]?.color, theme);
  const plot = { width: Math.max(0, width - left), height: height - bottom - top };
  const axis = axisOf(kind, days, series);
  const step = plot.width / days.length;
  const labelEvery = Math.max(1, Math.ceil(dayLabelWidth / Math.max(step, 1)));

  function point({ nativeEvent: { offsetX } }: PointerEvent<SVGSVGElement>) {
    const index = Math.floor((offsetX - left) / step);
    setPointed(index >= 0 && index < days.length ? index : null);
  }

  const day = pointed === null ? undefined : days[pointed];
  return (
    <Box ref={ref} pos="relative">
      {width > 0 && (
        <svg
          width={width}
          height={height}
          aria-hidden
          display="block"
          // The label of the last day is wider than its place.
          overflow="visible"
          onPointerMove={point}
          onPointerLeave={() => setPointed(null)}
        >
          <g transform={`translate(${left} ${top})`} fontSize={11} fill="var(--mantine-color-dimmed)">
            {axis.ticks.map((tick) => {
              const y = plot.height * (1 - tick / axis.max);
              return (
                <g key={tick}>
                  <line x2={plot.width} y1={y} y2={y} stroke="var(--mantine-color-default-border)" />
                  <text x={-8} y={y + 4} textAnchor="end">
                    {tick.toLocaleString()}
                  </text>
                </g>
              );
            })}
            {pathsOf(kind, days, series, { ...plot, max: axis.max }).map(({ area, line }, index) => (
              <g key={series[index]?.name}>
                <path d={area} fill={colorOf(index)} opacity={kind === 'area' ? 0.25 : 1} />
                {line && <path d={line} fill="none" stroke={colorOf(index)} strokeWidth={2} />}
              </g>
            ))}
            {pointed !== null && (
              <rect x={pointed * step} width={step} height={plot.height} fill="currentColor" opacity={0.12} />
            )}
            {days.map(
              ({ date }, index) =>
                (days.length - 1 - index) % labelEvery === 0 &&
                index * step > dayLabelWidth / 3 && (
                  <text key={date} x={(index + 0.5) * step} y={plot.height + 16} textAnchor="middle">
                    {dayText(date)}
                  </text>
                ),
            )}
          </g>
        </svg>
      )}
      <Group gap="md" mih={20} justify="flex-end">
        {day && (
          <Text size="xs" fw={600}>
            {dayText(day.date)}
          </Text>
        )}
        {(series.length > 1 || day) &&
          series.map(({ name, of }, index) => (
            <Group key={name} gap={6} wrap="nowrap">
              <Box w={10} h={10} bg={colorOf(index)} style={{ borderRadius: 5, flexShrink: 0 }} />
              <Text size="xs">
                {name}
                {day && `: ${of(day).toLocaleString()}`}
              </Text>
            </Group>
          ))}
      </Group>
    </Box>
  );
}

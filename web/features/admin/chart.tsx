import type { ReactNode } from 'react';
import {
  Bar,
  CartesianGrid,
  ComposedChart,
  Legend,
  Line,
  ResponsiveContainer,
  Tooltip,
  XAxis,
  YAxis,
} from 'recharts';
import type { StatisticsRow } from '#contract/admin/endpoints.ts';
import type { Series } from './series.ts';

// Told apart in gray too: from dark to light, and each has its place in the stack and in the legend.
const colours = ['#1f2430', '#59bc6b', '#2f4d7d', '#c98a2b'];

const legendWord = (name: ReactNode) => <span className="text-ink-2">{name}</span>;

/** The label of the last day is centered on its bars: half of it needs room beside them. */
const halfDayLabelRem = 2;
const remPx = (): number => parseFloat(getComputedStyle(document.documentElement).fontSize);

/**
 * The bars or the line of one series. The chart looks for them among its own children, so this is no
 * component.
 */
const mark = ({ word, noTotal }: Series, name: string, colour: string) =>
  noTotal === true ? (
    <Line
      key={word}
      dataKey={word}
      name={name}
      stroke={colour}
      strokeWidth={2}
      connectNulls
      isAnimationActive={false}
    />
  ) : (
    <Bar
      key={word}
      dataKey={word}
      name={name}
      fill={colour}
      radius={[3, 3, 0, 0]}
      maxBarSize={28}
      isAnimationActive={false}
    />
  );

/**
 * Figures over time: bars beside each other, a line where values cannot be added up. The words are in the
 * table.
 */
export function Chart({
  rows,
  series,
  label,
  nameOf,
  dayOf,
}: {
  rows: readonly StatisticsRow[];
  series: readonly Series[];
  /** What a reader of the screen hears instead of the picture. */
  label: string;
  nameOf: (word: Series['word']) => string;
  dayOf: (from: string) => string;
}) {
  const data = rows.map((row) => ({
    from: row.from,
    ...Object.fromEntries(series.map(({ word, value }) => [word, value(row)])),
  }));
  return (
    <figure className="h-60">
      <figcaption className="sr-only">{label}</figcaption>
      <div aria-hidden className="size-full text-small">
        <ResponsiveContainer width="100%" height="100%">
          <ComposedChart
            data={data}
            margin={{ top: 8, right: halfDayLabelRem * remPx(), bottom: 0, left: -12 }}
            accessibilityLayer={false}
            barGap={0}
            barCategoryGap="12%"
          >
            <CartesianGrid stroke="#e5e7eb" vertical={false} />
            <XAxis
              dataKey="from"
              tickFormatter={dayOf}
              tick={{ fill: '#656c7a' }}
              tickLine={false}
              axisLine={{ stroke: '#cfd4dc' }}
              minTickGap={24}
            />
            <YAxis allowDecimals={false} tick={{ fill: '#656c7a' }} tickLine={false} axisLine={false} />
            <Tooltip
              labelFormatter={(from) => (typeof from === 'string' ? dayOf(from) : '')}
              contentStyle={{ borderRadius: 12, border: '1px solid #e5e7eb' }}
              isAnimationActive={false}
            />
            {series.length > 1 && <Legend iconType="square" itemSorter={null} formatter={legendWord} />}
            {series.map((each, index) => mark(each, nameOf(each.word), colours[index] ?? '#1f2430'))}
          </ComposedChart>
        </ResponsiveContainer>
      </div>
    </figure>
  );
}

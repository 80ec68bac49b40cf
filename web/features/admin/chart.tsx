import { useState } from 'react';
import type { StatisticsRow } from '#contract/admin/endpoints.ts';
import { linesOf } from './chart-scale.ts';
import type { Series } from './series.ts';

// Distinguishable in gray too: from dark to light, and each has its position in the row and in the legend.
const colours = ['#1f2430', '#59bc6b', '#2f4d7d', '#c98a2b'];

interface ChartProps {
  rows: readonly StatisticsRow[];
  series: readonly Series[];
  /** What a reader of the screen hears instead of the picture. */
  label: string;
  nameOf: (word: Series['word']) => string;
  dayOf: (from: string) => string;
}

/** Figures over time: adjacent bars, a line where values cannot be added up. The words are in the table. */
export function Chart({ rows, series, label, nameOf, dayOf }: ChartProps) {
  const [at, setAt] = useState<number | null>(null);
  const pointed = at === null ? undefined : rows[at];
  const values = rows.flatMap((row) => series.map(({ value }) => value(row) ?? 0));
  const lines = linesOf(Math.max(0, ...values));
  const days = [rows[0], rows[rows.length >> 1], rows.at(-1)].map((row) => dayOf(row?.from ?? ''));
  return (
    <figure className="flex flex-col gap-2 text-small text-ink-3">
      <figcaption className="sr-only">{label}</figcaption>
      <div aria-hidden className="contents">
        <div className="flex flex-wrap gap-x-3 gap-y-1">
          {series.map((each, index) => (
            <span key={each.word} className="flex items-center gap-1.5">
              <span className="size-2.5 rounded-[3px]" style={{ background: colours[index] }} />
              {nameOf(each.word)}
              {pointed !== undefined && (
                <b className="figures font-semibold text-ink">{each.value(pointed) ?? '–'}</b>
              )}
            </span>
          ))}
          {pointed !== undefined && <span className="ml-auto">{dayOf(pointed.from)}</span>}
        </div>
        <div className="grid grid-cols-[auto_1fr] gap-x-2 pt-2">
          <div className="figures relative h-44 min-w-4 text-right">
            <span className="invisible">{lines[0]}</span>
            {lines.map((line) => (
              <span
                key={line}
                className="absolute right-0 -translate-y-1/2"
                style={{ top: share(1 - line / lines[0]!) }}
              >
                {line}
              </span>
            ))}
          </div>
          <Plot rows={rows} series={series} lines={lines} pointedAt={setAt} />
          <div className="col-start-2 flex flex-wrap justify-between gap-x-3 pt-1.5">
            {[...new Set(days)].map((day) => (
              <span key={day}>{day}</span>
            ))}
          </div>
        </div>
      </div>
    </figure>
  );
}

const share = (part: number): string => `${part * 100}%`;

/** The bars and lines on their ground; says which period a mouse or a finger is on. */
function Plot({
  rows,
  series,
  lines,
  pointedAt,
}: Pick<ChartProps, 'rows' | 'series'> & {
  lines: readonly number[];
  pointedAt: (index: number | null) => void;
}) {
  const top = lines[0]!;
  const bars = series.filter(({ noTotal }) => noTotal !== true);
  return (
    <div className="relative h-44" onPointerLeave={() => pointedAt(null)}>
      {lines.map((line) => (
        <div
          key={line}
          className="absolute inset-x-0 border-t border-line"
          style={{ top: share(1 - line / top) }}
        />
      ))}
      <div className="absolute inset-0 flex">
        {rows.map((row, index) => (
          <div
            key={row.from}
            className="flex h-full min-w-0 flex-1 items-end justify-center px-px hover:bg-line/60"
            onPointerEnter={() => pointedAt(index)}
            onPointerDown={() => pointedAt(index)}
          >
            {bars.map((each) => (
              <div
                key={each.word}
                data-bar=""
                className="max-w-7 min-w-px flex-1 rounded-t-[3px]"
                style={{
                  height: share((each.value(row) ?? 0) / top),
                  background: colours[series.indexOf(each)],
                }}
              />
            ))}
          </div>
        ))}
      </div>
      {series.map((each, index) =>
        each.noTotal === true ? (
          <Line key={each.word} values={rows.map(each.value)} top={top} colour={colours[index] ?? ''} />
        ) : null,
      )}
    </div>
  );
}

/** A line through the values that there are, with a dot on each: a single one is seen too. */
function Line({ values, top, colour }: { values: (number | null)[]; top: number; colour: string }) {
  const points = values.flatMap((value, index) =>
    value === null ? [] : [{ x: (index + 0.5) / values.length, y: 1 - value / top }],
  );
  return (
    <div className="pointer-events-none absolute inset-0">
      <svg viewBox="0 0 1 1" preserveAspectRatio="none" className="absolute size-full">
        <polyline
          points={points.map(({ x, y }) => `${x},${y}`).join(' ')}
          fill="none"
          stroke={colour}
          strokeWidth={2}
          vectorEffect="non-scaling-stroke"
        />
      </svg>
      {points.map(({ x, y }) => (
        <span
          key={x}
          className="absolute size-2 -translate-1/2 rounded-full"
          style={{ left: share(x), top: share(y), background: colour }}
        />
      ))}
    </div>
  );
}

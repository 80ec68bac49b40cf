import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Period, StatisticsRow } from '#contract/admin/endpoints.ts';
import { SegmentedControl } from '../../ui/choices.tsx';
import { Card } from '../../ui/surfaces.tsx';
import { Chart } from './chart.tsx';
import { totalOf, type ChartOf, type Series } from './series.ts';

const shapes = ['chart', 'table'] as const;

/** One group of figures, as a chart or as a table. */
export function Figures({
  chart,
  rows,
  by,
  dayOf,
}: {
  chart: ChartOf;
  rows: readonly StatisticsRow[];
  by: Period;
  dayOf: (from: string) => string;
}) {
  const { t } = useTranslation('admin');
  const [shape, setShape] = useState<(typeof shapes)[number]>('chart');
  const title = t(`statistics.charts.${chart.word}`);
  const nameOf = (word: Series['word']) => t(`statistics.series.${word}`);
  const totals = chart.series.flatMap((series) => {
    const total = totalOf(series, rows);
    return total === null ? [] : [`${nameOf(series.word)} ${total}`];
  });
  const isEmpty = rows.every((row) => chart.series.every(({ value }) => !value(row)));
  return (
    <Card className="flex min-w-0 flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 className="text-lead">{title}</h2>
        <div className="w-36">
          <SegmentedControl
            label={t('statistics.show', { title })}
            options={shapes.map((value) => ({ value, label: t(`statistics.${value}`) }))}
            value={shape}
            onChange={setShape}
          />
        </div>
      </div>
      {!isEmpty && <p className="figures text-small text-ink-3">{totals.join(' · ')}</p>}
      {shape === 'table' ? (
        <FigureTable title={title} chart={chart} rows={rows} by={by} dayOf={dayOf} nameOf={nameOf} />
      ) : isEmpty ? (
        <p className="grid min-h-24 flex-1 place-items-center text-body text-ink-3">{t('statistics.none')}</p>
      ) : (
        <Chart
          rows={rows}
          series={chart.series}
          nameOf={nameOf}
          dayOf={dayOf}
          label={t('statistics.summary', {
            title,
            from: dayOf(rows[0]?.from ?? ''),
            to: dayOf(rows.at(-1)?.from ?? ''),
            totals: totals.join(', '),
          })}
        />
      )}
    </Card>
  );
}

function FigureTable({
  title,
  chart,
  rows,
  by,
  dayOf,
  nameOf,
}: {
  title: string;
  chart: ChartOf;
  rows: readonly StatisticsRow[];
  by: Period;
  dayOf: (from: string) => string;
  nameOf: (word: Series['word']) => string;
}) {
  const { t } = useTranslation('admin');
  const cell = 'px-2 py-1.5 text-right';
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- keys must be able to scroll it
    <section className="max-h-60 overflow-auto" tabIndex={0} aria-label={title}>
      <table className="figures w-full text-small">
        <thead className="sticky top-0 bg-surface text-ink-3">
          <tr>
            <th scope="col" className="px-2 py-1.5 text-left font-semibold">
              {t(`statistics.period.${by}`)}
            </th>
            {chart.series.map(({ word }) => (
              <th key={word} scope="col" className={`${cell} font-semibold`}>
                {nameOf(word)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.toReversed().map((row) => (
            <tr key={row.from} className="border-t border-line">
              <th scope="row" className="px-2 py-1.5 text-left font-normal whitespace-nowrap">
                {dayOf(row.from)}
              </th>
              {chart.series.map(({ word, value }) => (
                <td key={word} className={cell}>
                  {value(row) ?? '–'}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
        <tfoot className="sticky bottom-0 bg-surface font-semibold">
          <tr className="border-t border-line">
            <th scope="row" className="px-2 py-1.5 text-left">
              {t('statistics.total')}
            </th>
            {chart.series.map((series) => (
              <td key={series.word} className={cell}>
                {totalOf(series, rows) ?? '–'}
              </td>
            ))}
          </tr>
        </tfoot>
      </table>
    </section>
  );
}

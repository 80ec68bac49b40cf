import { chartDate } from '#contract/formats/times.ts';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { periods, statistics, type Period, type Statistics } from '#contract/admin/endpoints.ts';
import { usePageTitle } from '../../core/navigation.ts';
import { useCall } from '../../core/queries.ts';
import { QueryView } from '../../core/query-view.tsx';
import { useFormat } from '../../core/use-format.ts';
import { Figures } from '../../features/admin/figures.tsx';
import { charts, csvOf } from '../../features/admin/series.ts';
import { Button } from '../../ui/button.tsx';
import { SegmentedControl } from '../../ui/choices.tsx';
import { PageLayout } from '../../ui/page-layout.tsx';
import { Card } from '../../ui/surfaces.tsx';

/** How the installation is doing: figures over time, as charts, as tables and to take along. */
export function Page() {
  const { t } = useTranslation('admin');
  const [by, setBy] = useState<Period>('day');
  const read = useCall(statistics, { by }, { quiet: true, keepPrevious: true });
  return (
    <PageLayout title={usePageTitle()} back wide>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <div className="w-full lg:w-80">
          <SegmentedControl
            label={t('statistics.by')}
            options={periods.map((value) => ({ value, label: t(`statistics.${value}`) }))}
            value={by}
            onChange={setBy}
          />
        </div>
        {read.data !== undefined && <DownloadCsv data={read.data} by={by} />}
      </div>
      <QueryView query={read} failed={t('failed')} skeleton={{ kind: 'figures', rows: 8 }}>
        {(data) => <Content data={data} by={by} />}
      </QueryView>
    </PageLayout>
  );
}

function Content({ data, by }: { data: Statistics; by: Period }) {
  const { t } = useTranslation('admin');
  const { language } = useFormat();
  // The days are the region's own, given by name: they are read and written without any zone.
  const dayOf = (from: string) =>
    from === '' ? '' : chartDate(`${from}T00:00:00Z`, 'UTC', language, by === 'month');
  return (
    <>
      <Now now={data.now} />
      <div className="grid gap-4 lg:grid-cols-2">
        {charts.map((chart) => (
          <Figures key={chart.word} chart={chart} rows={data.rows} by={by} dayOf={dayOf} />
        ))}
      </div>
      <p className="text-small text-ink-3">{t('statistics.zone', { zone: data.timeZone })}</p>
    </>
  );
}

function Now({ now }: { now: Statistics['now'] }) {
  const { t } = useTranslation('admin');
  const format = useFormat();
  const figures = [
    [t('statistics.people'), now.people],
    [t('statistics.openRides'), now.openRides],
    [t('statistics.openRequests'), now.openRequests],
    [t('statistics.suspended'), now.suspended],
    [t('statistics.licensesWaiting'), now.licencesWaiting],
    [
      t('statistics.oldest'),
      now.oldestLicenceSentAt === null ? t('statistics.noneWaits') : format.relative(now.oldestLicenceSentAt),
    ],
  ] as const;
  return (
    <Card>
      <dl aria-label={t('statistics.now')} className="grid grid-cols-2 gap-x-4 gap-y-3 lg:grid-cols-6">
        {figures.map(([label, value]) => (
          <div key={label} className="flex flex-col-reverse justify-end">
            <dt className="text-small text-ink-3">{label}</dt>
            <dd className={typeof value === 'number' ? 'figures text-heading' : 'figures text-lead'}>
              {value}
            </dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}

function DownloadCsv({ data, by }: { data: Statistics; by: Period }) {
  const { t } = useTranslation('admin');
  const download = () => {
    const text = csvOf(data.rows, (word) => t(`statistics.series.${word}`));
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([text], { type: 'text/csv' }));
    link.download = `sameway-${by}-${data.rows.at(-1)?.from ?? ''}.csv`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  };
  return (
    <Button tone="quiet" small icon={<Download aria-hidden className="size-5" />} onClick={download}>
      {t('statistics.csv')}
    </Button>
  );
}

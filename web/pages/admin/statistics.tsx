import { chartDate } from '#contract/formats/times.ts';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { periods, statistics, type Period, type Statistics } from '#contract/admin/endpoints.ts';
import { errorWords } from '../../core/errors.ts';
import { usePageTitle } from '../../core/navigation.ts';
import { useCall } from '../../core/queries.ts';
import { useFormat } from '../../core/use-format.ts';
import { Figures } from '../../features/admin/figures.tsx';
import { charts, csvOf } from '../../features/admin/series.ts';
import { Button } from '../../ui/button.tsx';
import { SegmentedControl } from '../../ui/choices.tsx';
import { PageLayout } from '../../ui/page-layout.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Card, ErrorState } from '../../ui/surfaces.tsx';

/** How the installation is doing: figures over time, as charts, as tables and to take along. */
export function Page() {
  const { t } = useTranslation(['admin', 'common']);
  const [by, setBy] = useState<Period>('day');
  const { data, error, refetch } = useCall(statistics, { by }, { quiet: true, keepPrevious: true });
  return (
    <PageLayout title={usePageTitle()} back wide>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <div className="w-full lg:w-80">
          <SegmentedControl
            label={t('admin:statistics.by')}
            options={periods.map((value) => ({ value, label: t(`admin:statistics.${value}`) }))}
            value={by}
            onChange={setBy}
          />
        </div>
        {data !== undefined && <DownloadCsv data={data} by={by} />}
      </div>
      {data === undefined && error !== null && (
        <ErrorState
          title={t('admin:failed')}
          text={errorWords(error)}
          retryLabel={t('common:retry')}
          onRetry={() => void refetch()}
        />
      )}
      {data === undefined && error === null && (
        <Skeleton label={t('common:loading')} rows={8} kind="figures" />
      )}
      {data !== undefined && <Content data={data} by={by} />}
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

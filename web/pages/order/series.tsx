import { Link } from '@tanstack/react-router';
import { ArrowLeftRight, Pencil, SearchX } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { endSeries, seriesDetail, type Series } from '#contract/rides/recurring.ts';
import { usePageSearch, usePageTitle } from '../../core/navigation.ts';
import { useAction, useCall } from '../../core/queries.ts';
import { QueryView } from '../../core/query-view.tsx';
import { useFormat } from '../../core/use-format.ts';
import { usePlannedRoute, usePlannedRouteOnMap } from '../../features/planning/use-planned-route.ts';
import { PlacesLines } from '../../domain/place/places-lines.tsx';
import { RecurringDays } from '../../features/rides/recurring/recurring-days.tsx';
import { useRecurringWords } from '../../features/rides/recurring/recurring-words.ts';
import { useBackdrop } from '../../map/backdrop.tsx';
import { buttonVariants, TextButton } from '../../ui/button.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { PageLayout } from '../../ui/page-layout.tsx';
import { Banner, Card, EmptyState } from '../../ui/surfaces.tsx';
import { toast } from '../../ui/toasts.tsx';

/** A ride or request that comes back every week: when, and what becomes of each day. */
export function Page() {
  const { t } = useTranslation('recurring');
  const title = usePageTitle();
  const { id = '' } = usePageSearch('/pages/order/series');
  const series = useCall(seriesDetail, { id }, { enabled: id !== '', quiet: true });
  return (
    <PageLayout title={title} back>
      <QueryView
        query={series}
        failed={t('page.failed')}
        skeleton={{ kind: 'detail' }}
        isMissing={id === ''}
        missing={
          <EmptyState icon={<SearchX />} title={t('page.missingTitle')} text={t('page.missingText')} />
        }
      >
        {(data) => <Shown series={data.series} />}
      </QueryView>
    </PageLayout>
  );
}

function Shown({ series }: { series: Series }) {
  const { t } = useTranslation('recurring');
  const format = useFormat();
  const words = useRecurringWords();
  const { order, rule, timeZone, pairedId } = series;
  const { quote } = usePlannedRoute(order.from, order.to);
  useBackdrop(usePlannedRouteOnMap(order.from, order.to, quote));
  return (
    <>
      <Card className="flex flex-col gap-4">
        <div>
          <h2 className="figures text-heading">{words(series)}</h2>
          <p className="text-body text-ink-2">
            {[
              t(series.role === 'driver' ? 'card.driver' : 'card.passenger'),
              t('until', { day: format.dayInSentence(`${rule.untilDay}T12:00:00Z`, 'UTC') }),
            ].join(' · ')}
          </p>
        </div>
        <PlacesLines from={order.from} to={order.to} timeZone={timeZone} big />
        {pairedId !== null && (
          <Link
            to="/pages/order/series"
            search={{ id: pairedId }}
            className={buttonVariants({ tone: 'quiet', full: true })}
          >
            <ArrowLeftRight aria-hidden className="size-5" />
            {t('page.other')}
          </Link>
        )}
      </Card>
      {series.state === 'ended' ? (
        <Banner kind="info">{t('page.ended')}</Banner>
      ) : (
        <Link
          to="/pages/order/confirm"
          search={{ series: series.id }}
          className={buttonVariants({ tone: 'quiet', full: true })}
        >
          <Pencil aria-hidden className="size-5" />
          {t('page.edit')}
        </Link>
      )}
      {series.days.length > 0 && <RecurringDays series={series} />}
      {series.state === 'running' && <End id={series.id} />}
    </>
  );
}

function End({ id }: { id: string }) {
  const { t } = useTranslation(['recurring', 'common']);
  const [asking, setAsking] = useState(false);
  const end = useAction(endSeries, {
    invalidates: ['/order/', '/series/'],
    onDone: ({ canceled }) => {
      setAsking(false);
      toast.done(
        canceled === 0
          ? t('recurring:page.endedNone')
          : t('recurring:page.endedCancelled', { count: canceled }),
      );
    },
  });
  return (
    <div className="flex justify-center">
      <TextButton tone="danger" onClick={() => setAsking(true)}>
        {t('recurring:page.end')}
      </TextButton>
      <Confirm
        open={asking}
        onOpenChange={setAsking}
        title={t('recurring:page.endTitle')}
        text={t('recurring:page.endText')}
        confirmLabel={t('recurring:page.endConfirm')}
        cancelLabel={t('common:cancel')}
        busy={end.busy}
        onConfirm={() => end.run({ id })}
      />
    </div>
  );
}

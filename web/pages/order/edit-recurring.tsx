import { useNavigate } from '@tanstack/react-router';
import { SearchX } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { seriesDetail, updateSeries, type Series } from '#contract/rides/recurring.ts';
import { now } from '../../core/clock.ts';
import { useAction, useCall } from '../../core/queries.ts';
import { QueryView } from '../../core/query-view.tsx';
import { editedStores, keptOr, planOfSeries } from '../../features/planning/edited-draft.ts';
import { planKinds } from '../../features/planning/plan-kinds.ts';
import { PlanParts } from '../../features/planning/plan-parts.tsx';
import { problemsOf } from '../../features/planning/publish.ts';
import { planOf } from '../../features/planning/repeat.ts';
import { usePlan } from '../../features/planning/use-plan.ts';
import { Button } from '../../ui/button.tsx';
import { PageLayout } from '../../ui/page-layout.tsx';
import { Banner, EmptyState } from '../../ui/surfaces.tsx';
import { toast } from '../../ui/toasts.tsx';
import { PlanPlaceDialog, useChoosePlace } from '../address/place-dialog.tsx';

/**
 * "Plan your ride" over a series: what is saved holds for all its days to come that no passenger has joined.
 */
export function EditRecurring({ id }: { id: string }) {
  const { t } = useTranslation('recurring');
  const recurring = useCall(seriesDetail, { id }, { quiet: true });
  const series = recurring.data?.series;
  if (series?.state === 'running') return <EditForm key={series.id} series={series} />;
  return (
    <PageLayout title={t('edit.title')} back>
      <QueryView
        query={recurring}
        failed={t('page.failed')}
        skeleton={{ kind: 'form', rows: 5 }}
        missing={
          <EmptyState icon={<SearchX />} title={t('page.missingTitle')} text={t('page.missingText')} />
        }
      >
        {() => <EmptyState icon={<SearchX />} title={t('edit.over')} text={t('page.ended')} />}
      </QueryView>
    </PageLayout>
  );
}

function EditForm({ series }: { series: Series }) {
  const { t } = useTranslation('recurring');
  const navigate = useNavigate();
  const { id, role, timeZone } = series;
  const isDriver = role === 'driver';
  const draft = editedStores[role];
  const plan = usePlan(isDriver ? planKinds.weeklyRides : planKinds.weeklyRequests, {
    draft,
    start: keptOr(draft, () => planOfSeries(series, now())),
    timeZone,
    choose: useChoosePlace(),
  });
  const save = useAction(updateSeries, {
    invalidates: ['/order/', '/series/'],
    onDone: ({ changed, kept }) => {
      const said = [
        ...(changed > 0 ? [t('edit.changed', { count: changed })] : []),
        ...(kept > 0 ? [t('edit.kept', { count: kept })] : []),
      ];
      toast.done(said.length === 0 ? t('edit.saved') : said.join(' · '));
      void navigate({ to: '/pages/order/series', search: { id }, replace: true }).then(draft.drop);
    },
    onRefused: (refused) => plan.show(problemsOf(refused)),
  });
  const send = () => {
    const changed = planOf(plan.input, plan.values, plan.zone);
    if (changed.kind === 'series') save.run({ id, series: changed.series });
  };
  return (
    <PageLayout
      title={t('edit.title')}
      back
      action={
        <Button full busy={save.busy} disabled={plan.own.isLoading} onClick={() => plan.submit(send)}>
          {t('edit.save')}
        </Button>
      }
    >
      <Banner kind="info">{t('edit.info')}</Banner>
      <PlanParts plan={plan} />
      <PlanPlaceDialog plan={plan.values} change={plan.change} />
    </PageLayout>
  );
}

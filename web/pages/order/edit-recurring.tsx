import { useNavigate } from '@tanstack/react-router';
import { SearchX } from 'lucide-react';
import { useEffect, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { seriesDetail, updateSeries, type Series } from '#contract/rides/recurring.ts';
import { now } from '../../core/clock.ts';
import { errorWords, Refused } from '../../core/errors.ts';
import { useAction, useCall } from '../../core/queries.ts';
import { useSession } from '../../core/session.ts';
import { localOf } from '../../core/zoned-time.ts';
import { dropEdited, useEditedRequest, useEditedRide, type Draft } from '../../features/planning/draft.ts';
import { startEditingRecurring } from '../../features/planning/edited-recurring.ts';
import { EditedRoute } from '../../features/planning/edited-route.tsx';
import { FormPart } from '../../features/planning/form-part.tsx';
import {
  problemsOf,
  requestOf,
  rideOf,
  type PlanField,
  type Problems,
} from '../../features/planning/publish.ts';
import { lastDay, planOf } from '../../features/planning/repeat.ts';
import { RequestForm } from '../../features/planning/request-form.tsx';
import { useCanBePaid } from '../../features/planning/use-can-be-paid.ts';
import { RideForm } from '../../features/planning/ride-form.tsx';
import { useProblems } from '../../features/planning/use-problems.ts';
import { useRepeatProblems } from '../../features/planning/use-publish-plan.ts';
import { ViaFields } from '../../features/planning/via-fields.tsx';
import { usePlannedRoute, type PlannedRoute } from '../../features/planning/use-planned-route.ts';
import { useOwnVehicles } from '../../features/planning/vehicle-field.tsx';
import { WeekFields } from '../../features/planning/week-fields.tsx';
import { Button } from '../../ui/button.tsx';
import { PageLayout } from '../../ui/page-layout.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Banner, EmptyState, ErrorState } from '../../ui/surfaces.tsx';
import { toast } from '../../ui/toasts.tsx';
import { useChooseOwnPlace } from '../address/use-choose-place.ts';

/**
 * "Plan your ride" over a series: what is saved holds for all its days to come that no passenger has joined.
 */
export function EditRecurring({ id }: { id: string }) {
  const { t } = useTranslation(['recurring', 'common']);
  const { data, error, refetch } = useCall(seriesDetail, { id }, { quiet: true });
  const series = data?.series;
  const [ride] = useEditedRide();
  const [request] = useEditedRequest();
  const edited = series?.role === 'driver' ? ride.of : request.of;
  useEffect(() => {
    if (series !== undefined && edited !== series.id) startEditingRecurring(series, now());
  }, [series, edited]);

  if (series?.state === 'running') {
    if (edited !== series.id) return null;
    return series.role === 'driver' ? <EditRides series={series} /> : <EditRequests series={series} />;
  }
  return (
    <PageLayout title={t('recurring:edit.title')} back>
      {series !== undefined ? (
        <EmptyState icon={<SearchX />} title={t('recurring:edit.over')} text={t('recurring:page.ended')} />
      ) : error instanceof Refused ? (
        <EmptyState
          icon={<SearchX />}
          title={t('recurring:page.missingTitle')}
          text={t('recurring:page.missingText')}
        />
      ) : error ? (
        <ErrorState
          title={t('recurring:page.failed')}
          text={errorWords(error)}
          retryLabel={t('common:retry')}
          onRetry={() => void refetch()}
        />
      ) : (
        <Skeleton label={t('common:loading')} rows={5} kind="form" />
      )}
    </PageLayout>
  );
}

function useSaving(id: string) {
  const { t } = useTranslation('recurring');
  const navigate = useNavigate();
  const { problems, show, forget } = useProblems();
  const repeatProblems = useRepeatProblems();
  const save = useAction(updateSeries, {
    invalidates: ['/order/', '/series/'],
    onDone: ({ changed, kept }) => {
      const said = [
        ...(changed > 0 ? [t('edit.changed', { count: changed })] : []),
        ...(kept > 0 ? [t('edit.kept', { count: kept })] : []),
      ];
      toast.done(said.length === 0 ? t('edit.saved') : said.join(' · '));
      void navigate({ to: '/pages/order/series', search: { id }, replace: true }).then(dropEdited);
    },
    onRefused: (refused) => show(problemsOf(refused)),
  });
  return { problems, show, forget, save, repeatProblems };
}

function Form({
  busy,
  disabled = false,
  onSave,
  children,
}: {
  busy: boolean;
  disabled?: boolean;
  onSave: () => void;
  children: ReactNode;
}) {
  const { t } = useTranslation('recurring');
  return (
    <PageLayout
      title={t('edit.title')}
      back
      action={
        <Button full busy={busy} disabled={disabled} onClick={onSave}>
          {t('edit.save')}
        </Button>
      }
    >
      <Banner kind="info">{t('edit.info')}</Banner>
      {children}
    </PageLayout>
  );
}

function Week({
  draft,
  zone,
  problems,
  change,
}: {
  draft: Draft;
  zone: string;
  problems: Problems;
  change: (part: Pick<Draft, 'weekly'>, ...fields: PlanField[]) => void;
}) {
  const { t } = useTranslation('recurring');
  const { weekly } = draft;
  if (weekly === null) return null;
  return (
    <FormPart title={t('card.title')}>
      <WeekFields
        weekly={weekly}
        firstDay={localOf(now(), zone).slice(0, 10)}
        lastDay={lastDay(now(), zone)}
        problems={problems}
        onChange={(part, field) => change({ weekly: { ...weekly, ...part } }, field)}
      />
    </FormPart>
  );
}

/** Problems found here, before anything is sent; a way that cannot be driven comes first. */
const wrongRoute = ({ refusal }: PlannedRoute): Problems | null =>
  refusal && { [refusal.field]: refusal.words };

function EditRides({ series }: { series: Series }) {
  const { user } = useSession();
  const [draft, write] = useEditedRide();
  const { problems, show, forget, save, repeatProblems } = useSaving(series.id);
  const choose = useChooseOwnPlace('editedRide');
  const route = usePlannedRoute(draft.from, draft.to, { via: draft.via, local: draft.local });
  const own = useOwnVehicles(draft.vehicleId);
  const canBePaid = useCanBePaid();
  const change = (part: Partial<typeof draft>, ...fields: PlanField[]) => {
    write(part);
    forget(...fields);
  };
  const zone = route.zone ?? series.timeZone;
  const context = { canBePaid, zone, quote: route.quote, contactWith: user.preferContactWith, now: now() };
  const entered = rideOf(draft, own.chosen?.id ?? null, context);
  const submit = () => {
    if (show(wrongRoute(route) ?? { ...entered.problems, ...repeatProblems(draft) })) return;
    const plan = planOf(entered.order, draft, zone);
    if (plan.kind === 'series') save.run({ id: series.id, series: plan.series });
  };
  return (
    <Form busy={save.busy} disabled={own.isLoading} onSave={submit}>
      <RideForm
        draft={draft}
        route={route}
        own={own}
        canBePaid={canBePaid}
        preferred={user.preferContactWith}
        problems={problems}
        change={change}
        repeatPart={<Week draft={draft} zone={zone} problems={problems} change={change} />}
        wayPart={
          <EditedRoute
            draft={draft}
            route={route}
            problems={problems}
            onChoose={choose}
            onSwap={() =>
              change({ from: draft.to, to: draft.from, via: draft.via.toReversed() }, 'from', 'to')
            }
          >
            <ViaFields
              via={draft.via}
              error={problems.via ?? (route.refusal?.field === 'via' ? route.refusal.words : undefined)}
              onChoose={(index) => choose(`via${index}`)}
              onChange={(via) => change({ via }, 'via')}
            />
          </EditedRoute>
        }
      />
    </Form>
  );
}

function EditRequests({ series }: { series: Series }) {
  const { user } = useSession();
  const [draft, write] = useEditedRequest();
  const { problems, show, forget, save, repeatProblems } = useSaving(series.id);
  const choose = useChooseOwnPlace('editedRequest');
  const route = usePlannedRoute(draft.from, draft.to, { local: draft.local });
  const change = (part: Partial<typeof draft>, ...fields: PlanField[]) => {
    write(part);
    forget(...fields);
  };
  const zone = route.zone ?? series.timeZone;
  const context = { zone, quote: route.quote, contactWith: user.preferContactWith, now: now() };
  const entered = requestOf(draft, context);
  const submit = () => {
    if (show(wrongRoute(route) ?? { ...entered.problems, ...repeatProblems(draft) })) return;
    const plan = planOf(entered.order, draft, zone);
    if (plan.kind === 'series') save.run({ id: series.id, series: plan.series });
  };
  return (
    <Form busy={save.busy} onSave={submit}>
      <RequestForm
        draft={draft}
        route={route}
        preferred={user.preferContactWith}
        problems={problems}
        change={change}
        repeatPart={<Week draft={draft} zone={zone} problems={problems} change={change} />}
        wayPart={
          <EditedRoute
            draft={draft}
            route={route}
            problems={problems}
            onChoose={choose}
            onSwap={() => change({ from: draft.to, to: draft.from }, 'from', 'to')}
          />
        }
      />
    </Form>
  );
}

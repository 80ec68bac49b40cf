import { useTranslation } from 'react-i18next';
import { usePageTitle } from '../../core/navigation.ts';
import type { Side } from '../../core/side.ts';
import {
  clearDriverDraft,
  clearPassengerDraft,
  driverStore,
  passengerStore,
} from '../../features/planning/draft.ts';
import { planKinds } from '../../features/planning/plan-kinds.ts';
import { PlanParts } from '../../features/planning/plan-parts.tsx';
import { useDefaultDepartureTime } from '../../features/planning/use-default-departure-time.ts';
import { usePlan } from '../../features/planning/use-plan.ts';
import { Button } from '../../ui/button.tsx';
import { PageLayout } from '../../ui/page-layout.tsx';
import { PlanPlaceDialog, useChoosePlace } from '../address/place-dialog.tsx';
import { RequestReview } from './request-review.tsx';
import { RideReview } from './ride-review.tsx';
import { useEventPrefill } from './use-event-prefill.ts';
import { usePlanReview } from './use-plan-review.ts';

const kinds = {
  driver: {
    kind: planKinds.ride,
    draft: driverStore,
    clear: clearDriverDraft,
    review: 'review.ride',
    published: 'review.ridePublished',
  },
  passenger: {
    kind: planKinds.request,
    draft: passengerStore,
    clear: clearPassengerDraft,
    review: 'review.request',
    published: 'review.requestPublished',
  },
} as const satisfies Record<Side, unknown>;

/** "Plan your ride": fill in, review, publish; then who matches. */
export function NewPlan({ side, eventId }: { side: Side; eventId: string | null }) {
  const { t } = useTranslation('planning');
  const title = usePageTitle();
  const { kind, draft, clear, review: reviewLabel, published } = kinds[side];
  const plan = usePlan(kind, { draft, choose: useChoosePlace() });
  const { values, route, own, input } = plan;
  useDefaultDepartureTime(values.local, route.zone, (local) => plan.set('local', local));
  useEventPrefill(eventId, values.eventId, plan.change);
  const review = usePlanReview({ plan, words: t(published), clear });
  const { from, to } = values;
  const ends = from && to && { from, to };

  return (
    <PageLayout
      title={title}
      back
      action={
        <Button
          full
          disabled={route.zone === null || own.isLoading}
          onClick={() => plan.submit(() => review.setOpen(true))}
        >
          {t(reviewLabel)}
        </Button>
      }
    >
      <PlanParts plan={plan} />
      <PlanPlaceDialog plan={values} change={plan.change} goesOn />
      {ends && input.role === 'driver' && input.departsAt !== '' && (
        <RideReview ends={ends} plan={plan} input={input} review={review} />
      )}
      {ends && input.role === 'passenger' && input.earliestAt !== '' && (
        <RequestReview ends={ends} plan={plan} input={input} review={review} />
      )}
    </PageLayout>
  );
}

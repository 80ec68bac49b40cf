import { useTranslation } from 'react-i18next';
import { usePageTitle } from '../../core/navigation.ts';
import { useSession } from '../../core/session.ts';
import { clearDriverDraft } from '../../features/planning/draft.ts';
import { RepeatFields } from '../../features/planning/repeat-fields.tsx';
import { RideForm } from '../../features/planning/ride-form.tsx';
import { RideRoute } from '../../features/planning/ride-route.tsx';
import { Button } from '../../ui/button.tsx';
import { PageLayout } from '../../ui/page-layout.tsx';
import { useChooseOwnPlace, useChoosePlace } from '../address/use-choose-place.ts';
import { RideReview } from './ride-review.tsx';
import { usePlanReview } from './use-plan-review.ts';
import { useRidePlan } from './use-ride-plan.ts';

/** "Plan your ride" for a driver: fill in, review, publish; then who fits. */
export function PlanRide({ eventId }: { eventId: string | null }) {
  const { t } = useTranslation('planning');
  const title = usePageTitle();
  const { user } = useSession();
  const plan = useRidePlan(eventId);
  const { draft, change, problems, route, own } = plan;
  const choose = useChoosePlace('driver');
  const chooseOwn = useChooseOwnPlace('driver');
  const review = usePlanReview({ ...plan, words: t('review.ridePublished'), clear: clearDriverDraft });
  const { from, to } = draft;

  return (
    <PageLayout
      title={title}
      back
      action={
        <Button full disabled={route.zone === null || own.isLoading} onClick={review.begin}>
          {t('review.ride')}
        </Button>
      }
    >
      <RideForm
        draft={draft}
        route={route}
        own={own}
        preferred={user.preferContactWith}
        problems={problems}
        canBePaid={plan.canBePaid}
        change={change}
        repeatPart={
          <RepeatFields
            draft={draft}
            isDriver
            zone={route.zone}
            backZone={route.zone && plan.backZone}
            problems={problems}
            change={change}
          />
        }
        wayPart={
          <RideRoute
            draft={draft}
            route={route}
            problems={problems}
            onChoose={choose}
            onChooseStop={(index) => chooseOwn(`via${index}`)}
            change={change}
          />
        }
      />
      {from && to && plan.order.departsAt !== '' && (
        <RideReview ends={{ from, to }} plan={plan} review={review} />
      )}
    </PageLayout>
  );
}

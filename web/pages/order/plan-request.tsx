import { useTranslation } from 'react-i18next';
import { usePageTitle } from '../../core/navigation.ts';
import { useSession } from '../../core/session.ts';
import { clearPassengerDraft } from '../../features/planning/draft.ts';
import { EditedRoute } from '../../features/planning/edited-route.tsx';
import { RequestForm } from '../../features/planning/request-form.tsx';
import { RepeatFields } from '../../features/planning/repeat-fields.tsx';
import { Button } from '../../ui/button.tsx';
import { PageLayout } from '../../ui/page-layout.tsx';
import { useChoosePlace } from '../address/use-choose-place.ts';
import { RequestReview } from './request-review.tsx';
import { usePlanReview } from './use-plan-review.ts';
import { useRequestPlan } from './use-request-plan.ts';

/** "Plan your ride" for a passenger: fill in, review, publish; then which rides fit. */
export function PlanRequest({ eventId }: { eventId: string | null }) {
  const { t } = useTranslation('planning');
  const title = usePageTitle();
  const { user } = useSession();
  const plan = useRequestPlan(eventId);
  const { draft, change, problems, route } = plan;
  const choose = useChoosePlace('passenger');
  const review = usePlanReview({ ...plan, words: t('review.requestPublished'), clear: clearPassengerDraft });
  const { from, to } = draft;

  return (
    <PageLayout
      title={title}
      back
      action={
        <Button full disabled={route.zone === null} onClick={review.begin}>
          {t('review.request')}
        </Button>
      }
    >
      <RequestForm
        draft={draft}
        route={route}
        preferred={user.preferContactWith}
        problems={problems}
        change={change}
        repeatPart={
          <RepeatFields
            draft={draft}
            isDriver={false}
            zone={route.zone}
            backZone={route.zone && plan.backZone}
            problems={problems}
            change={change}
          />
        }
        wayPart={
          <EditedRoute
            draft={{ from, to }}
            route={route}
            problems={problems}
            onChoose={choose}
            onSwap={() => change({ from: to, to: from }, 'from', 'to')}
          />
        }
      />
      {from && to && plan.order.earliestAt !== '' && (
        <RequestReview ends={{ from, to }} plan={plan} review={review} />
      )}
    </PageLayout>
  );
}

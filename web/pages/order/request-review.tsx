import { useTranslation } from 'react-i18next';
import type { Place } from '#contract/units.ts';
import { useFormat } from '../../core/use-format.ts';
import { usePreferenceFacts } from '../../features/planning/preference-facts.ts';
import { ReviewDialog } from '../../features/planning/review-dialog.tsx';
import { useRepeatFacts } from '../../features/planning/use-publish-plan.ts';
import { PlacesLines } from '../../domain/place/places-lines.tsx';
import { PriceLines } from '../../domain/money/price-lines.tsx';
import type { usePlanReview } from './use-plan-review.ts';
import type { RequestPlan } from './use-request-plan.ts';

/** A passenger's plan as it will be published. */
export function RequestReview({
  ends: { from, to },
  plan: { draft, zone, backZone, order, plan },
  review,
}: {
  ends: { from: Place; to: Place };
  plan: RequestPlan;
  review: ReturnType<typeof usePlanReview>;
}) {
  const { t } = useTranslation('planning');
  const format = useFormat();
  const repeatFacts = useRepeatFacts();
  const preferenceFacts = usePreferenceFacts('passenger', draft.preferences);
  const offered = order.offerCents ?? null;
  return (
    <ReviewDialog
      open={review.open}
      onOpenChange={review.setOpen}
      title={t('review.requestTitle')}
      route={<PlacesLines from={from} to={to} timeZone={zone} big />}
      facts={[
        {
          label: t('review.window'),
          value: format.when(order.earliestAt, zone, order.latestAt),
        },
        { label: t('passenger.seats'), value: t('seats.count', { count: draft.seats }) },
        { label: t('walk.label'), value: format.distance(draft.walkMetres) },
        ...preferenceFacts,
        { label: t('visibility.label'), value: t(`visibility.${draft.visibility}.label`) },
        ...repeatFacts(plan, backZone),
      ]}
      price={
        offered === null ? (
          <p className="text-body text-ink-2">{t('review.openNote')}</p>
        ) : (
          <PriceLines
            lines={[
              { label: t('offer.label'), cents: offered },
              {
                label: t('review.youPayAtMost', { count: draft.seats }),
                cents: offered * draft.seats,
                total: true,
              },
            ]}
            note={t('review.cardNotePassenger')}
          />
        )
      }
      publishLabel={t('review.publishRequest')}
      busy={review.publish.busy}
      onPublish={() => review.publish.run(plan)}
    />
  );
}

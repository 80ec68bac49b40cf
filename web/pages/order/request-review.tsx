import { useTranslation } from 'react-i18next';
import type { Place } from '#contract/units.ts';
import { useWalkLimit } from '../../features/planning/use-walk-limit.ts';
import { useFormat } from '../../core/use-format.ts';
import { usePreferenceFacts } from '../../features/planning/preference-facts.ts';
import type { RequestInput } from '../../features/planning/order-input.ts';
import { ReviewDialog } from '../../features/planning/review-dialog.tsx';
import type { Plan } from '../../features/planning/use-plan.ts';
import { PlacesLines } from '../../domain/place/places-lines.tsx';
import { PriceLines } from '../../domain/money/price-lines.tsx';
import type { usePlanReview } from './use-plan-review.ts';

/** A passenger's plan as it will be published. */
export function RequestReview({
  ends: { from, to },
  plan: { values, zone },
  input,
  review,
}: {
  ends: { from: Place; to: Place };
  plan: Plan;
  input: RequestInput;
  review: ReturnType<typeof usePlanReview>;
}) {
  const { t } = useTranslation('planning');
  const format = useFormat();
  const walkLimit = useWalkLimit();
  const preferenceFacts = usePreferenceFacts('passenger', values.preferences);
  const offered = input.offerCents ?? null;
  return (
    <ReviewDialog
      open={review.open}
      onOpenChange={review.setOpen}
      title={t('review.requestTitle')}
      route={<PlacesLines from={from} to={to} timeZone={zone} big />}
      facts={[
        {
          label: t('review.window'),
          value: format.when(input.earliestAt, zone, input.latestAt),
        },
        { label: t('passenger.seats'), value: t('seats.count', { count: values.seats }) },
        { label: t('walk.label'), value: walkLimit(values.walkMetres) },
        ...preferenceFacts,
        { label: t('visibility.label'), value: t(`visibility.${values.visibility}.label`) },
        ...review.repeatFacts,
      ]}
      price={
        offered === null ? (
          <p className="text-body text-ink-2">{t('review.openNote')}</p>
        ) : (
          <PriceLines
            lines={[
              { label: t('offer.label'), cents: offered },
              {
                label: t('review.youPayAtMost', { count: values.seats }),
                cents: offered * values.seats,
                total: true,
              },
            ]}
            note={t('review.cardNotePassenger')}
          />
        )
      }
      publishLabel={t('review.publishRequest')}
      busy={review.busy}
      onPublish={review.publish}
    />
  );
}

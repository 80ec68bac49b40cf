import { useTranslation } from 'react-i18next';
import type { Place } from '#contract/units.ts';
import { feesOf } from '../../domain/money/fees.ts';
import { useMoneyTerms } from '../../domain/money/money-terms.ts';
import { useFormat } from '../../core/use-format.ts';
import { TestMoney } from '../../features/payments/test-money.tsx';
import { usePreferenceFacts } from '../../features/planning/preference-facts.ts';
import { sharesOfFull } from '../../features/planning/pricing.ts';
import type { RideInput } from '../../features/planning/publish.ts';
import { ReviewDialog } from '../../features/planning/review-dialog.tsx';
import { useRepeatFacts } from '../../features/planning/use-publish-plan.ts';
import { PlacesLines } from '../../domain/place/places-lines.tsx';
import { PriceLines, type PriceLine } from '../../domain/money/price-lines.tsx';
import type { usePlanReview } from './use-plan-review.ts';
import type { RidePlan } from './use-ride-plan.ts';

/** A driver's plan as it will be published. */
export function RideReview({
  ends: { from, to },
  plan: { draft, zone, backZone, own, order, plan },
  review,
}: {
  ends: { from: Place; to: Place };
  plan: RidePlan;
  review: ReturnType<typeof usePlanReview>;
}) {
  const { t } = useTranslation('planning');
  const format = useFormat();
  const repeatFacts = useRepeatFacts();
  const preferenceFacts = usePreferenceFacts('driver', draft.preferences);
  const priceLines = usePriceLines(order, draft.seats);
  const isFree = order.costCents === 0;
  return (
    <ReviewDialog
      open={review.open}
      onOpenChange={review.setOpen}
      title={t('review.rideTitle')}
      route={<PlacesLines from={from} via={draft.via} to={to} timeZone={zone} big />}
      facts={[
        { label: t('driver.when'), value: format.when(order.departsAt, zone) },
        ...(draft.flexMinutes > 0
          ? [{ label: t('flex.driver'), value: format.duration(draft.flexMinutes * 60) }]
          : []),
        { label: t('driver.seats'), value: t('seats.count', { count: draft.seats }) },
        ...(own.chosen
          ? [{ label: t('vehicle.label'), value: `${own.chosen.brand} ${own.chosen.model}` }]
          : []),
        {
          label: t('joining.label'),
          value: t(draft.instant ? 'joining.instant.label' : 'joining.request.label'),
        },
        ...preferenceFacts,
        { label: t('visibility.label'), value: t(`visibility.${draft.visibility}.label`) },
        ...repeatFacts(plan, backZone),
      ]}
      price={
        <>
          <PriceLines lines={priceLines} note={t(isFree ? 'review.freeNote' : 'review.cardNote')} />
          {!isFree && <TestMoney />}
        </>
      }
      publishLabel={t('review.publishRide')}
      busy={review.publish.busy}
      onPublish={() => review.publish.run(plan)}
    />
  );
}

/** The price, what a full car pays, the fees, and what is left; a free ride has its price alone. */
function usePriceLines(order: RideInput, seats: number): PriceLine[] {
  const { t } = useTranslation(['planning', 'payments']);
  const terms = useMoneyTerms();
  const { priceKind, costCents } = order;
  const price = {
    label: t(priceKind === 'perCar' ? 'planning:price.amountPerCar' : 'planning:price.amountPerPerson'),
    cents: costCents,
  };
  if (costCents === 0 || terms === undefined) return [price];
  const shares = sharesOfFull(priceKind, costCents, seats);
  const gross = shares.reduce((sum, share) => sum + share, 0);
  const fees = shares.reduce((sum, share) => sum + feesOf(share, terms), 0);
  return [
    price,
    { label: t('planning:review.fullPays', { count: seats }), cents: gross },
    { label: t('payments:price.fees'), cents: -fees },
    { label: t('payments:price.receive'), cents: gross - fees, total: true },
  ];
}

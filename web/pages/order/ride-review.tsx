import { useTranslation } from 'react-i18next';
import { netOfCar, netOfFullCar } from '#contract/rides/driver-net.ts';
import type { Place } from '#contract/units.ts';
import { useMoneyTerms } from '../../domain/money/money-terms.ts';
import { useFormat } from '../../core/use-format.ts';
import { TestMoney } from '../../features/payments/test-money.tsx';
import { usePreferenceFacts } from '../../features/planning/preference-facts.ts';
import type { RideInput } from '../../features/planning/order-input.ts';
import { ReviewDialog } from '../../features/planning/review-dialog.tsx';
import type { Plan } from '../../features/planning/use-plan.ts';
import { PlacesLines } from '../../domain/place/places-lines.tsx';
import { PriceLines, type PriceLine } from '../../domain/money/price-lines.tsx';
import type { usePlanReview } from './use-plan-review.ts';

/** A driver's plan as it will be published. */
export function RideReview({
  ends: { from, to },
  plan: { values, zone, own },
  input,
  review,
}: {
  ends: { from: Place; to: Place };
  plan: Plan;
  input: RideInput;
  review: ReturnType<typeof usePlanReview>;
}) {
  const { t } = useTranslation('planning');
  const format = useFormat();
  const preferenceFacts = usePreferenceFacts('driver', values.preferences);
  const priceLines = usePriceLines(input, values.seats);
  const isFree = input.costCents === 0;
  return (
    <ReviewDialog
      open={review.open}
      onOpenChange={review.setOpen}
      title={t('review.rideTitle')}
      route={<PlacesLines from={from} via={values.via} to={to} timeZone={zone} big />}
      facts={[
        { label: t('driver.when'), value: format.when(input.departsAt, zone) },
        ...(values.flexMinutes > 0
          ? [{ label: t('flex.driver'), value: format.duration(values.flexMinutes * 60) }]
          : []),
        { label: t('driver.seats'), value: t('seats.count', { count: values.seats }) },
        ...(own.chosen
          ? [{ label: t('vehicle.label'), value: `${own.chosen.brand} ${own.chosen.model}` }]
          : []),
        {
          label: t('joining.label'),
          value: t(values.instant ? 'joining.instant.label' : 'joining.request.label'),
        },
        ...preferenceFacts,
        { label: t('visibility.label'), value: t(`visibility.${values.visibility}.label`) },
        ...review.repeatFacts,
      ]}
      price={
        <>
          <PriceLines lines={priceLines} note={t(isFree ? 'review.freeNote' : 'review.cardNote')} />
          {!isFree && <TestMoney />}
        </>
      }
      publishLabel={t('review.publishRide')}
      busy={review.busy}
      onPublish={review.publish}
    />
  );
}

/**
 * The price and the driver's part of it: for a price per car with any passengers, for one per person with all
 * seats taken. A free ride has its price alone.
 */
function usePriceLines(input: RideInput, seats: number): PriceLine[] {
  const { t } = useTranslation(['planning', 'payments']);
  const terms = useMoneyTerms();
  const { priceKind, costCents } = input;
  const isCar = priceKind === 'perCar';
  const price = {
    label: t(isCar ? 'planning:price.amountPerCar' : 'planning:price.amountPerPerson'),
    cents: costCents,
  };
  if (costCents === 0 || terms === undefined) return [price];
  const net = (isCar ? netOfCar : netOfFullCar)({ costCents, seats }, terms);
  const grossCents = isCar ? costCents : costCents * seats;
  return [
    price,
    ...(isCar ? [] : [{ label: t('planning:review.fullPays', { count: seats }), cents: grossCents }]),
    ...(net.leastCents === net.mostCents
      ? [{ label: t('payments:price.fees'), cents: net.mostCents - grossCents }]
      : []),
    {
      label: t('payments:price.receive'),
      leastCents: net.leastCents,
      cents: net.mostCents,
      total: true,
    },
  ];
}

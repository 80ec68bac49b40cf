import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { now } from '../../core/clock.ts';
import { feesOf } from '../../core/fees.ts';
import { useMoneyTerms } from '../../core/money-terms.ts';
import { usePageTitle } from '../../core/navigation.ts';
import { useSession } from '../../core/session.ts';
import { useFormat } from '../../core/use-format.ts';
import { clearDriverDraft, useDriverDraft, type DriverDraft } from '../../features/planning/draft.ts';
import { sharesOfFull } from '../../features/planning/pricing.ts';
import { problemsOf, rideOf, type PlanField, type RideInput } from '../../features/planning/publish.ts';
import { RepeatFields } from '../../features/planning/repeat-fields.tsx';
import { planOf } from '../../features/planning/repeat.ts';
import { ReviewDialog } from '../../features/planning/review-dialog.tsx';
import { usePreferenceFacts } from '../../features/planning/preference-facts.ts';
import { RideForm } from '../../features/planning/ride-form.tsx';
import { useCanBePaid } from '../../features/planning/use-can-be-paid.ts';
import { TestMoney } from '../../features/payments/test-money.tsx';
import { useProblems } from '../../features/planning/use-problems.ts';
import {
  usePublishPlan,
  useRepeatFacts,
  useRepeatProblems,
} from '../../features/planning/use-publish-plan.ts';
import { useSoundTime } from '../../features/planning/use-sound-time.ts';
import { useWay, useWayOnMap } from '../../features/planning/use-way.ts';
import { useOwnVehicles } from '../../features/planning/vehicle-field.tsx';
import { ViaFields } from '../../features/planning/via-fields.tsx';
import { WayFacts } from '../../features/planning/way-facts.tsx';
import { WayFields } from '../../features/planning/way-fields.tsx';
import { WayMap } from '../../features/planning/way-map.tsx';
import { PlacesLines } from '../../features/rides/places-lines.tsx';
import { PriceLines, type PriceLine } from '../../features/rides/price-lines.tsx';
import { Button } from '../../ui/button.tsx';
import { Page as Frame } from '../../ui/page.tsx';
import { useChooseOwnPlace, useChoosePlace } from '../address/use-choose-place.ts';
import { useEventPrefill } from './use-event-prefill.ts';

/** "Plan your ride" for a driver: fill in, review, publish; then who fits. */
export function PlanRide({ eventId }: { eventId: string | null }) {
  const { t } = useTranslation('planning');
  const title = usePageTitle();
  const format = useFormat();
  const navigate = useNavigate();
  const { user } = useSession();
  const [draft, write] = useDriverDraft();
  const { problems, show, forget } = useProblems();
  const [reviewing, setReviewing] = useState(false);
  const choose = useChoosePlace('driver');
  const chooseOwn = useChooseOwnPlace('driver');
  const way = useWay(draft.from, draft.to, { via: draft.via, local: draft.local });
  const shown = useWayOnMap(draft.from, draft.to, way.quote, draft.via);
  const own = useOwnVehicles(draft.vehicleId);
  const canBePaid = useCanBePaid();
  useSoundTime(draft.local, way.zone, (local) => write({ local }));
  useEventPrefill(eventId, draft, write);

  const change = (part: Partial<DriverDraft>, ...fields: PlanField[]) => {
    write(part);
    forget(...fields);
  };
  const zone = way.zone ?? 'UTC';
  const { order, problems: found } = rideOf(draft, own.chosen?.id ?? null, {
    zone,
    quote: way.quote,
    contactWith: user.preferContactWith,
    now: now(),
    canBePaid,
  });

  // The way back may begin in another zone.
  const backZone = useWay(draft.back && draft.to, draft.back && draft.from).zone ?? zone;
  const plan = planOf(order, draft, backZone);
  const repeatFacts = useRepeatFacts();
  const repeatProblems = useRepeatProblems();

  const publish = usePublishPlan({
    words: t('review.ridePublished'),
    onPublished: ({ kind, id }) => {
      clearDriverDraft();
      const to = {
        one: '/pages/order/match',
        pair: '/pages/order/detail',
        series: '/pages/order/series',
      } as const;
      void navigate({ to: to[kind], search: { id }, replace: true });
    },
    onRefused: (refused) => {
      setReviewing(false);
      return show(problemsOf(refused));
    },
  });
  const review = () => {
    if (way.refusal) show({ [way.refusal.field]: way.refusal.words });
    else if (!show({ ...found, ...repeatProblems(draft) })) setReviewing(true);
  };
  const errors = {
    from: problems.from ?? (way.refusal?.field === 'from' ? way.refusal.words : undefined),
    to: problems.to ?? (way.refusal?.field === 'to' ? way.refusal.words : undefined),
  };
  const isFree = order.costCents === 0;
  const preferenceFacts = usePreferenceFacts('driver', draft.preferences);
  const priceLines = usePriceLines(order, draft.seats);

  return (
    <Frame
      title={title}
      back
      action={
        <Button full disabled={way.zone === null || own.isLoading} onClick={review}>
          {t('review.ride')}
        </Button>
      }
    >
      <RideForm
        draft={draft}
        way={way}
        own={own}
        preferred={user.preferContactWith}
        problems={problems}
        canBePaid={canBePaid}
        change={change}
        repeatPart={
          <RepeatFields
            draft={draft}
            isDriver
            zone={way.zone}
            backZone={way.zone && backZone}
            problems={problems}
            change={change}
          />
        }
        wayPart={
          <>
            <WayMap shown={shown} />
            <WayFields
              from={draft.from}
              to={draft.to}
              errors={errors}
              onChoose={choose}
              onSwap={() =>
                change({ from: draft.to, to: draft.from, via: draft.via.toReversed() }, 'from', 'to')
              }
            />
            <ViaFields
              via={draft.via}
              error={problems.via ?? (way.refusal?.field === 'via' ? way.refusal.words : undefined)}
              onChoose={(index) => chooseOwn(`via${index}`)}
              onChange={(via) => change({ via }, 'via')}
            />
            <WayFacts way={way} />
          </>
        }
      />
      {draft.from && draft.to && order.departsAt !== '' && (
        <ReviewDialog
          open={reviewing}
          onOpenChange={setReviewing}
          title={t('review.rideTitle')}
          way={<PlacesLines from={draft.from} via={draft.via} to={draft.to} timeZone={zone} big />}
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
          busy={publish.busy}
          onPublish={() => publish.run(plan)}
        />
      )}
    </Frame>
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

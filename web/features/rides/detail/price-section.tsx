import { useTranslation } from 'react-i18next';
import { ridingStates } from '#contract/rides/moves.ts';
import type { MoneyTerms } from '#contract/payments/views.ts';
import type { Booking, Order, Request, Ride } from '#contract/rides/views.ts';
import { feesOf } from '../../../domain/money/fees.ts';
import { useHoldWords, useMoneyTerms } from '../../../domain/money/money-terms.ts';
import { useFormat } from '../../../core/use-format.ts';
import { Card, Section } from '../../../ui/surfaces.tsx';
import { PriceLines, type PriceLine } from '../../../domain/money/price-lines.tsx';
import { netOfCar } from '#contract/rides/driver-net.ts';
import { leastOf, shareOf } from '#contract/rides/share.ts';

type Words = (key: 'price.receive' | 'price.fees') => string;

/** What is paid and received, line by line, for the viewer. */
export function PriceSection({ order }: { order: Order }) {
  const { t } = useTranslation('rides');
  // A place of my own names its price itself.
  const ownPlace = order.bookings.some(({ state }) => ridingStates.includes(state));
  if (ownPlace && !(order.role === 'driver' && order.mine)) return null;
  const content =
    order.role === 'passenger' ? (
      <RequestPrice request={order} />
    ) : order.mine ? (
      <DriverPrice ride={order} />
    ) : (
      <AskedPrice ride={order} />
    );
  return (
    <Section title={t('price.title')}>
      <Card>{content}</Card>
    </Section>
  );
}

function DriverPrice({ ride }: { ride: Ride }) {
  const { t } = useTranslation('rides');
  const paying = ride.bookings.filter(({ state }) => ridingStates.includes(state));
  const terms = useMoneyTerms();
  const isOpen = paying.some((booking) => leastOf(booking).leastCents !== undefined);
  if (ride.costCents === 0) return <p className="text-body">{t('price.freeNote')}</p>;
  const lines: PriceLine[] = [
    {
      label: t(ride.priceKind === 'perCar' ? 'price.perCarLine' : 'price.perPersonLine'),
      cents: ride.costCents,
    },
    ...paying.map((booking) => ({
      label: [
        booking.passenger.name,
        ...(booking.seats > 1 ? [t('seats', { count: booking.seats })] : []),
      ].join(' · '),
      cents: shareOf(booking),
      ...(booking.leastCents < booking.fareCents ? { leastCents: booking.leastCents } : {}),
    })),
    ...(isOpen ? openLines(t, ride, paying, terms) : finalLines(t, paying, terms)),
  ];
  return (
    <PriceLines
      lines={lines}
      note={[
        t(paying.length > 0 ? 'price.cardDriver' : 'price.cardDriverNone'),
        ...(ride.priceKind === 'perCar' ? [t('price.lateFeesShared')] : []),
      ].join(' ')}
    />
  );
}

/** The driver's part of a price per car, with any passengers, while they are not known. */
function openLines(t: Words, ride: Ride, paying: readonly Booking[], terms: MoneyTerms | undefined) {
  if (terms === undefined) return [];
  const { leastCents, mostCents } = netOfCar(ride, terms, paying);
  return [{ label: t('price.receive'), leastCents, cents: mostCents, total: true }];
}

/** What is left of shares that are known, less the fee of each. */
function finalLines(t: Words, paying: readonly Booking[], terms: MoneyTerms | undefined): PriceLine[] {
  if (paying.length === 0) return [];
  const fees =
    terms === undefined ? 0 : paying.reduce((sum, booking) => sum + feesOfShare(booking, terms), 0);
  const receivedCents = paying.reduce((sum, booking) => sum + shareOf(booking), 0) - fees;
  return [
    ...(fees > 0 ? [{ label: t('price.fees'), cents: -fees }] : []),
    { label: t('price.receive'), cents: receivedCents, total: true },
  ];
}

const feesOfShare = (booking: Booking, terms: MoneyTerms): number =>
  booking.payment !== null && booking.payment.capturedCents > 0
    ? feesOf(booking.payment.capturedCents, terms, booking.payment.refundedCents)
    : feesOf(shareOf(booking), terms);

/** What a ride asks of a person who has not joined it. */
function AskedPrice({ ride }: { ride: Ride }) {
  const { t } = useTranslation('rides');
  const holdWords = useHoldWords();
  if (ride.costCents === 0) return <p className="text-body">{t('price.freeNote')}</p>;
  const perCar = ride.priceKind === 'perCar';
  return (
    <PriceLines
      lines={[
        { label: t(perCar ? 'price.perCarLine' : 'price.perPersonLine'), cents: ride.costCents, total: true },
      ]}
      note={[
        holdWords(ride.costCents, ride.departsAt, ride.timeZone),
        ...(perCar ? [t('price.fallsWithMore')] : []),
      ].join(' ')}
    />
  );
}

function RequestPrice({ request }: { request: Request }) {
  const { t } = useTranslation('rides');
  const format = useFormat();
  if (request.offerCents === null) return <p className="text-body">{t('price.openLine')}</p>;
  const lines: PriceLine[] =
    request.seats > 1
      ? [
          { label: t('price.offerLine'), cents: request.offerCents },
          {
            label: t('price.perPersonTimes', {
              amount: format.money(request.offerCents),
              count: request.seats,
            }),
            cents: request.offerCents * request.seats,
            total: true,
          },
        ]
      : [{ label: t('price.offerLine'), cents: request.offerCents, total: true }];
  return <PriceLines lines={lines} note={t('price.cardOffer')} />;
}

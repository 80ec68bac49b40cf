import { useTranslation } from 'react-i18next';
import { seatedStates } from '#contract/rides/moves.ts';
import type { Order, Request, Ride } from '#contract/rides/views.ts';
import { useFormat } from '../../base/use-format.ts';
import { Card, Section } from '../../ui/surfaces.tsx';
import { PriceLines, type PriceLine } from './price-lines.tsx';

/** What is paid and received, line by line, for whoever looks. */
export function PriceSection({ order }: { order: Order }) {
  const { t } = useTranslation('rides');
  // A place of my own names its price itself.
  const ownPlace = order.bookings.some(({ state }) => seatedStates.includes(state) || state === 'finished');
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
  const paying = ride.bookings.filter(({ state }) => seatedStates.includes(state) || state === 'finished');
  const received = paying.reduce((sum, { fareCents }) => sum + fareCents, 0);
  if (ride.costCents === 0) return <p className="text-body">{t('price.freeNote')}</p>;
  const lines: PriceLine[] = [
    {
      label: t(ride.priceKind === 'perCar' ? 'price.perCarLine' : 'price.perPersonLine'),
      cents: ride.costCents,
    },
    ...paying.map(({ passenger, fareCents, seats }) => ({
      label: [passenger.name, ...(seats > 1 ? [t('seats', { count: seats })] : [])].join(' · '),
      cents: fareCents,
    })),
    ...(paying.length > 0 ? [{ label: t('price.receive'), cents: received, total: true }] : []),
  ];
  return (
    <PriceLines lines={lines} note={t(paying.length > 0 ? 'price.cashDriver' : 'price.cashDriverNone')} />
  );
}

/** What a ride asks of somebody who has not joined it. */
function AskedPrice({ ride }: { ride: Ride }) {
  const { t } = useTranslation('rides');
  if (ride.costCents === 0) return <p className="text-body">{t('price.freeNote')}</p>;
  const perCar = ride.priceKind === 'perCar';
  return (
    <PriceLines
      lines={[
        { label: t(perCar ? 'price.perCarLine' : 'price.perPersonLine'), cents: ride.costCents, total: true },
      ]}
      note={t(perCar ? 'price.cashPassenger' : 'price.cashPassengerFixed')}
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
  return <PriceLines lines={lines} note={t('price.cashOffer')} />;
}

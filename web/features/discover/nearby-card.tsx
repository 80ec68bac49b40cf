import { Armchair, CalendarDays } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { OutputOf } from '#contract/define.ts';
import type { discover } from '#contract/rides/endpoints.ts';
import { RideCard } from '../../domain/ride/ride-card.tsx';

/** A ride or request of a person around me. */
export function NearbyCard({ order }: { order: OutputOf<typeof discover>['orders'][number] }) {
  const { t } = useTranslation('rides');
  const common = {
    timeZone: order.timeZone,
    from: order.from,
    to: order.to,
    // Everything here is open; only more than that is worth a chip.
    ...(order.label === 'matching' ? {} : { label: order.label }),
  };
  const event = order.eventName === '' ? [] : [{ icon: CalendarDays, words: order.eventName }];
  if (order.role === 'driver') {
    return (
      <RideCard
        {...common}
        kicker={t('card.offers')}
        at={order.departsAt}
        arrivesAt={order.arrivesAt}
        person={order.driver}
        price={{ cents: order.costCents, kind: order.priceKind }}
        facts={[{ icon: Armchair, words: t('why.seatsLeft', { count: order.seatsFree }) }, ...event]}
      />
    );
  }
  return (
    <RideCard
      {...common}
      kicker={t('card.looks')}
      at={order.earliestAt}
      until={order.latestAt}
      person={order.passenger}
      price={{ cents: order.offerCents, kind: 'offer' }}
      facts={[{ icon: Armchair, words: t('seats', { count: order.seats }) }, ...event]}
    />
  );
}

import { Armchair, UserRound } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { OrderSummary } from '#contract/rides/views.ts';
import { shortName } from '../../../domain/person/short-name.ts';
import type { RideFact } from '../../../domain/ride/ride-facts.tsx';
import { RideCard } from '../../../domain/ride/ride-card.tsx';

/** One of my own orders in the list of rides. */
export function OrderCard({ order }: { order: OrderSummary }) {
  const { t } = useTranslation('rides');
  const { startsAt, startsBy, arrivesAt, price } = order;
  const newsOf = useNews();
  return (
    <RideCard
      kicker={t(order.role === 'driver' ? 'card.youDrive' : 'card.youRide')}
      label={order.label}
      at={startsAt}
      until={startsBy ?? undefined}
      arrivesAt={arrivesAt ?? undefined}
      timeZone={order.timeZone}
      from={order.from}
      to={order.to}
      person={arrivesAt === null ? undefined : (order.driver ?? undefined)}
      price={{
        cents: price.cents,
        kind: price.kind,
        ...(price.leastCents === null ? {} : { leastCents: price.leastCents }),
      }}
      facts={useFacts(order)}
      news={newsOf(order)}
    />
  );
}

/** A driver reads what is free and who comes along; a passenger without a ride how many seats they need. */
function useFacts({ role, stage, seats, seatsFree, passengers, arrivesAt }: OrderSummary): RideFact[] {
  const { t } = useTranslation('rides');
  if (role === 'passenger')
    return arrivesAt === null ? [{ icon: Armchair, words: t('seats', { count: seats }) }] : [];
  const free =
    stage === 'Completed' || seatsFree === null
      ? []
      : [{ icon: Armchair, words: t('seatsFree', { count: seatsFree, seats }) }];
  return [...free, ...passengers.map(({ name }) => ({ icon: UserRound, words: shortName(name) }))];
}

/** What waits for me: an answer, a payment or a review. */
function useNews(): (order: OrderSummary) => string | undefined {
  const { t } = useTranslation('rides');
  return ({ nextAction }) => {
    if (nextAction === null) return undefined;
    const { kind, count, name } = nextAction;
    if (kind === 'answerRequest') return t('card.asks', { count });
    if (kind === 'acceptInvitation')
      return count === 1 && name !== '' ? t('card.invited', { name }) : t('card.invitedMany', { count });
    if (kind === 'pay') return t('card.toPay');
    if (kind === 'awaitPayment') return t('card.paying');
    return kind === 'review' ? t('card.review') : undefined;
  };
}

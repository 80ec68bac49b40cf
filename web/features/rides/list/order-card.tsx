import { useTranslation } from 'react-i18next';
import { invitedStates, seatedStates } from '#contract/rides/moves.ts';
import type { Booking, Order, Request, Ride } from '#contract/rides/views.ts';
import { RideCard } from '../../../domain/ride/ride-card.tsx';
import { leastOf, shareIs, shareOf } from '../../../domain/money/share.ts';

/** The booking that takes a passenger along, or did. */
export const seatedBooking = (bookings: readonly Booking[]): Booking | undefined =>
  bookings.find(({ state }) => seatedStates.includes(state)) ??
  bookings.find(({ state }) => state === 'finished');

/** One of my own orders in the list of rides. */
export function OrderCard({ order }: { order: Order }) {
  return order.role === 'driver' ? <OwnRideCard ride={order} /> : <OwnRequestCard request={order} />;
}

function OwnRideCard({ ride }: { ride: Ride }) {
  const { t } = useTranslation('rides');
  const asks = ride.bookings.filter(({ state }) => state === 'requesting').length;
  const names = ride.passengers.map(({ name }) => name);
  return (
    <RideCard
      kicker={t('card.youDrive')}
      label={ride.label}
      at={ride.departsAt}
      arrivesAt={ride.arrivesAt}
      timeZone={ride.timeZone}
      from={ride.from}
      to={ride.to}
      price={{ cents: ride.costCents, kind: ride.priceKind }}
      facts={[
        ...(ride.stage === 'Completed' ? [] : [t('seatsFree', { count: ride.seatsFree, seats: ride.seats })]),
        ...names,
      ]}
      news={
        asks > 0
          ? t('card.asks', { count: asks })
          : ride.bookings.some(({ reviewDue }) => reviewDue)
            ? t('card.review')
            : undefined
      }
    />
  );
}

function OwnRequestCard({ request }: { request: Request }) {
  const { t } = useTranslation('rides');
  const booking = seatedBooking(request.bookings);
  const common = {
    kicker: t('card.youRide'),
    label: request.label,
    timeZone: request.timeZone,
    from: request.from,
    to: request.to,
  };
  if (booking && request.ride) {
    return (
      <RideCard
        {...common}
        at={booking.pickup.at}
        arrivesAt={booking.dropoff.at}
        person={request.ride.driver}
        price={{
          cents: shareOf(booking),
          kind: shareIs(booking, request.ride.priceKind),
          ...leastOf(booking),
        }}
        news={booking.reviewDue ? t('card.review') : undefined}
      />
    );
  }
  const toPay = request.bookings.find(({ awaits }) => awaits === 'payment');
  const invitations = request.bookings.filter(({ state }) => invitedStates.includes(state)).length;
  const inviter = request.ride?.driver.name;
  return (
    <RideCard
      {...common}
      at={request.earliestAt}
      until={request.latestAt}
      price={{ cents: request.offerCents, kind: 'offer' }}
      facts={[t('seats', { count: request.seats })]}
      news={
        toPay !== undefined
          ? t(toPay.payment?.need == null ? 'card.paying' : 'card.toPay')
          : invitations === 1 && inviter !== undefined
            ? t('card.invited', { name: inviter })
            : invitations > 0
              ? t('card.invitedMany', { count: invitations })
              : undefined
      }
    />
  );
}

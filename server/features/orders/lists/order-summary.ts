import { seatedBooking } from '#contract/rides/next-action.ts';
import { leastOf, shareIs, shareOf } from '#contract/rides/share.ts';
import type { Booking, Order, OrderSummary, Request, Ride } from '#contract/rides/views.ts';

/** One of the viewer's own orders in a list. */
export const summaryOf = (order: Order): OrderSummary =>
  order.role === 'driver' ? ofRide(order) : ofRequest(order);

const common = ({
  id,
  orderNumber,
  label,
  stage,
  from,
  to,
  timeZone,
  eventName,
  seats,
  nextAction,
}: Order) => ({
  id,
  orderNumber,
  label,
  stage,
  from,
  to,
  timeZone,
  eventName,
  seats,
  nextAction,
});

const ofRide = (ride: Ride): OrderSummary => ({
  ...common(ride),
  role: 'driver',
  rideId: ride.id,
  departsAt: ride.departsAt,
  startsAt: ride.departsAt,
  startsBy: null,
  arrivesAt: ride.arrivesAt,
  seatsFree: ride.seatsFree,
  price: { cents: ride.costCents, leastCents: null, kind: ride.priceKind },
  driver: null,
  passengers: ride.passengers,
});

function ofRequest(request: Request): OrderSummary {
  const booking = seatedBooking(request.bookings);
  const { ride } = request;
  const shared = {
    ...common(request),
    role: 'passenger' as const,
    seatsFree: null,
    rideId: ride?.id ?? null,
    departsAt: ride?.departsAt ?? null,
    driver: ride?.driver ?? null,
    passengers: [],
  };
  if (booking !== undefined && ride !== null)
    return {
      ...shared,
      startsAt: booking.pickup.at,
      startsBy: null,
      arrivesAt: booking.dropoff.at,
      price: priceOf(booking, ride),
    };
  return {
    ...shared,
    startsAt: request.earliestAt,
    startsBy: request.latestAt,
    arrivesAt: null,
    price: { cents: request.offerCents, leastCents: null, kind: 'offer' },
  };
}

const priceOf = (booking: Booking, ride: Ride): OrderSummary['price'] => ({
  cents: shareOf(booking),
  leastCents: leastOf(booking).leastCents ?? null,
  kind: shareIs(booking, ride.priceKind),
});

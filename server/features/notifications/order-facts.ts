import type { Booking, Ride } from '#contract/rides/views.ts';
import type { App } from '../../app-type.ts';
import { Refusal } from '../../platform/refusal.ts';
import { viewOrder, requestById, bookingsOf, type BookingRow } from '../orders/service.ts';
import type { NewsFacts } from './rules/notification-texts.ts';

export type OfOrder = { rideId: string; bookingId?: string } | { requestId: string };

/** For the driver, a passenger, or a person who has asked to ride along. Null where the order is gone. */
export async function factsOfOwn(app: App, of: OfOrder, userId: string): Promise<NewsFacts | null> {
  if ('requestId' in of) {
    const request = await requestById(app.db, of.requestId);
    if (request === null) return null;
    const { orderNumber, fromName: from, toName: to, timeZone, earliestAt } = request;
    return { orderNumber, from, to, timeZone, departsAt: earliestAt.toISOString() };
  }
  const { rideId, bookingId } = of;
  const own = (await bookingsOf(app.db, { rideIds: [rideId] })).findLast(
    ({ id, passengerId }) => passengerId === userId && (bookingId === undefined || id === bookingId),
  );
  return own === undefined ? ofDriver(app, { rideId, bookingId }, userId) : ofPassenger(app, own, userId);
}

/**
 * For people in its audience without a part in it, as one of them sees it: streets, not exact addresses.
 */
export async function factsOfOthers(app: App, of: OfOrder, viewerId: string): Promise<NewsFacts> {
  const order = await viewOrder(app, 'rideId' in of ? of.rideId : of.requestId, viewerId);
  if (order.role === 'driver') return { ...routeOf(order), price: priceOf(order) };
  const { orderNumber, timeZone, earliestAt, offerCents } = order;
  const route = { orderNumber, from: order.from.name, to: order.to.name, timeZone };
  const price = offerCents === null ? {} : { price: { cents: offerCents, per: 'person' as const } };
  return { ...route, departsAt: earliestAt, ...price };
}

/**
 * The ride as the person sees it; null where they may not, because one of the two has blocked the other.
 */
async function rideFor(app: App, rideId: string, userId: string): Promise<Ride | null> {
  try {
    return (await viewOrder(app, rideId, userId)) as Ride;
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}

async function ofPassenger(app: App, own: BookingRow, userId: string): Promise<NewsFacts | null> {
  const [request, ride] = await Promise.all([
    requestById(app.db, own.requestId),
    rideFor(app, own.rideId, userId),
  ]);
  if (request === null) return null;
  const { orderNumber, fromName: from, toName: to, timeZone, earliestAt } = request;
  const booking = ride?.bookings.find(({ id }) => id === own.id);
  const route = { orderNumber, from, to, timeZone, bookingId: own.id };
  if (ride === null || booking === undefined) return { ...route, departsAt: earliestAt.toISOString() };
  return { ...route, departsAt: booking.pickup.at, price: shareOf(booking), ...proposed(ride, booking) };
}

/** @param bookingId of the passenger concerned; without one the price is the ride's. */
async function ofDriver(
  app: App,
  { rideId, bookingId = '' }: { rideId: string; bookingId?: string },
  userId: string,
): Promise<NewsFacts | null> {
  const ride = await rideFor(app, rideId, userId);
  if (ride === null) return null;
  const booking = ride.bookings.find(({ id }) => id === bookingId);
  return {
    ...routeOf(ride),
    price: booking === undefined ? priceOf(ride) : shareOf(booking),
    ...(booking === undefined ? {} : { bookingId }),
  };
}

const routeOf = ({ orderNumber, from, to, timeZone, departsAt }: Ride) => ({
  orderNumber,
  from: from.name,
  to: to.name,
  timeZone,
  departsAt,
});

const priceOf = ({ costCents, priceKind }: Ride) => ({
  cents: costCents,
  per: priceKind === 'perCar' ? ('car' as const) : ('person' as const),
});

const shareOf = ({ fareCents, leastCents }: Booking) => ({
  cents: fareCents,
  per: leastCents < fareCents ? ('most' as const) : ('share' as const),
});

/** A passenger's time and price under an open proposal, in addition to the agreed ones. */
function proposed({ change, departsAt }: Ride, booking: Booking): Pick<NewsFacts, 'proposal'> {
  if (change === null) return {};
  const { way } = change;
  const byMs = Date.parse(change.departsAt) - Date.parse(departsAt);
  const shifted = new Date(Date.parse(booking.pickup.at) + byMs).toISOString();
  const pickup = way?.stops.find((stop) => stop.kind === 'pickup' && stop.bookingId === booking.id);
  return {
    proposal: {
      departsAt: pickup?.at ?? shifted,
      cents: change.fareCents ?? booking.fareCents,
      isOtherWay: way !== null,
    },
  };
}

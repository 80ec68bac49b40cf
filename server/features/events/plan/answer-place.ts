import type { OutputOf } from '#contract/define.ts';
import { wayOf, type myEvent, type MyPlace } from '#contract/events/plan.ts';
import { openAskStates, seatedStates } from '#contract/rides/moves.ts';
import type { Platform } from '../../../platform/platform.ts';
import { movedOn, notFound, Refusal } from '../../../platform/refusal.ts';
import { inRepeatableSteps } from '../../../platform/database/transact.ts';
import type { BookingsService } from '../../orders/service.ts';
import type { EventCalendar } from '../calendar/service.ts';
import { ceilingCents } from '../../matching/service.ts';
import type { OrdersService } from '../../orders/service.ts';
import * as store from './store.ts';

/** What a refused ask or invitation says of the place itself: it will not come back. */
const forGood = ['match.noFit', 'ride.full', 'ride.closed', 'request.closed', 'order.notFound'];

/**
 * What the two of a proposed place make of it. The first yes asks or invites in that person's own name, the second is
 * the answer to it: every check of a booking holds, and the organizer commits nobody.
 */
export function createPlanAnswers(
  { db, transact, clock, outbox }: Platform,
  features: {
    events: EventCalendar;
    rides: OrdersService;
    bookings: BookingsService;
  },
) {
  const { events, rides, bookings } = features;

  async function end(place: store.PlaceRow, state: 'declined' | 'gone'): Promise<void> {
    await transact(async (tx) => {
      if (await store.endPlace(tx, place.id, state, clock.now()))
        await outbox.emit(tx, 'event.moved', { eventId: place.eventId }, place.eventId);
    });
  }

  const openBetween = async (place: store.PlaceRow) =>
    (await store.bookingsBetween(db, place)).find(({ state }) => openAskStates.includes(state));

  const isJoined = async (place: store.PlaceRow): Promise<boolean> =>
    (await store.bookingsBetween(db, place)).some(({ state }) => seatedStates.includes(state));

  async function sayYes(place: store.PlaceRow, personId: string): Promise<void> {
    const side = place.driverId === personId ? 'driver' : 'passenger';
    const asked = await openBetween(place);
    if (asked !== undefined) {
      // Both have said yes already where only the payment is missing.
      if (asked.startedBy !== side && asked.awaits !== 'payment') await bookings.accept(asked.id, personId);
      return;
    }
    const { rideId, requestId } = place;
    const input = { rideId, requestId, message: '' };
    await (side === 'driver' ? bookings.invite(personId, input) : bookings.ask(personId, input));
  }

  async function sayNo(place: store.PlaceRow, personId: string, reason: string): Promise<void> {
    const side = place.driverId === personId ? 'driver' : 'passenger';
    const asked = await openBetween(place);
    // Where only the payment is missing, the driver takes back and the passenger declines, whoever began.
    const isBack = asked?.awaits === 'payment' ? side === 'driver' : asked?.startedBy === side;
    if (asked !== undefined)
      await (isBack ? bookings.withdraw(asked.id, personId) : bookings.reject(asked.id, personId, reason));
    await end(place, 'declined');
  }

  return {
    /** Refuses `event.placeNotFound`, `event.placeGone`, and as asking, inviting and accepting do. */
    async answer(
      personId: string,
      input: { placeId: string; accept: boolean; reason: string },
    ): Promise<{ joined: boolean; toPay: boolean }> {
      const place = await store.placeById(db, input.placeId);
      if (place === null || (place.driverId !== personId && place.passengerId !== personId))
        throw notFound('event.placeNotFound', 'This place could not be found.');
      if (await isJoined(place)) return { joined: true, toPay: false };
      const event = await events.byId(place.eventId);
      if (place.state !== 'open' || event === null || event.cancelledAt !== null)
        throw movedOn('event.placeGone', 'This place is no longer there. Please look again.');
      if (!input.accept) {
        await inRepeatableSteps(() => sayNo(place, personId, input.reason));
        return { joined: false, toPay: false };
      }
      try {
        await sayYes(place, personId);
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        // Both said yes at one moment: the other one has asked already.
        if (error.reason === 'booking.exists') await sayYes(place, personId);
        else {
          if (forGood.includes(error.reason)) await end(place, 'gone');
          throw error;
        }
      }
      return { joined: await isJoined(place), toPay: (await openBetween(place))?.awaits === 'payment' };
    },

    /** How a person gets to an event and home, and what its organizer proposes to them. Nothing for an event without them. */
    async mine(personId: string, eventId: string): Promise<OutputOf<typeof myEvent>> {
      const event = await events.byId(eventId);
      if (event === null) return { orders: [], places: [] };
      const at = { lon: event.atLon, lat: event.atLat };
      const own = await store.ordersOf(db, eventId, personId);
      const places = (await store.placesOf(db, eventId)).filter(
        ({ driverId, passengerId, state }) =>
          (driverId === personId || passengerId === personId) &&
          (state === 'taken' || (state === 'open' && event.cancelledAt === null)),
      );
      const [rideRows, requestRows] = await Promise.all([
        rides.ridesByIds(places.map(({ rideId }) => rideId)),
        rides.requestsByIds(places.map(({ requestId }) => requestId)),
      ]);
      const [ownRides, ownRequests, rideViews, requestViews] = await Promise.all([
        rides.rideViews(own.rides, personId),
        rides.requestViews(own.requests, personId),
        rides.rideViews(rideRows, personId),
        rides.requestViews(requestRows, personId),
      ]);
      const standing = await store.standingBookings(
        db,
        rideRows.map(({ id }) => id),
      );
      const orders = [
        ...ownRides.map((view) => ({ ...view, at: view.departsAt })),
        ...ownRequests.map((view) => ({ ...view, at: view.earliestAt, seatsFree: 0 })),
      ].toSorted((a, b) => a.at.localeCompare(b.at));
      return {
        orders: orders.map(({ id, role, label, timeZone, seats, seatsFree, at: when, from, to }) => {
          const way = wayOf(at, { from, to });
          return { id, role, way, label, at: when, timeZone, seats, seatsFree };
        }),
        places: places.flatMap((place): MyPlace[] => {
          const ride = rideViews.find(({ id }) => id === place.rideId);
          const row = rideRows.find(({ id }) => id === place.rideId);
          const request = requestViews.find(({ id }) => id === place.requestId);
          if (ride === undefined || row === undefined || request === undefined) return [];
          const role = place.driverId === personId ? 'driver' : 'passenger';
          const way = wayOf(at, request);
          const booking = standing.find(
            ({ rideId, requestId }) => rideId === place.rideId && requestId === place.requestId,
          );
          const isSeated = booking !== undefined && seatedStates.includes(booking.state);
          return [
            {
              id: place.id,
              way,
              role,
              orderId: role === 'driver' ? place.rideId : place.requestId,
              other: role === 'driver' ? request.passenger : ride.driver,
              seats: request.seats,
              place: way === 'there' ? request.from : request.to,
              pickupAt: (booking?.pickupAt ?? place.pickupAt).toISOString(),
              dropoffAt: (booking?.dropoffAt ?? place.dropoffAt).toISOString(),
              timeZone: ride.timeZone,
              walkMetres: booking === undefined ? 0 : booking.pickupWalkMetres + booking.dropoffWalkMetres,
              fareCents: booking?.fareCents ?? ceilingCents(row, request.seats, request.offerCents),
              waitsFor: isSeated
                ? 'joined'
                : booking?.awaits === 'payment'
                  ? 'payment'
                  : booking?.startedBy === role
                    ? 'theirs'
                    : 'mine',
            },
          ];
        }),
      };
    },
  };
}

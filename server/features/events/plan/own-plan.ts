import type { OutputOf } from '#contract/define.ts';
import { wayOf, type myEvent, type MyPlace } from '#contract/events/plan.ts';
import { seatedStates, openAskStates } from '#contract/rides/moves.ts';
import type { Request, Ride } from '#contract/rides/views.ts';
import type { App } from '../../../app-type.ts';
import { movedOn, notFound, Refusal } from '../../../platform/refusal.ts';
import { ceilingCents } from '../../matching/service.ts';
import { ridesByIds, requestsByIds } from '../../orders/aggregate/queries.ts';
import { standingBookings, bookingsBetween } from '../../orders/bookings/queries.ts';
import { eventOrdersOf } from '../../orders/events/queries.ts';
import {
  rideViews,
  requestViews,
  type BookingRow,
  type RideRow,
  acceptBooking,
  inviteToRide,
  askToJoin,
  withdrawBooking,
  rejectBooking,
} from '../../orders/service.ts';
import { eventById } from '../calendar/read-events.ts';
import type { EventColumns } from '../calendar/store.ts';
import * as store from './store.ts';

type Ends = Parameters<typeof wayOf>[0];
type OwnEvent = OutputOf<typeof myEvent>;

/**
 * A person's ways to an event and home, and its organizer's proposals to them. Empty for an event they do not
 * travel to.
 */
export async function readOwnPlan(app: App, personId: string, eventId: string): Promise<OwnEvent> {
  const event = await eventById(app, eventId);
  if (event === null) return { orders: [], places: [] };
  const orders = await ownOrders(app, event, personId);
  return { orders, places: await ownPlaces(app, event, personId) };
}

const placeOf = ({ atLon: lon, atLat: lat }: EventColumns): Ends => ({ lon, lat });

async function ownOrders(app: App, event: EventColumns, personId: string): Promise<OwnEvent['orders']> {
  const { db } = app;
  const own = await eventOrdersOf(db, event.id, personId);
  const [rides, requests] = await Promise.all([
    rideViews(app, own.rides, personId),
    requestViews(app, own.requests, personId),
  ]);
  return [
    ...rides.map((view) => ({ ...view, at: view.departsAt })),
    ...requests.map((view) => ({ ...view, at: view.earliestAt, seatsFree: 0 })),
  ]
    .toSorted((a, b) => a.at.localeCompare(b.at))
    .map(({ id, role, label, timeZone, seats, seatsFree, at, from, to }) => {
      const way = wayOf(placeOf(event), { from, to });
      return { id, role, way, label, at, timeZone, seats, seatsFree };
    });
}

/** A proposed place with its two orders, as far as the person may see them, and the booking it led to. */
interface PlaceParts {
  place: store.PlaceRow;
  row: RideRow;
  ride: Ride;
  request: Request;
  booking: BookingRow | undefined;
}

async function ownPlaces(app: App, event: EventColumns, personId: string): Promise<MyPlace[]> {
  const { db } = app;
  const places = (await store.placesOfPerson(db, event.id, personId)).filter(
    ({ state }) => state === 'taken' || event.canceledAt === null,
  );
  const [rows, requestRows] = await Promise.all([
    ridesByIds(
      app.db,
      places.map(({ rideId }) => rideId),
    ),
    requestsByIds(
      app.db,
      places.map(({ requestId }) => requestId),
    ),
  ]);
  const [rides, requests] = await Promise.all([
    rideViews(app, rows, personId),
    requestViews(app, requestRows, personId),
  ]);
  const standing = await standingBookings(
    db,
    rows.map(({ id }) => id),
  );
  return places.flatMap((place): MyPlace[] => {
    const ride = rides.find(({ id }) => id === place.rideId);
    const row = rows.find(({ id }) => id === place.rideId);
    const request = requests.find(({ id }) => id === place.requestId);
    if (ride === undefined || row === undefined || request === undefined) return [];
    const booking = standing.find(
      ({ rideId, requestId }) => rideId === place.rideId && requestId === place.requestId,
    );
    return [viewPlace({ place, row, ride, request, booking }, placeOf(event), personId)];
  });
}

function viewPlace({ place, row, ride, request, booking }: PlaceParts, at: Ends, personId: string): MyPlace {
  const role = place.driverId === personId ? 'driver' : 'passenger';
  const way = wayOf(at, request);
  const isSeated = booking !== undefined && seatedStates.includes(booking.state);
  return {
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
  };
}

/** Refusals of an ask or invitation that make the proposed place void for good. */
const forGood = ['match.noFit', 'ride.full', 'ride.closed', 'request.closed', 'order.notFound'];

/**
 * One of the two people of a proposed place answers. The first yes asks or invites in that person's own name,
 * the second accepts it: every check of a booking applies, and the organizer commits neither of them. Refuses
 * `event.placeNotFound`, `event.placeGone`, and as asking, inviting and accepting do.
 */
export async function answerPlace(
  app: App,
  personId: string,
  input: { placeId: string; accept: boolean; reason: string },
): Promise<{ joined: boolean; toPay: boolean }> {
  const place = await store.placeById(app.db, input.placeId);
  if (place === null || (place.driverId !== personId && place.passengerId !== personId))
    throw notFound('event.placeNotFound', 'We couldn’t find this seat.');
  if (await isJoined(app, place)) return { joined: true, toPay: false };
  const event = await eventById(app, place.eventId);
  if (place.state !== 'open' || event === null || event.canceledAt !== null)
    throw movedOn('event.placeGone', 'This seat is no longer available. Please check again.');
  if (!input.accept) {
    await sayNo({ ...app, transact: app.transactRepeatably }, place, personId, input.reason);
    return { joined: false, toPay: false };
  }
  try {
    await sayYes(app, place, personId);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    // Both said yes at the same moment: the other person has asked already.
    if (error.reason === 'booking.exists') await sayYes(app, place, personId);
    else {
      if (forGood.includes(error.reason)) await endPlace(app, place, 'gone');
      throw error;
    }
  }
  const isUnpaid = (await openBetween(app, place))?.awaits === 'payment';
  return { joined: await isJoined(app, place), toPay: isUnpaid };
}

async function sayYes(app: App, place: store.PlaceRow, personId: string): Promise<void> {
  const side = place.driverId === personId ? 'driver' : 'passenger';
  const asked = await openBetween(app, place);
  if (asked !== undefined) {
    // If only the payment is missing, both have said yes already.
    if (asked.startedBy !== side && asked.awaits !== 'payment') await acceptBooking(app, asked.id, personId);
    return;
  }
  const { rideId, requestId } = place;
  const input = { rideId, requestId, message: '' };
  await (side === 'driver' ? inviteToRide(app, personId, input) : askToJoin(app, personId, input));
}

async function sayNo(app: App, place: store.PlaceRow, personId: string, reason: string): Promise<void> {
  const side = place.driverId === personId ? 'driver' : 'passenger';
  const asked = await openBetween(app, place);
  // If only the payment is missing, the driver withdraws and the passenger declines, whichever of them began.
  const isBack = asked?.awaits === 'payment' ? side === 'driver' : asked?.startedBy === side;
  if (asked !== undefined)
    await (isBack
      ? withdrawBooking(app, asked.id, personId)
      : rejectBooking(app, asked.id, personId, reason));
  await endPlace(app, place, 'declined');
}

async function endPlace(
  { transact, outbox, clock }: App,
  place: store.PlaceRow,
  state: 'declined' | 'gone',
): Promise<void> {
  await transact('end planned seat', async (tx) => {
    if (await store.endPlace(tx, place.id, state, clock.now()))
      await outbox.emit(tx, 'event.moved', { eventId: place.eventId }, place.eventId);
  });
}

const openBetween = async ({ db }: App, place: store.PlaceRow) =>
  (await bookingsBetween(db, place)).find(({ state }) => openAskStates.includes(state));

const isJoined = async ({ db }: App, place: store.PlaceRow): Promise<boolean> =>
  (await bookingsBetween(db, place)).some(({ state }) => seatedStates.includes(state));

import type { OutputOf } from '#contract/define.ts';
import { wayOf, type myEvent, type MyPlace } from '#contract/events/plan.ts';
import { seatedStates } from '#contract/rides/moves.ts';
import type { Request, Ride } from '#contract/rides/views.ts';
import type { App } from '../../../app-type.ts';
import { ceilingCents } from '../../matching/service.ts';
import { ridesByIds, requestsByIds } from '../../orders/aggregate/queries.ts';
import { standingBookings } from '../../orders/bookings/queries.ts';
import { eventOrdersOf } from '../../orders/events/queries.ts';
import { rideViews, requestViews, type BookingRow, type RideRow } from '../../orders/service.ts';
import { eventById } from '../calendar/find-event.ts';
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

import { eq, inArray, or, sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import type { Db } from '../../../platform/database/db.ts';
import { isOneOf } from '../../../platform/database/is-one-of.ts';
import type { Erasure } from '../../../platform/erasure.ts';
import {
  bookings,
  interruptedRides,
  changeAnswers,
  changeProposals,
  moveHistory,
  orderGrants,
  shareLinks,
  recurringRides,
  orderSpans,
  requests,
  rides,
  waitlist,
} from '../../../schema/rides.ts';
import { movesOfPerson } from '../queries.ts';

/** A coordinate to within about a kilometer, so that no home can be found. */
const coarse = (column: SQLWrapper): SQL => sql`round(${column}::numeric, 2)::double precision`;

const withoutPlaces = (order: typeof rides | typeof requests) => ({
  fromName: '—',
  fromDetail: '',
  fromLon: coarse(order.fromLon),
  fromLat: coarse(order.fromLat),
  toName: '—',
  toDetail: '',
  toLon: coarse(order.toLon),
  toLat: coarse(order.toLat),
  note: '',
  flightNumber: '',
  tagIds: [],
  women: false,
});

/** The same number of via points, about where they were. */
const withoutNames = sql`(select coalesce(jsonb_agg(jsonb_build_object('name', '—', 'detail', '',
  'lon', round((v ->> 'lon')::numeric, 2), 'lat', round((v ->> 'lat')::numeric, 2))), '[]') from jsonb_array_elements(${rides.via}) v)`;

/** Orders stay for those who rode along, without anything that reveals the person or their home. */
export const erasure = {
  waitlist: (tx, personId) => tx.delete(waitlist).where(eq(waitlist.passengerId, personId)),
  // With its days.
  recurring_rides: (tx, personId) => tx.delete(recurringRides).where(eq(recurringRides.ownerId, personId)),
  share_links: (tx, personId) => tx.delete(shareLinks).where(eq(shareLinks.ownerId, personId)),
  order_grants: (tx, personId) => tx.delete(orderGrants).where(eq(orderGrants.personId, personId)),
  // The distance ridden and the share due for it stay with the payment.
  interrupted_rides: (tx, personId) =>
    tx
      .update(interruptedRides)
      .set({ words: '', place: '—', lon: coarse(interruptedRides.lon), lat: coarse(interruptedRides.lat) })
      .where(eq(interruptedRides.driverId, personId)),
  change_proposals: (tx, personId) =>
    tx
      .update(changeProposals)
      .set({ note: '', way: null, route: null })
      .where(eq(changeProposals.driverId, personId)),
  change_answers: (tx, personId) => tx.delete(changeAnswers).where(eq(changeAnswers.passengerId, personId)),
  order_spans: (tx, personId) => tx.delete(orderSpans).where(eq(orderSpans.personId, personId)),
  move_history: (tx, personId) =>
    tx
      .update(moveHistory)
      .set({ note: '', actorId: null })
      .where(sql`${moveHistory.id} in ${movesOfPerson(personId)}`),
  bookings: async (tx, personId) => {
    await tx
      .update(bookings)
      .set({
        pickupLon: coarse(bookings.pickupLon),
        pickupLat: coarse(bookings.pickupLat),
        dropoffLon: coarse(bookings.dropoffLon),
        dropoffLat: coarse(bookings.dropoffLat),
        pickupName: '',
        dropoffName: '',
        message: '',
        reason: '',
      })
      .where(eq(bookings.passengerId, personId));
    await tx.update(bookings).set({ message: '', reason: '' }).where(eq(bookings.driverId, personId));
  },
  requests: (tx, personId) =>
    tx
      .update(requests)
      .set({ ...withoutPlaces(requests), pickupMeetingPoints: [], dropoffMeetingPoints: [] })
      .where(eq(requests.passengerId, personId)),
  rides: (tx, personId) =>
    tx
      .update(rides)
      .set({ ...withoutPlaces(rides), vehicleId: null, via: withoutNames })
      .where(eq(rides.driverId, personId)),
} satisfies Erasure;

/** Rounds the person's own stops, in rides of their own and of others. */
export async function coarsenStops(tx: Db, personId: string): Promise<void> {
  await tx.execute(sql`
    update ride_stops s set lon = round(lon::numeric, 2)::double precision, lat = round(lat::numeric, 2)::double precision
    from rides r where r.id = s.ride_id and (
      (r.driver_id = ${personId} and s.kind in ('start', 'via', 'end'))
      or s.booking_id in (select id from bookings where passenger_id = ${personId}))`);
}

/** Removes some people's orders with their history, for the demo community. @returns the ids of the orders */
export async function removeOrdersOf(tx: Db, personIds: readonly string[]): Promise<string[]> {
  const [ofDriver, ofPassenger] = [
    isOneOf(rides.driverId, personIds),
    isOneOf(requests.passengerId, personIds),
  ];
  await tx
    .delete(moveHistory)
    .where(
      or(
        inArray(moveHistory.rideId, tx.select({ id: rides.id }).from(rides).where(ofDriver)),
        inArray(moveHistory.requestId, tx.select({ id: requests.id }).from(requests).where(ofPassenger)),
      ),
    );
  const removed = [
    ...(await tx.delete(rides).where(ofDriver).returning({ id: rides.id })),
    ...(await tx.delete(requests).where(ofPassenger).returning({ id: requests.id })),
  ];
  return removed.map(({ id }) => id);
}

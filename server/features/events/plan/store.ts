import { and, asc, eq, inArray, or } from 'drizzle-orm';
import type { EventWay } from '#contract/events/plan.ts';
import { wayOf } from '#contract/events/plan.ts';
import { mostOfOne } from '#contract/units.ts';
import type { Db } from '../../../platform/database/db.ts';
import { changesAny, firstRow } from '../../../platform/database/one-row.ts';
import type { Erasure } from '../../../platform/erasure.ts';
import { eventPlaces } from '../../../schema/event-places.ts';
import { statesBetween } from '../../orders/events/queries.ts';
import type { BookingRow, RequestRow, RideRow } from '../../orders/service.ts';

export type PlaceRow = typeof eventPlaces.$inferSelect;

export const placesOf = (db: Db, eventId: string): Promise<PlaceRow[]> =>
  db.select().from(eventPlaces).where(eq(eventPlaces.eventId, eventId)).orderBy(asc(eventPlaces.createdAt));

/** The seats proposed to one person that are agreed or still wait for an answer, in the order of proposal. */
export const placesOfPerson = (db: Db, eventId: string, personId: string): Promise<PlaceRow[]> =>
  db
    .select()
    .from(eventPlaces)
    .where(
      and(
        eq(eventPlaces.eventId, eventId),
        or(eq(eventPlaces.driverId, personId), eq(eventPlaces.passengerId, personId)),
        inArray(eventPlaces.state, ['open', 'taken']),
      ),
    )
    .orderBy(asc(eventPlaces.createdAt))
    .limit(mostOfOne);

export const placeById = (db: Db, id: string): Promise<PlaceRow | null> =>
  firstRow(db.select().from(eventPlaces).where(eq(eventPlaces.id, id)));

export async function insertPlaces(
  tx: Db,
  rows: readonly (typeof eventPlaces.$inferInsert)[],
): Promise<PlaceRow[]> {
  if (rows.length === 0) return [];
  return tx
    .insert(eventPlaces)
    .values([...rows])
    .onConflictDoNothing()
    .returning();
}

/** Ends an open place; false where it is no longer open. */
export const endPlace = (tx: Db, id: string, state: 'declined' | 'gone', at: Date): Promise<boolean> =>
  changesAny(
    tx
      .update(eventPlaces)
      .set({ state, endedAt: at })
      .where(and(eq(eventPlaces.id, id), eq(eventPlaces.state, 'open'))),
  );

export async function setPlaceState(
  tx: Db,
  id: string,
  state: PlaceRow['state'],
  endedAt: Date | null,
): Promise<void> {
  await tx.update(eventPlaces).set({ state, endedAt }).where(eq(eventPlaces.id, id));
}

/** Open and taken places with the bookings and orders that determine their states. */
export async function placesWithStates(
  db: Db,
  eventId: string,
): Promise<
  {
    place: PlaceRow;
    ride: RideRow['state'];
    request: RequestRow['state'];
    bookings: BookingRow['state'][];
  }[]
> {
  const rows = await db
    .select({ place: eventPlaces, ...statesBetween(eventPlaces.rideId, eventPlaces.requestId) })
    .from(eventPlaces)
    .where(and(eq(eventPlaces.eventId, eventId), inArray(eventPlaces.state, ['open', 'taken'])));
  return rows;
}

/** The orders of one direction. */
export const goingBy = <O extends RideRow | RequestRow>(
  event: { atLon: number; atLat: number },
  orders: readonly O[],
  way: EventWay,
): O[] =>
  orders.filter(
    (order) =>
      wayOf(
        { lon: event.atLon, lat: event.atLat },
        {
          from: { lon: order.fromLon, lat: order.fromLat },
          to: { lon: order.toLon, lat: order.toLat },
        },
      ) === way,
  );

export const erasure = {
  event_places: (tx, personId) =>
    tx
      .delete(eventPlaces)
      .where(or(eq(eventPlaces.passengerId, personId), eq(eventPlaces.driverId, personId))),
} satisfies Erasure;

import { and, asc, eq, getTableColumns, gt, ilike, inArray, ne, or, sql } from 'drizzle-orm';
import type { Db } from '../../base/db.ts';
import { events } from '../../tables/events.ts';
import { requests, rides, rideStops } from '../../tables/rides.ts';

export type EventRow = typeof events.$inferSelect & { seatsOffered: number; seatsNeeded: number };

const openRequestStates = ['matching', 'requesting', 'inviting'] as const;

/** The seats that are free on every leg of a ride that still takes people, summed; private rides are offered to nobody. */
const seatsOffered = (db: Db) => {
  const perRide = db
    .select({ free: sql<number>`min(${rideStops.seats} - ${rideStops.seatsTaken})`.as('free') })
    .from(rideStops)
    .innerJoin(rides, eq(rides.id, rideStops.rideId))
    .where(
      and(
        eq(rides.eventId, events.id),
        eq(rides.state, 'matching'),
        ne(rides.visibility, 'private'),
        ne(rideStops.kind, 'end'),
      ),
    )
    .groupBy(rideStops.rideId)
    .as('per_ride');
  return db.select({ seats: sql`coalesce(sum(${perRide.free}), 0)::int` }).from(perRide);
};

const seatsNeeded = (db: Db) =>
  db
    .select({ seats: sql`coalesce(sum(${requests.seats}), 0)::int` })
    .from(requests)
    .where(
      and(
        eq(requests.eventId, events.id),
        inArray(requests.state, [...openRequestStates]),
        ne(requests.visibility, 'private'),
      ),
    );

const withSeats = (db: Db) =>
  db
    .select({
      ...getTableColumns(events),
      seatsOffered: sql<number>`(${seatsOffered(db)})`,
      seatsNeeded: sql<number>`(${seatsNeeded(db)})`,
    })
    .from(events);

/** Events that have not ended and whose name or place holds the text, the soonest first. */
export function eventsToCome(db: Db, text: string, now: Date): Promise<EventRow[]> {
  const pattern = `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
  return withSeats(db)
    .where(
      and(
        gt(events.endsAt, now),
        or(ilike(events.name, pattern), ilike(events.atName, pattern), ilike(events.atDetail, pattern)),
      ),
    )
    .orderBy(asc(events.startsAt), asc(events.id));
}

export async function findEvent(db: Db, id: string): Promise<EventRow | null> {
  const [row] = await withSeats(db).where(eq(events.id, id));
  return row ?? null;
}

export async function eventNames(db: Db, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .select({ id: events.id, name: events.name })
    .from(events)
    .where(inArray(events.id, [...ids]));
  return new Map(rows.map((row) => [row.id, row.name]));
}

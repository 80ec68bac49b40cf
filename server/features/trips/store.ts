import { eq, lte, or, sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import { dayRideStates } from '#contract/rides/moves.ts';
import type { Db } from '../../platform/database/db.ts';
import { firstRow } from '../../platform/database/one-row.ts';
import { inPages } from '../../platform/database/delete-pages.ts';
import type { Erasure } from '../../platform/erasure.ts';
import { rebookingEmails, ridePositions, riderPositions } from '../../schema/trips.ts';
import { drivenRides, hasRideEnded, type DrivenRideRow } from '../orders/queries.ts';

export type PositionRow = typeof ridePositions.$inferSelect;

/** The outcome of saving a driver's position. */
export interface SavedPosition extends DrivenRideRow {
  /** Which of the given positions, from 1. */
  n: number;
  /** False where the ride is not under way, or the position before is younger than the pause. */
  isSaved: boolean;
}

/** All values of one column, as one parameter. */
const column = (rows: readonly PositionRow[], of: (row: PositionRow) => string | number | null): SQL =>
  sql`${sql.param(rows.map(of))}`;

/**
 * Stores the newest positions of rides, in one statement, with what the times of arrival follow from; a ride
 * that is not the driver's has no row. The commit does not wait for the disk: seconds later each position is
 * replaced by the next.
 * @param rows no two of them of the same ride and driver.
 */
export const savePositions = (rows: readonly PositionRow[], pauseMs: number): SQL => sql`
  with told as (
    select given.* from unnest(
      ${column(rows, (row) => row.rideId)}::uuid[], ${column(rows, (row) => row.driverId)}::uuid[],
      ${column(rows, (row) => row.lon)}::float8[], ${column(rows, (row) => row.lat)}::float8[],
      ${column(rows, (row) => row.headingDegrees)}::float8[], ${column(rows, (row) => row.at.toISOString())}::timestamptz[]
    ) with ordinality as given (ride_id, driver_id, lon, lat, heading_degrees, at, n),
    (select set_config('synchronous_commit', 'off', true) as synchronous_commit offset 0) as without_waiting
    where without_waiting.synchronous_commit = 'off'
  ), driven as materialized (
    select told.*, ride.* from told
    join (${drivenRides(column(rows, (row) => row.rideId))}) as ride
      on ride.id = told.ride_id and ride."driverId" = told.driver_id
  ), saved as (
    insert into ride_positions as old (ride_id, driver_id, lon, lat, heading_degrees, at)
    select ride_id, driver_id, lon, lat, heading_degrees, at from driven
    where state = any(${sql.param([...dayRideStates])}::text[]) order by ride_id
    on conflict (ride_id) do update
      set lon = excluded.lon, lat = excluded.lat, heading_degrees = excluded.heading_degrees, at = excluded.at
      -- A position from the future was written before a clock was put back.
      where old.at <= excluded.at - ${pauseMs}::int * interval '1 millisecond' or old.at > excluded.at
    returning ride_id
  )
  select n::int as n, saved.ride_id is not null as "isSaved", id, "driverId", state, "departedAt", "viaPassed",
    "trafficPermille", stops, bookings
  from driven left join saved on saved.ride_id = driven.id`;

/** Stores a ride's newest position; null where the one before is younger than `pauseMs`. */
export function savePosition(db: Db, row: PositionRow, pauseMs: number): Promise<PositionRow | null> {
  const { lon, lat, headingDegrees, at } = row;
  const latest = new Date(at.getTime() - pauseMs);
  return firstRow(
    db
      .insert(ridePositions)
      .values(row)
      .onConflictDoUpdate({
        target: ridePositions.rideId,
        set: { lon, lat, headingDegrees, at },
        // A position from the future was written before a clock was put back.
        setWhere: or(lte(ridePositions.at, latest), sql`${ridePositions.at} > ${at.toISOString()}`),
      })
      .returning(),
  );
}

export async function positionOf(db: Db, rideId: string): Promise<PositionRow | null> {
  return (await db.select().from(ridePositions).where(eq(ridePositions.rideId, rideId)))[0] ?? null;
}

export type TogetherRow = typeof riderPositions.$inferSelect;

/** Where a passenger and the car were first together. */
export async function firstTogether(db: Db, bookingId: string): Promise<TogetherRow | null> {
  const of = eq(riderPositions.bookingId, bookingId);
  return (await db.select().from(riderPositions).where(of))[0] ?? null;
}

export async function saveTogether(db: Db, row: TogetherRow): Promise<void> {
  const { lon, lat, at } = row;
  await db
    .insert(riderPositions)
    .values(row)
    .onConflictDoUpdate({ target: riderPositions.bookingId, set: { lon, lat, at } });
}

export async function wipeTogether(db: Db, bookingId: string): Promise<void> {
  await db.delete(riderPositions).where(eq(riderPositions.bookingId, bookingId));
}

/** Deletes the positions of a ride. */
export async function wipePosition(db: Db, rideId: string): Promise<void> {
  await db.delete(ridePositions).where(eq(ridePositions.rideId, rideId));
  await db.delete(riderPositions).where(eq(riderPositions.rideId, rideId));
}

/**
 * Deletes the positions of ended rides, and those not updated since `before`. The tables have rows for rides
 * under way alone.
 */
export async function wipePositions(db: Db, before: Date): Promise<void> {
  const isOver = (rideId: SQLWrapper) => sql`where at <= ${before.toISOString()} or ${hasRideEnded(rideId)}`;
  await inPages(ridePositions, isOver(ridePositions.rideId), (page) => db.delete(ridePositions).where(page));
  await inPages(riderPositions, isOver(riderPositions.rideId), (page) =>
    db.delete(riderPositions).where(page),
  );
}

/** Claims sending the emails about lost bookings; returns those about which none has been sent before. */
export async function claimRescueLetters(
  tx: Db,
  bookingIds: readonly string[],
  at: Date,
): Promise<Set<string>> {
  if (bookingIds.length === 0) return new Set();
  // In the order of their ids: two processes that claim the same ones wait without a deadlock.
  const claimed = await tx
    .insert(rebookingEmails)
    .values(bookingIds.toSorted().map((bookingId) => ({ bookingId, at })))
    .onConflictDoNothing()
    .returning({ bookingId: rebookingEmails.bookingId });
  return new Set(claimed.map(({ bookingId }) => bookingId));
}

export const erasure = {
  ride_positions: (tx, personId) => tx.delete(ridePositions).where(eq(ridePositions.driverId, personId)),
  rider_positions: (tx, personId) =>
    tx.delete(riderPositions).where(eq(riderPositions.passengerId, personId)),
} satisfies Erasure;

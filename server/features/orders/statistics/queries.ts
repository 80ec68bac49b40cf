import { sql, type SQL } from 'drizzle-orm';
import { endedRequestStates, endedRideStates } from '#contract/rides/moves.ts';
import { isWithin, type FigureSlot } from '../../../platform/database/figures.ts';
import { later, minuteMs } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/database/db.ts';
import { sqlWords } from '../../../platform/database/sql-words.ts';

/** The number of rides and requests that have not ended, each as an SQL value. */
export const openOrderCounts = {
  openRides: sql`(select count(*) from rides where state not in ${sqlWords(endedRideStates)})`,
  openRequests: sql`(select count(*) from requests where state not in ${sqlWords(endedRequestStates)})`,
};

/** A move and the instant that the row keeps of it are read from the clock one after the other. */
const besideMs = minuteMs;

/**
 * Published, matched and finished orders of a slot, and its cancellations and no-shows by the side at fault.
 * The history leads to what has moved in it; how and when is read from the rows.
 */
export function orderFigures(slot: FigureSlot): SQL {
  const around = { from: later(slot.from, -besideMs), until: later(slot.until, besideMs) };
  const counted = (condition: SQL) => sql`count(*) filter (where ${condition})`;
  const ended = (state: string) => sql`${isWithin(sql`b.ended_at`, slot)} and b.state = ${state}`;
  const fault = (state: string, side: string) =>
    counted(sql`${ended(state)} and b.joined_at is not null and b.fault = ${side}`);
  const made = (table: SQL, thing: string) => sql`(
    select count(*) from moved join ${table} made on made.id = moved.thing_id
    where moved.thing = ${thing} and ${isWithin(sql`made.created_at`, slot)})`;
  return sql`select told.name, 0, told.value from (
    with moved as materialized (
      select distinct thing, thing_id from move_history where ${isWithin(sql`at`, around)}
    )
    select ${made(sql`rides`, 'ride')} as rides, ${made(sql`requests`, 'request')} as requests,
      ${counted(isWithin(sql`b.created_at`, slot))} as matches, ${counted(isWithin(sql`b.joined_at`, slot))} as joined,
      ${counted(ended('finished'))} as finished,
      ${fault('cancel', 'driver')} as by_driver, ${fault('cancel', 'passenger')} as by_passenger,
      ${fault('missed', 'driver')} as missed_by_driver, ${fault('missed', 'passenger')} as missed_by_passenger,
      coalesce(sum(requests.drive_metres) filter (where ${ended('finished')}), 0) as metres
    from moved join bookings b on b.id = moved.thing_id join requests on requests.id = b.request_id
    where moved.thing = 'booking'
  ) of, lateral (values ('rides', of.rides), ('requests', of.requests), ('matches', of.matches),
    ('joined', of.joined), ('finished', of.finished), ('cancelledByDriver', of.by_driver),
    ('cancelledByPassenger', of.by_passenger), ('missedByDriver', of.missed_by_driver),
    ('missedByPassenger', of.missed_by_passenger), ('sharedMetres', of.metres)) told (name, value)`;
}

/** When the move with a number after an instant was made; null where there are fewer. */
export async function moveAfter(db: Db, from: Date, number: number): Promise<Date | null> {
  const { rows } = await db.execute<{ at: string }>(sql`
    select at from move_history where at >= ${from.toISOString()}::timestamptz order by at offset ${number} limit 1`);
  return rows[0] === undefined ? null : new Date(rows[0].at);
}

/** When the first move was made; null in an empty installation. */
export const firstMove = (db: Db): Promise<Date | null> => moveAfter(db, new Date(0), 0);

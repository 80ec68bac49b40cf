import { sql, type SQL } from 'drizzle-orm';
import { endedRequestStates, endedRideStates } from '#contract/rides/moves.ts';
import { figure, type FigureSpan } from '../../../platform/database/figures.ts';
import { sqlWords } from '../../../platform/database/sql-words.ts';

/** The number of rides and requests that have not ended, each as an SQL value. */
export const openOrderCounts = {
  openRides: sql`(select count(*) from rides where state not in ${sqlWords(endedRideStates)})`,
  openRequests: sql`(select count(*) from requests where state not in ${sqlWords(endedRequestStates)})`,
};

/** Published, matched and ridden orders, and cancellations and no-shows by whose fault, by period. */
export function orderFigures(span: FigureSpan): SQL[] {
  const all = sql`count(*)`;
  const made = (name: string, from: SQL) => figure(span, { name, value: all, at: sql`created_at`, from });
  const ended = (name: string, from: SQL, value = all) =>
    figure(span, { name, value, at: sql`bookings.ended_at`, from });
  const fault = (state: string, whose: string) =>
    sql`bookings where state = ${state} and joined_at is not null and fault = ${whose}`;
  return [
    made('rides', sql`rides where true`),
    made('requests', sql`requests where true`),
    made('matches', sql`bookings where true`),
    figure(span, {
      name: 'joined',
      value: all,
      at: sql`joined_at`,
      from: sql`bookings where joined_at is not null`,
    }),
    ended('finished', sql`bookings where state = 'finished'`),
    ended('cancelledByDriver', fault('cancel', 'driver')),
    ended('cancelledByPassenger', fault('cancel', 'passenger')),
    ended('missedByDriver', fault('missed', 'driver')),
    ended('missedByPassenger', fault('missed', 'passenger')),
    ended(
      'sharedMetres',
      sql`bookings join requests on requests.id = bookings.request_id where bookings.state = 'finished'`,
      sql`sum(requests.drive_metres)`,
    ),
  ];
}

import { sql } from 'drizzle-orm';
import {
  changeableRideStates,
  gatheredRideStates,
  onTheWayRideStates,
  seatedStates,
  gatherBeforeMs,
} from '#contract/rides/moves.ts';
import { later } from '../platform/clock.ts';
import type { Db } from '../platform/database/db.ts';
import { sqlWords } from '../platform/database/sql-words.ts';
import { abandonedAfterMs, unjoinedEndsAfterMs } from '../features/orders/rules/may.ts';

/** The scheduler's current work, found in all rows without `next_at`. */
export interface Due {
  rides: string[];
  /** Rides with an open proposal that is over or decided. */
  changes: string[];
}

/** Rides and proposed changes that are due, by the rules alone. */
export async function dueByRules(db: Db, now: Date): Promise<Due> {
  const before = (milliseconds: number) => later(now, -milliseconds).toISOString();
  const at = now.toISOString();
  const rides = await db.execute<{ id: string }>(sql`
    select r.id from rides r where
      (r.state in ${sqlWords(changeableRideStates)} and r.departs_at <= ${before(-gatherBeforeMs)}
        and exists (select 1 from bookings b where b.ride_id = r.id and b.state = 'joined'))
      or (r.state = 'matching' and r.departs_at <= ${at} and r.latest_departs_at > ${at}
        and not exists (select 1 from ride_stops s where s.ride_id = r.id and s.booking_id is not null))
      or (r.state in ${sqlWords(changeableRideStates)} and r.latest_departs_at <= ${before(unjoinedEndsAfterMs)})
      or (r.unclear_at is null and r.state in ${sqlWords(gatheredRideStates)} and r.latest_departs_at <= ${before(abandonedAfterMs)})
      or (r.unclear_at is null and r.state in ${sqlWords(onTheWayRideStates)} and r.arrives_at <= ${before(abandonedAfterMs)})`);
  const changes = await db.execute<{ id: string }>(sql`
    select c.ride_id as id from change_proposals c where c.state = 'open' and (c.expires_at <= ${at}
      or exists (select 1 from rides r where r.id = c.ride_id and r.state not in ${sqlWords(changeableRideStates)})
      or not exists (select 1 from bookings b where b.ride_id = c.ride_id
        and (b.state in ${sqlWords(seatedStates)} or b.awaits = 'payment')
        and not exists (select 1 from change_answers a where a.proposal_id = c.id and a.booking_id = b.id and a.accepted)))`);
  return { rides: rides.rows.map(({ id }) => id), changes: changes.rows.map(({ id }) => id) };
}

/** Rows that are due by the rules and would not be checked, because their `next_at` is later or missing. */
export async function overlooked(db: Db, now: Date): Promise<Due> {
  const due = await dueByRules(db, now);
  if (due.rides.length === 0 && due.changes.length === 0) return due;
  const at = now.toISOString();
  const rides = await db.execute<{ id: string }>(sql`
    select id from rides where id = any(${sql.param(due.rides)}::uuid[]) and next_at <= ${at}`);
  const changes = await db.execute<{ id: string }>(sql`
    select ride_id as id from change_proposals
    where ride_id = any(${sql.param(due.changes)}::uuid[]) and state = 'open' and next_at <= ${at}`);
  const [foundRides, foundChanges] = [rides, changes].map(({ rows }) => new Set(rows.map(({ id }) => id)));
  return {
    rides: due.rides.filter((id) => !foundRides!.has(id)),
    changes: due.changes.filter((id) => !foundChanges!.has(id)),
  };
}

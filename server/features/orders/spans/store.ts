import { sql } from 'drizzle-orm';
import { seatedStates } from '#contract/rides/moves.ts';
import { brokenConstraint, type Db, inSavepoint } from '../../../platform/database/db.ts';
import { withBooking, type Insertion, type Plan, type Wish } from '../../matching/service.ts';
import type { RequestRow, RideRow } from '../store.ts';

/** An order, and the span of time that it would take of its person. */
interface Taking {
  id: string;
  personId: string;
  from: Date;
  to: Date;
}

/** Whether none of these persons has another order in the span of theirs. */
export async function areFreeFor(db: Db, taking: readonly Taking[]): Promise<boolean> {
  const found = await db.execute(sql`
    select 1 from jsonb_to_recordset(${JSON.stringify(taking)}::jsonb)
      as taking (id uuid, "personId" uuid, "from" timestamptz, "to" timestamptz)
    join order_spans s on s.person_id = taking."personId" and s.order_id <> taking.id
      and s.during && tstzrange(taking."from", taking."to", '[)') limit 1`);
  return found.rows.length === 0;
}

/**
 * Whether driver and passenger would be done with the ride, including the passenger's detour, before the next
 * order of either begins.
 */
export async function haveTimeFor(
  tx: Db,
  ride: RideRow,
  request: RequestRow,
  { plan, wish, insertion }: { plan: Plan; wish: Wish; insertion: Insertion },
): Promise<boolean> {
  const { stops, departsMs } = withBooking(plan, wish, insertion, request.id);
  const arrivesMs = stops.reduce((ms, { standsMs, toNextMs }) => ms + standsMs + toNextMs, departsMs);
  const endsMs = Math.max(ride.latestDepartsAt.getTime() + ride.driveMs, arrivesMs);
  const doneMs = Math.max(
    request.latestAt.getTime() + request.driveMs,
    insertion.dropoffMs + insertion.dropoff.walkMs,
  );
  return areFreeFor(tx, [
    { id: ride.id, personId: ride.driverId, from: ride.earliestDepartsAt, to: new Date(endsMs) },
    { id: request.id, personId: request.passengerId, from: request.earliestAt, to: new Date(doneMs) },
  ]);
}

/**
 * Adjusts the spans of a ride's people to its plan: the driver's lasts until the car arrives with all
 * detours, a joined passenger's until they have walked to their destination. Called after the plan is saved,
 * under the lock on the ride. False, with nothing changed, where a span would overlap another order of its
 * person.
 */
export async function followPlan(tx: Db, rideId: string): Promise<boolean> {
  try {
    // In a savepoint: the caller decides about the transaction.
    await inSavepoint(tx, (inner) => moveSpans(inner, rideId));
    return true;
  } catch (error) {
    if (brokenConstraint(error) !== 'order_spans_no_overlap') throw error;
    return false;
  }
}

/** The same where an overlap ends the transaction: with this error. */
export async function mustFollowPlan(tx: Db, rideId: string, refusal: () => Error): Promise<void> {
  await moveSpans(tx, rideId).catch((error: unknown) => {
    throw brokenConstraint(error) === 'order_spans_no_overlap' ? refusal() : error;
  });
}

async function moveSpans(tx: Db, rideId: string): Promise<void> {
  await tx.execute(sql`
    with plan as (
      select r.id, lower(s.during) as from_at,
        greatest(r.latest_departs_at + r.drive_ms * interval '1 ms', r.arrives_at) as until_at
      from rides r join order_spans s on s.order_id = r.id where r.id = ${rideId}
      union all
      select q.id,
        least(q.earliest_at, b.pickup_at - b.pickup_walk_ms * interval '1 ms'),
        greatest(q.latest_at + q.drive_ms * interval '1 ms', b.dropoff_at + b.dropoff_walk_ms * interval '1 ms')
      from bookings b join requests q on q.id = b.request_id
      where b.ride_id = ${rideId}
        and (b.state in ${[...seatedStates]} or (b.state = 'waiting for passenger acceptance' and b.awaits = 'payment'))
    )
    update order_spans s set during = tstzrange(plan.from_at, plan.until_at, '[)')
    from plan where s.order_id = plan.id and s.during <> tstzrange(plan.from_at, plan.until_at, '[)')`);
}

/** Resets the span of a request that has lost its ride to the time it asks for. */
export async function followRequest(tx: Db, requestId: string): Promise<void> {
  await tx.execute(sql`
    update order_spans s set during = tstzrange(q.earliest_at, q.latest_at + q.drive_ms * interval '1 ms', '[)')
    from requests q where q.id = ${requestId} and s.order_id = q.id`);
}

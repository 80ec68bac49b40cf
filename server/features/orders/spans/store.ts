import { sql } from 'drizzle-orm';
import { isAgreed, seatedStates } from '#contract/rides/moves.ts';
import { later } from '../../../platform/clock.ts';
import { brokenConstraint, type Db, inSavepoint } from '../../../platform/database/db.ts';
import { withBooking, type Insertion, type Plan, type Wish } from '../../matching/service.ts';
import type { BookingRow, RequestRow, RideRow } from '../store.ts';
import * as store from '../store.ts';
import { unitOf } from '../unit/order-unit.ts';
import type { Span } from '../unit/store.ts';

/** An order, and the span of time that it would take of its person. */
interface Taking {
  id: string;
  personId: string;
  from: Date;
  to: Date;
}
const spanOf = ({ id, personId, from, to }: Taking): Span => ({ orderId: id, personId, from, until: to });

/** Whether none of these persons has another order in the span of theirs. */
export async function areFreeFor(db: Db, taking: readonly Taking[]): Promise<boolean> {
  const known = unitOf(db)?.spans.areFree(taking.map(spanOf)) ?? null;
  if (known !== null) return known;
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
  const isMoved = moveKnownSpans(tx, rideId);
  if (isMoved !== null) return isMoved;
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
  const isMoved = moveKnownSpans(tx, rideId);
  if (isMoved === false) throw refusal();
  if (isMoved === null)
    await moveSpans(tx, rideId).catch((error: unknown) => {
      throw brokenConstraint(error) === 'order_spans_no_overlap' ? refusal() : error;
    });
}

/** The same from the rows that the transaction holds; null where it does not hold all of them. */
function moveKnownSpans(tx: Db, rideId: string): boolean | null {
  const unit = unitOf(tx);
  const ride = unit?.ride(rideId) ?? null;
  const open = unit?.openBookings(rideId) ?? null;
  if (unit === null || ride === null || open === null) return null;
  const { driverId, latestDepartsAt, driveMs, arrivesAt } = ride;
  const own = unit.spans.of(rideId);
  const until = latest(later(latestDepartsAt, driveMs), arrivesAt);
  const spans: Span[] =
    own === null
      ? []
      : [{ orderId: rideId, personId: driverId, from: own.from, until: latest(own.from, until) }];
  for (const booking of open.filter(isAgreed)) {
    const request = unit.request(booking.requestId);
    if (request === null) return null;
    spans.push(spanAboard(request, booking));
  }
  return unit.spans.move(spans);
}

/** From the walk to the pick-up until the end of the one from the drop-off, and what was asked for. */
const spanAboard = (request: RequestRow, booking: BookingRow): Span => ({
  orderId: request.id,
  personId: request.passengerId,
  from: earliest(request.earliestAt, later(booking.pickupAt, -booking.pickupWalkMs)),
  until: latest(later(request.latestAt, request.driveMs), later(booking.dropoffAt, booking.dropoffWalkMs)),
});
const earliest = (a: Date, b: Date): Date => (a < b ? a : b);
const latest = (a: Date, b: Date): Date => (a > b ? a : b);

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

/** Takes a person's time for an order; false where another one of theirs is in it. */
export async function takeTime(tx: Db, taking: Taking): Promise<boolean> {
  const isTaken = unitOf(tx)?.spans.move([spanOf(taking)], true) ?? null;
  if (isTaken !== null) return isTaken;
  const { id, personId, from, to } = taking;
  try {
    await inSavepoint(tx, (inner) => store.takeSpan(inner, id, personId, { from, to }));
    return true;
  } catch (error) {
    if (brokenConstraint(error) !== 'order_spans_no_overlap') throw error;
    return false;
  }
}

/** Resets the span of a request that has lost its ride to the time it asks for. */
export async function followRequest(tx: Db, requestId: string): Promise<void> {
  const unit = unitOf(tx);
  const request = unit?.request(requestId) ?? null;
  if (unit !== null && request !== null && unit.spans.of(requestId) !== null) {
    const { passengerId, earliestAt, latestAt, driveMs } = request;
    const until = later(latestAt, driveMs);
    if (unit.spans.move([{ orderId: requestId, personId: passengerId, from: earliestAt, until }]) === true)
      return;
  }
  await tx.execute(sql`
    update order_spans s set during = tstzrange(q.earliest_at, q.latest_at + q.drive_ms * interval '1 ms', '[)')
    from requests q where q.id = ${requestId} and s.order_id = q.id`);
}

import { eventWays, type EventWay } from '#contract/events/plan.ts';
import { seatedStates } from '#contract/rides/moves.ts';
import type { App } from '../../../app-type.ts';
import type { Db } from '../../../platform/database/db.ts';
import { assignRides } from '../../matching/service.ts';
import { eventRequestsInSight, eventRidesInSight } from '../../orders/audience/queries.ts';
import { standingBookings } from '../../orders/bookings/queries.ts';
import type { BookingRow, RequestRow, RideRow } from '../../orders/service.ts';
import type { EventColumns } from '../calendar/store.ts';
import type { DirectionPlan } from '../state.ts';
import * as store from './store.ts';

/** The orders of one direction of an event, and the pairs among them. */
export interface Standing {
  way: EventWay;
  rides: RideRow[];
  /** Those without a seat. */
  requests: RequestRow[];
  bookings: BookingRow[];
  /** Open proposals, and asks and invitations that people made themselves: a plan keeps these pairs. */
  kept: { rideId: string; requestId: string }[];
  /** Pairs that a plan proposed and that failed. */
  barred: { rideId: string; requestId: string }[];
  open: store.PlaceRow[];
}

/** Whether a booking takes its seats: one that waits for a payment or an answer keeps them meanwhile. */
export const holdsSeats = ({ state }: Pick<BookingRow, 'state'>): boolean =>
  seatedStates.includes(state) || state === 'waiting for passenger acceptance';

/** Both directions of an event as its organizer may plan them. */
export async function standingAt(db: Db, event: EventColumns, now: Date): Promise<Standing[]> {
  const of = { eventId: event.id, viewerId: event.organizerId, now };
  const [rideRows, requestRows, places] = await Promise.all([
    eventRidesInSight(db, of),
    eventRequestsInSight(db, of),
    store.placesOf(db, event.id),
  ]);
  const bookings = await standingBookings(
    db,
    rideRows.map(({ id }) => id),
  );
  const seated = new Set(bookings.filter(holdsSeats).map(({ requestId }) => requestId));
  const standing = requestRows.filter(({ id }) => !seated.has(id));
  return eventWays.map((way) => {
    const going = store.goingBy(event, rideRows, way);
    const wanting = store.goingBy(event, standing, way);
    const [rideIds, requestIds] = [going, wanting].map((rows) => new Set(rows.map(({ id }) => id)));
    const isHere = (pair: { rideId: string; requestId: string }) =>
      rideIds!.has(pair.rideId) && requestIds!.has(pair.requestId);
    const here = places.filter(isHere);
    const open = here.filter(({ state }) => state === 'open');
    const asks = bookings.filter((booking) => !holdsSeats(booking)).filter(isHere);
    // One pair for each request: the plan's proposal takes precedence over other asks.
    const pairs = new Map([...asks.toReversed(), ...open].map((pair) => [pair.requestId, pair]));
    const pairOf = ({ rideId, requestId }: { rideId: string; requestId: string }) => ({
      rideId,
      requestId,
    });
    return {
      way,
      rides: going,
      requests: wanting,
      bookings: bookings.filter(({ rideId }) => rideIds!.has(rideId)),
      kept: [...pairs.values()].map(pairOf),
      barred: here.filter(({ state }) => state !== 'open').map(pairOf),
      open,
    };
  });
}

/**
 * The assignments of an event, one for each direction, there and back. Those of recently planned events are
 * cached, so that reading a plan again searches only where its input changed.
 */
export function assignmentsOf(
  app: App,
  event: Pick<EventColumns, 'id'>,
  standing: readonly Standing[],
): Promise<DirectionPlan[]> {
  const { assignments } = app.events;
  const state = JSON.stringify(
    standing.map((each) => [
      [...each.rides, ...each.requests, ...each.bookings].map(({ id, version }) => [id, version]),
      each.kept,
      each.barred,
    ]),
  );
  const known = assignments.get(event.id);
  if (known?.state === state) return known.plans;
  const plans = Promise.all(standing.map((each) => assignRides(app, { ...each, search: true })));
  assignments.set(event.id, { state, plans });
  plans.catch(() => assignments.delete(event.id));
  return plans;
}

import type { EventEntry } from '#contract/events/endpoints.ts';
import { wayOf, type OrganisersPlan } from '#contract/events/plan.ts';
import { seatedStates } from '#contract/rides/moves.ts';
import type { App } from '../../../app-type.ts';
import { requestsByIds } from '../../orders/aggregate/queries.ts';
import { eventRequestsInSight, eventRidesInSight } from '../../orders/audience/queries.ts';
import { orderLines, type OrderLine } from '../../orders/service.ts';
import { visibleEvent, ownEvent } from '../calendar/read-events.ts';
import type { DirectionPlan } from '../state.ts';
import { assignmentsOf, standingAt, holdsSeats, type Standing } from './plan-state.ts';

/** Seats offered and needed, order by order, as far as this person may see them. Refuses `event.notFound`. */
export async function listEntries(
  app: App,
  id: string,
  viewerId: string | null,
  token: string,
): Promise<EventEntry[]> {
  const event = await visibleEvent(app, id, viewerId, token);
  const { db, clock } = app;
  const of = { eventId: id, viewerId, now: clock.now() };
  const [rides, requests] = await Promise.all([eventRidesInSight(db, of), eventRequestsInSight(db, of)]);
  const lines = await orderLines(app, { rides, requests }, viewerId);
  const place = { lon: event.atLon, lat: event.atLat };
  return lines.map(({ id: orderId, from, to, role, person, at, timeZone, seats, mine }) => {
    const way = wayOf(place, { from, to });
    return { orderId, role, way, person, place: way === 'there' ? from : to, at, timeZone, seats, mine };
  });
}

/** The plan of the organizer's own event. Refuses `event.notFound`. */
export async function readPlan(app: App, organizerId: string, id: string): Promise<OrganisersPlan> {
  const { db, clock } = app;
  const event = await ownEvent(app, id, organizerId);
  const standing = await standingAt(db, event, clock.now());
  const plans = await assignmentsOf(app, event, standing);
  const rideRows = standing.flatMap((each) => each.rides);
  const requestIds = new Set(standing.flatMap((each) => each.requests.map((row) => row.id)));
  const joinedIds = standing.flatMap((each) => each.bookings.map(({ requestId }) => requestId));
  const requestRows = await requestsByIds(app.db, [...new Set([...requestIds, ...joinedIds])]);
  const lines = await orderLines(app, { rides: rideRows, requests: requestRows }, organizerId);
  const lineOf = new Map(lines.map((line) => [line.id, line]));
  const ways = standing.map((each, at) => viewWay(each, plans[at]!, lineOf));
  return {
    sentAt: event.planSentAt?.toISOString() ?? null,
    ways,
    unsent: ways.flatMap((way) =>
      way.rides.flatMap((ride) => ride.passengers.filter(({ state }) => state === 'planned')),
    ).length,
  };
}

type PlannedWay = OrganisersPlan['ways'][number];

/** One direction of a plan for its organizer, who sees streets and no addresses. */
function viewWay(standing: Standing, plan: DirectionPlan, lines: ReadonlyMap<string, OrderLine>): PlannedWay {
  const { way, rides, requests, bookings, open } = standing;
  const home = (order: OrderLine) => (way === 'there' ? order.from : order.to);
  const passengerOf = (
    requestId: string,
    times: { pickupAt: Date; dropoffAt: Date },
    state: PlannedWay['rides'][number]['passengers'][number]['state'],
  ) => {
    const line = lines.get(requestId);
    if (line === undefined) return [];
    const { person: passenger, seats } = line;
    const [pickupAt, dropoffAt] = [times.pickupAt.toISOString(), times.dropoffAt.toISOString()];
    return [{ requestId, passenger, seats, place: home(line), pickupAt, dropoffAt, state }];
  };
  const stateOf = (rideId: string, requestId: string) => {
    const isPair = (each: { rideId: string; requestId: string }) =>
      each.rideId === rideId && each.requestId === requestId;
    if (bookings.some(isPair)) return 'asked';
    return open.some(isPair) ? 'proposed' : 'planned';
  };
  const planned = rides.flatMap((row): PlannedWay['rides'] => {
    const line = lines.get(row.id);
    const of = plan.rides.get(row.id);
    if (line === undefined || of === undefined) return [];
    const joined = bookings
      .filter((booking) => booking.rideId === row.id && holdsSeats(booking))
      .flatMap((booking) =>
        passengerOf(booking.requestId, booking, seatedStates.includes(booking.state) ? 'joined' : 'asked'),
      );
    const others = plan.assigned
      .filter(({ rideId }) => rideId === row.id)
      .flatMap((each) => passengerOf(each.requestId, each, stateOf(row.id, each.requestId)));
    return [
      {
        rideId: row.id,
        driver: line.person,
        place: home(line),
        seats: row.seats,
        seatsLeft: of.seatsLeft,
        departsAt: new Date(of.departsMs).toISOString(),
        arrivesAt: new Date(of.arrivesMs).toISOString(),
        detourSeconds: Math.max(0, Math.round(of.extraMs / 1000)),
        passengers: [...joined, ...others].toSorted((a, b) => a.pickupAt.localeCompare(b.pickupAt)),
      },
    ];
  });
  const isLeft = new Set(plan.left);
  const left = requests
    .filter(({ id }) => isLeft.has(id) || plan.lost.some(({ requestId }) => requestId === id))
    .flatMap(({ id }) => {
      const line = lines.get(id);
      if (line === undefined) return [];
      return [{ requestId: id, passenger: line.person, seats: line.seats, place: home(line) }];
    });
  const drives = [...plan.rides.values()];
  const seconds = (all: number[]) => Math.max(0, Math.round(all.reduce((sum, each) => sum + each, 0) / 1000));
  return {
    way,
    rides: planned,
    left,
    seatsShort: left.reduce((sum, { seats }) => sum + seats, 0),
    driveSeconds: seconds(drives.map(({ driveMs }) => driveMs)),
    detourSeconds: seconds(drives.map(({ extraMs }) => extraMs)),
  };
}

import type { Place, ShownPlace } from '#contract/units.ts';
import type { Order } from '#contract/rides/views.ts';
import type { Person } from '#contract/user/endpoints.ts';
import type { App } from '../../../app-type.ts';
import type { Db } from '../../../platform/database/db.ts';
import { approximatePlace } from '../../geo/service.ts';
import { peopleByIds } from '../../identity/service.ts';
import { wholeMinutes } from '../../matching/service.ts';
import { fromOf, toOf } from '../rules/ends.ts';
import type { RequestRow, RideRow } from '../store.ts';
import { loadViewContext } from '../view-context.ts';
import { shownPerson, viewRequest, viewRide } from '../view.ts';
import { ordersBookedWith, seatsTakenOf } from './queries.ts';

/** An order on one line of a list, as the viewer may see it. */
export interface OrderLine {
  id: string;
  role: 'driver' | 'passenger';
  person: Person;
  from: ShownPlace;
  to: ShownPlace;
  /** When the ride departs, or the earliest departure of the request; ISO 8601. */
  at: string;
  timeZone: string;
  /** A ride's free seats, or the seats that a request needs. */
  seats: number;
  mine: boolean;
}

/**
 * A line for each ride, then for each request, in the order of the rows; null is a guest. Reads whole views
 * only of the viewer's own orders and of those with a booking of theirs: for the rest, most of a long list,
 * people and counts of seats are enough.
 */
export async function orderLines(
  app: App,
  of: { rides: readonly RideRow[]; requests: readonly RequestRow[] },
  viewerId: string | null,
): Promise<OrderLine[]> {
  const viewedIds = await idsToView(app.db, of, viewerId);
  const isViewed = ({ id }: { id: string }) => viewedIds.has(id);
  const viewed = { rides: of.rides.filter(isViewed), requests: of.requests.filter(isViewed) };
  const rides = of.rides.filter((row) => !isViewed(row));
  const requests = of.requests.filter((row) => !isViewed(row));
  const ownerIds = [
    ...rides.map(({ driverId }) => driverId),
    ...requests.map(({ passengerId }) => passengerId),
  ];
  const rideIds = rides.map(({ id }) => id);
  const [views, people, seatsTaken] = await Promise.all([
    loadViewContext(app, viewed, viewerId),
    peopleByIds(app, [...new Set(ownerIds)]),
    seatsTakenOf(app.db, rideIds),
  ]);
  const rideLine = (row: RideRow): OrderLine => ({
    ...strangersLine(app, row, 'driver'),
    person: shownPerson(people, row.driverId),
    // Viewers who never rode along are shown whole minutes.
    at: new Date(wholeMinutes(row.departsAt.getTime())).toISOString(),
    seats: row.seats - (seatsTaken.get(row.id) ?? 0),
  });
  const requestLine = (row: RequestRow): OrderLine => ({
    ...strangersLine(app, row, 'passenger'),
    person: shownPerson(people, row.passengerId),
    at: row.earliestAt.toISOString(),
    seats: row.seats,
  });
  return [
    ...of.rides.map((row) => (isViewed(row) ? lineOf(viewRide(views, row)) : rideLine(row))),
    ...of.requests.map((row) => (isViewed(row) ? lineOf(viewRequest(views, row)) : requestLine(row))),
  ];
}

/** The viewer's own orders, and those with a booking of theirs. */
async function idsToView(
  db: Db,
  { rides, requests }: Parameters<typeof orderLines>[1],
  viewerId: string | null,
): Promise<ReadonlySet<string>> {
  if (viewerId === null) return new Set();
  const idsOf = (rows: readonly { id: string }[]) => rows.map(({ id }) => id);
  const own = [
    ...rides.filter(({ driverId }) => driverId === viewerId),
    ...requests.filter(({ passengerId }) => passengerId === viewerId),
  ];
  const booked = await ordersBookedWith(db, { viewerId, rideIds: idsOf(rides), requestIds: idsOf(requests) });
  return new Set([...idsOf(own), ...booked]);
}

const lineOf = (order: Order): OrderLine => {
  const { id, role, from, to, timeZone, mine } = order;
  const common = { id, role, from, to, timeZone, mine };
  return order.role === 'driver'
    ? { ...common, person: order.driver, at: order.departsAt, seats: order.seatsFree }
    : { ...common, person: order.passenger, at: order.earliestAt, seats: order.seats };
};

const shownToStranger = (app: App, place: Place): ShownPlace => ({
  ...approximatePlace(app, place),
  approximate: true,
});

/** The common part of all lines of other people's orders. */
const strangersLine = (app: App, row: RideRow | RequestRow, role: OrderLine['role']) => ({
  id: row.id,
  role,
  from: shownToStranger(app, fromOf(row)),
  to: shownToStranger(app, toOf(row)),
  timeZone: row.timeZone,
  mine: false,
});

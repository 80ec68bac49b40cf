import type { Order } from '#contract/rides/views.ts';
import type { ShownPlace } from '#contract/units.ts';
import type { Person } from '#contract/user/endpoints.ts';
import { wholeMinutes } from '../../matching/service.ts';
import type { ReadContext } from '../context.ts';
import { fromOf, toOf } from '../rules/ends.ts';
import type { RequestRow, RideRow } from '../store.ts';
import { loadViewContext } from '../view-context.ts';
import { approximatePlace, shownPerson, viewRequest, viewRide } from '../view.ts';
import { ordersShared, seatsTakenOf } from './queries.ts';

/** What one line tells of an order, as the viewer may see it. */
export interface OrderLine {
  id: string;
  role: 'driver' | 'passenger';
  person: Person;
  from: ShownPlace;
  to: ShownPlace;
  /** When the ride departs, or the passenger can at the earliest; ISO 8601. */
  at: string;
  timeZone: string;
  /** Free in the car, or needed. */
  seats: number;
  mine: boolean;
}

/**
 * A line of each ride, then of each request, in the order of the rows; null is a guest. Of orders that the
 * viewer neither owns nor was ever booked with, which are most of a long list, it reads no bookings.
 */
export async function orderLines(
  context: ReadContext,
  of: { rides: readonly RideRow[]; requests: readonly RequestRow[] },
  viewerId: string | null,
): Promise<OrderLine[]> {
  const { identity, platform } = context;
  const rideIds = of.rides.map(({ id }) => id);
  const requestIds = of.requests.map(({ id }) => id);
  const shared =
    viewerId === null ? none : await ordersShared(platform.db, { viewerId, rideIds, requestIds });
  const isClose = {
    ride: ({ id, driverId }: RideRow) => driverId === viewerId || shared.has(id),
    request: ({ id, passengerId }: RequestRow) => passengerId === viewerId || shared.has(id),
  };
  const close = { rides: of.rides.filter(isClose.ride), requests: of.requests.filter(isClose.request) };
  const far = of.rides.filter((row) => !isClose.ride(row));
  const ownerIds = [
    ...far.map(({ driverId }) => driverId),
    ...of.requests.flatMap((row) => (isClose.request(row) ? [] : [row.passengerId])),
  ];
  const [views, people, seatsTaken] = await Promise.all([
    loadViewContext(context, close, viewerId),
    identity.people([...new Set(ownerIds)]),
    seatsTakenOf(
      platform.db,
      far.map(({ id }) => id),
    ),
  ]);
  return [
    ...of.rides.map((row): OrderLine =>
      isClose.ride(row)
        ? lineOf(viewRide(views, row))
        : {
            ...distant(context, row, 'driver'),
            person: shownPerson(people, row.driverId),
            // Who never rode along is told whole minutes.
            at: new Date(wholeMinutes(row.departsAt.getTime())).toISOString(),
            seats: row.seats - (seatsTaken.get(row.id) ?? 0),
          },
    ),
    ...of.requests.map((row): OrderLine =>
      isClose.request(row)
        ? lineOf(viewRequest(views, row))
        : {
            ...distant(context, row, 'passenger'),
            person: shownPerson(people, row.passengerId),
            at: row.earliestAt.toISOString(),
            seats: row.seats,
          },
    ),
  ];
}

const none: ReadonlySet<string> = new Set();

const lineOf = (order: Order): OrderLine => {
  const { id, role, from, to, timeZone, mine } = order;
  const common = { id, role, from, to, timeZone, mine };
  return order.role === 'driver'
    ? { ...common, person: order.driver, at: order.departsAt, seats: order.seatsFree }
    : { ...common, person: order.passenger, at: order.earliestAt, seats: order.seats };
};

const distant = ({ geo }: ReadContext, row: RideRow | RequestRow, role: OrderLine['role']) => ({
  id: row.id,
  role,
  from: approximatePlace(geo, fromOf(row)),
  to: approximatePlace(geo, toOf(row)),
  timeZone: row.timeZone,
  mine: false,
});

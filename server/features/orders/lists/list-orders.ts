import type { OutputOf } from '#contract/define.ts';
import type * as calls from '#contract/rides/endpoints.ts';
import { stages, type Stage } from '#contract/rides/moves.ts';
import type { OrderSummary, Booking, Order, Request, Ride } from '#contract/rides/views.ts';
import { seatedBooking } from '#contract/rides/next-action.ts';
import { leastOf, shareIs, shareOf } from '#contract/rides/share.ts';
import type { App } from '../../../app-type.ts';
import * as store from '../store.ts';
import { loadViewContext } from '../view-context.ts';
import { viewRequest, viewRide } from '../view.ts';
import { countByStage, nextOwnOrder, ownOrdersPage, type OwnOrder, type Role } from './queries.ts';
import { firstRow } from '../../../platform/database/one-row.ts';

const pageSize = 20;

/** A person's orders of a stage and role, those to come before those past; and how many each stage holds. */
export async function listOrders(
  app: App,
  personId: string,
  query: { stage?: Stage | undefined; role?: Role | undefined; offset: number },
): Promise<OutputOf<typeof calls.listOrders>> {
  const { db } = app;
  const { stage, role, offset } = query;
  const [counts, page] = await Promise.all([
    countByStage(db, personId, role),
    ownOrdersPage(db, personId, { role, stage, offset, limit: pageSize }),
  ]);
  const total = stage === undefined ? stages.reduce((sum, each) => sum + counts[each], 0) : counts[stage];
  return { orders: await viewOwn(app, page, personId), total, counts };
}

/** The order of a role that is under way, or else the one that comes next; null where there is none. */
export async function nextOrder(app: App, personId: string, role: Role): Promise<OrderSummary | null> {
  const next = await nextOwnOrder(app.db, personId, role);
  return firstRow(viewOwn(app, next === null ? [] : [next], personId));
}

/** Own orders as their owner sees them, in their order; one that has been deleted meanwhile is left out. */
async function viewOwn(app: App, own: readonly OwnOrder[], personId: string): Promise<OrderSummary[]> {
  const { db } = app;
  const idsOf = (role: Role) => own.flatMap((each) => (each.role === role ? [each.id] : []));
  const [rides, requests] = await Promise.all([
    store.ridesByIds(db, idsOf('driver')),
    store.requestsByIds(db, idsOf('passenger')),
  ]);
  const views = await loadViewContext(app, { rides, requests }, personId);
  const orders = new Map<string, OrderSummary>([
    ...rides.map((row) => [row.id, summaryOf(viewRide(views, row))] as const),
    ...requests.map((row) => [row.id, summaryOf(viewRequest(views, row))] as const),
  ]);
  return own.flatMap(({ id }) => orders.get(id) ?? []);
}

/** One of the viewer's own orders in a list. */
const summaryOf = (order: Order): OrderSummary =>
  order.role === 'driver' ? ofRide(order) : ofRequest(order);

function common(order: Order) {
  const { id, orderNumber, label, stage, from, to, timeZone, eventName, seats, nextAction } = order;
  return { id, orderNumber, label, stage, from, to, timeZone, eventName, seats, nextAction };
}

const ofRide = (ride: Ride): OrderSummary => ({
  ...common(ride),
  role: 'driver',
  rideId: ride.id,
  departsAt: ride.departsAt,
  startsAt: ride.departsAt,
  startsBy: null,
  arrivesAt: ride.arrivesAt,
  seatsFree: ride.seatsFree,
  price: { cents: ride.costCents, leastCents: null, kind: ride.priceKind },
  driver: null,
  passengers: ride.passengers,
});

function ofRequest(request: Request): OrderSummary {
  const booking = seatedBooking(request.bookings);
  const { ride } = request;
  const shared = {
    ...common(request),
    role: 'passenger' as const,
    seatsFree: null,
    rideId: ride?.id ?? null,
    departsAt: ride?.departsAt ?? null,
    driver: ride?.driver ?? null,
    passengers: [],
  };
  if (booking !== undefined && ride !== null)
    return {
      ...shared,
      startsAt: booking.pickup.at,
      startsBy: null,
      arrivesAt: booking.dropoff.at,
      price: priceOf(booking, ride),
    };
  return {
    ...shared,
    startsAt: request.earliestAt,
    startsBy: request.latestAt,
    arrivesAt: null,
    price: { cents: request.offerCents, leastCents: null, kind: 'offer' },
  };
}

const priceOf = (booking: Booking, ride: Ride): OrderSummary['price'] => ({
  cents: shareOf(booking),
  leastCents: leastOf(booking).leastCents ?? null,
  kind: shareIs(booking, ride.priceKind),
});

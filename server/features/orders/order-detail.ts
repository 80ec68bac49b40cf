import type { OutputOf } from '#contract/define.ts';
import type * as calls from '#contract/rides/endpoints.ts';
import type { Order } from '#contract/rides/views.ts';
import { seatedStates } from '#contract/rides/moves.ts';
import type { App } from '../../app-type.ts';
import { movedOn } from '../../platform/refusal.ts';
import { trafficPermilleAt } from '../geo/service.ts';
import { peopleByIds, contactDetailsOf } from '../identity/service.ts';
import { viewFound, viewOrder, visibleOrder, type FoundOrder } from './order-views.ts';
import { inWholeSteps, routeThrough } from './quotes.ts';
import { pairOfOrder } from './recurring/read-recurring.ts';
import { calendarFile } from './rules/calendar.ts';
import * as store from './store.ts';

/**
 * One order that the viewer may see, with its route, the proposed route, and the order published together
 * with it. Refuses `order.notFound`.
 */
export async function orderDetail(
  app: App,
  idOrNumber: string,
  viewerId: string,
): Promise<OutputOf<typeof calls.orderDetail>> {
  const { db } = app;
  const found = await visibleOrder(app, idOrNumber, viewerId);
  const order = await viewFound(app, found, viewerId);
  const routes = routesOf(app, found, order);
  const { role } = order;
  const { pairedId, series } = await pairOfOrder(db, role, 'ride' in found ? found.ride : found.request);
  const maySee = role === 'driver' ? store.maySeeRide : store.maySeeRequest;
  const isShown = pairedId !== null && (await maySee(db, pairedId, viewerId));
  return {
    order,
    ...routes,
    paired: isShown ? await viewOrder(app, pairedId, viewerId) : null,
    series: order.mine ? series : null,
  };
}

/** The line of an order's route, and of the route that its driver proposes. */
function routesOf(
  app: App,
  found: FoundOrder,
  order: Order,
): Pick<OutputOf<typeof calls.orderDetail>, 'route' | 'proposedRoute'> {
  const points = order.role === 'driver' ? order.stops : [order.from, order.to];
  const trafficPermille =
    'ride' in found
      ? found.ride.trafficPermille
      : trafficPermilleAt(
          app,
          { lon: found.request.fromLon, lat: found.request.fromLat },
          found.request.latestAt,
        );
  const route = asFarAsShown(routeThrough(app, points, trafficPermille), order);
  const change = order.role === 'driver' ? order.change : null;
  if (change === null || change.way === null) return { route, proposedRoute: null };
  const { from, stops } = change.way;
  const proposedPermille = trafficPermilleAt(app, from, new Date(change.departsAt));
  return { route, proposedRoute: asFarAsShown(routeThrough(app, stops, proposedPermille), order) };
}

/** A route between rounded places is shown in whole minutes and hundreds of meters. */
const asFarAsShown = <R extends { seconds: number; metres: number }>(
  route: R | null,
  { from }: Pick<Order, 'from'>,
): R | null => (route === null || !from.approximate ? route : inWholeSteps(route));

/**
 * The history of an order, oldest first; a passenger sees the ride's moves and their own. Refuses
 * `order.notFound`.
 */
export async function orderTimeline(
  app: App,
  id: string,
  viewerId: string,
): Promise<OutputOf<typeof calls.orderTimeline>> {
  const { db } = app;
  const found = await visibleOrder(app, id, viewerId);
  const rows =
    'ride' in found
      ? await store.historyOf(db, { rideId: found.ride.id })
      : await store.historyOf(db, { requestId: found.request.id });
  const ofBookings = await store.bookingsByIds(
    db,
    rows.flatMap((row) => (row.thing === 'booking' ? row.thingId : [])),
  );
  const bookings = new Map(ofBookings.map((booking) => [booking.id, booking]));
  const visible = rows.filter((row) => {
    if (row.thing !== 'booking') return true;
    const booking = bookings.get(row.thingId);
    return booking !== undefined && (booking.driverId === viewerId || booking.passengerId === viewerId);
  });
  const people = await peopleByIds(app, [
    ...new Set([
      ...visible.flatMap((row) => row.actorId ?? []),
      ...ofBookings.map((booking) => booking.passengerId),
    ]),
  ]);
  return {
    entries: visible.map((row) => ({
      at: row.at.toISOString(),
      thing: row.thing,
      move: row.move,
      to: row.toState as never,
      actor: row.actor,
      // An admin acts in the name of the app.
      actorName: row.actorId === null || row.actor === 'admin' ? '' : (people.get(row.actorId)?.name ?? ''),
      passengerName:
        row.thing === 'booking' ? (people.get(bookings.get(row.thingId)?.passengerId ?? '')?.name ?? '') : '',
      note: row.note,
    })),
  };
}

const held: readonly string[] = [...seatedStates, 'finished'];

/** A ride as a calendar file: the driver's whole route, or a passenger's part of it. */
export async function calendarOf(
  app: App,
  id: string,
  personId: string,
): Promise<{ fileName: string; text: string }> {
  const order = await viewOrder(app, id, personId);
  const drives = order.role === 'driver' && order.mine;
  const place = drives ? undefined : order.bookings.find(({ state }) => held.includes(state));
  if (!drives && (place === undefined || (order.role === 'passenger' && !order.mine)))
    throw movedOn(
      'order.notJoined',
      'You don’t have a seat in this ride, so there’s nothing to add to your calendar.',
    );
  // The ride's timeline, so that the sequence is the same whether the ride or the request is exported.
  const { entries } = await orderTimeline(app, place?.rideId ?? order.id, personId);
  const language = (await contactDetailsOf(app, [personId])).get(personId)?.language ?? 'en';
  const [from, to] = place === undefined ? [order.from, order.to] : [place.pickup, place.dropoff];
  const [startsAt, endsAt] =
    place === undefined && order.role === 'driver'
      ? [order.departsAt, order.arrivesAt]
      : [place!.pickup.at, place!.dropoff.at];
  const url = `${app.env.publicUrl}/pages/order/detail?id=${order.id}`;
  const way = `${from.name} → ${to.name}`;
  const text = calendarFile({
    uid: `${place?.id ?? order.id}@sameway`,
    // Every move and edit adds an entry to the timeline, and none is ever removed.
    sequence: entries.length,
    writtenAt: app.clock.now(),
    startsAt: new Date(startsAt),
    endsAt: new Date(endsAt),
    timeZone: order.timeZone,
    summary: language === 'zh' ? `顺路：${way}` : `Sameway: ${way}`,
    location: [from.name, from.detail].filter(Boolean).join(', '),
    description: [order.orderNumber, order.note, url].filter(Boolean).join('\n'),
    url,
    isCancelled: drives && order.state === 'cancel',
  });
  return { fileName: `${order.orderNumber}.ics`, text };
}

import type { OutputOf } from '#contract/define.ts';
import type * as calls from '#contract/rides/endpoints.ts';
import type { Order } from '#contract/rides/views.ts';
import type { App } from '../../app-type.ts';
import { trafficPermilleAt } from '../geo/service.ts';
import { viewFound, viewOrder } from './order-views.ts';
import { inWholeSteps, routeThrough } from './quotes.ts';
import { pairOfOrder } from './recurring/pair-of-order.ts';
import * as store from './store.ts';
import { visibleOrder, type FoundOrder } from './visible-order.ts';

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

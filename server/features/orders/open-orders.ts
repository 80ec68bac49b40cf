import type { OutputOf } from '#contract/define.ts';
import type * as calls from '#contract/rides/endpoints.ts';
import type { App } from '../../app-type.ts';
import * as open from './open/queries.ts';
import { requestsByIds, ridesByIds } from './store.ts';
import { loadViewContext } from './view-context.ts';
import { viewRequest, viewRide } from './view.ts';

const pageSize = 20;

interface Query {
  role?: 'driver' | 'passenger' | undefined;
  offset: number;
}

/** Open rides and requests around a point that the viewer may see, soonest first. */
export async function openOrdersNear(
  app: App,
  at: { lon: number; lat: number },
  viewerId: string | null,
  { role, offset }: Query,
): Promise<OutputOf<typeof calls.discover>> {
  const { db, clock } = app;
  const listed = await open.openOrdersNear(db, at, { viewerId, role, now: clock.now() });
  return viewPage(app, listed, viewerId, offset);
}

/** Open rides and requests of the viewer's contacts that the viewer may see, soonest first. */
export async function openOrdersOfContacts(
  app: App,
  viewerId: string,
  { role, offset }: Query,
): Promise<OutputOf<typeof calls.discover>> {
  const { db, clock } = app;
  const listed = await open.openOrdersOfContacts(db, { viewerId, role, now: clock.now() });
  return viewPage(app, listed, viewerId, offset);
}

/** One page of some orders, in their order. */
async function viewPage(
  app: App,
  listed: readonly open.ListedOrder[],
  viewerId: string | null,
  offset: number,
): Promise<OutputOf<typeof calls.discover>> {
  const { db } = app;
  const page = listed.slice(offset, offset + pageSize);
  const idsOf = (role: Query['role']) => page.flatMap((each) => (each.role === role ? each.id : []));
  const [rides, requests] = await Promise.all([
    ridesByIds(db, idsOf('driver')),
    requestsByIds(db, idsOf('passenger')),
  ]);
  const views = await loadViewContext(app, { rides, requests }, viewerId);
  const rideOf = new Map(rides.map((row) => [row.id, row]));
  const requestOf = new Map(requests.map((row) => [row.id, row]));
  const orders: OutputOf<typeof calls.discover>['orders'] = [];
  // One that is erased meanwhile is left out.
  for (const { id } of page) {
    const [ride, request] = [rideOf.get(id), requestOf.get(id)];
    if (ride !== undefined) orders.push(viewRide(views, ride));
    if (request !== undefined) orders.push(viewRequest(views, request));
  }
  return { orders, total: listed.length };
}

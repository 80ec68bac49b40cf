import type { OutputOf } from '#contract/define.ts';
import type * as calls from '#contract/rides/endpoints.ts';
import { stages, type Stage } from '#contract/rides/moves.ts';
import type { Order } from '#contract/rides/views.ts';
import type { ReadContext } from './context.ts';
import { requestViews, rideViews } from './order-views.ts';
import * as store from './store.ts';
import { loadViewContext } from './view-context.ts';
import { viewRequest, viewRide } from './view.ts';

const pageSize = 20;

const timeOf = (order: Order): number =>
  Date.parse(order.role === 'driver' ? order.departsAt : order.earliestAt);

/** Coming orders soonest first, then past ones latest first. */
const byStageAndTime = (a: Order, b: Order): number =>
  a.stage === 'Completed' && b.stage === 'Completed'
    ? timeOf(b) - timeOf(a)
    : Number(a.stage === 'Completed') - Number(b.stage === 'Completed') || timeOf(a) - timeOf(b);

/** A person's orders of one stage and role, coming before past; and the number of orders in each stage. */
export async function listOrders(
  context: ReadContext,
  personId: string,
  query: { stage?: Stage | undefined; role?: 'driver' | 'passenger' | undefined; offset: number },
): Promise<OutputOf<typeof calls.listOrders>> {
  const { db } = context.platform;
  const [rideRows, requestRows] = await Promise.all([
    store.ridesOfDriver(db, personId),
    store.requestsOfPassenger(db, personId),
  ]);
  const views = await loadViewContext(context, rideRows, requestRows, personId);
  const orders: Order[] = [
    ...(query.role === 'passenger' ? [] : rideRows.map((row) => viewRide(views, row))),
    ...(query.role === 'driver' ? [] : requestRows.map((row) => viewRequest(views, row))),
  ];
  const counts = Object.fromEntries(
    stages.map((stage) => [stage, orders.filter((order) => order.stage === stage).length]),
  ) as Record<Stage, number>;
  const shown = query.stage === undefined ? orders : orders.filter((order) => order.stage === query.stage);
  const page = shown.toSorted(byStageAndTime).slice(query.offset, query.offset + pageSize);
  return { orders: page, total: shown.length, counts };
}

/** The order of a role that is under way, else the next one; null where there is none. */
export async function nextOrder(
  context: ReadContext,
  personId: string,
  role: 'driver' | 'passenger',
): Promise<Order | null> {
  const { db } = context.platform;
  const views: Order[] =
    role === 'driver'
      ? await rideViews(context, await store.ridesOfDriver(db, personId), personId)
      : await requestViews(context, await store.requestsOfPassenger(db, personId), personId);
  const open = views.filter((order) => order.stage !== 'Completed');
  const underWay = (order: Order) => (order.stage === 'In Progress' ? 0 : 1);
  return open.toSorted((a, b) => underWay(a) - underWay(b) || timeOf(a) - timeOf(b))[0] ?? null;
}

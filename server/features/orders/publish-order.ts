import { randomUUID } from 'node:crypto';
import { maxOpenOrders } from '#contract/units.ts';
import type { Db } from '../../platform/database/db.ts';
import type { OrderContext } from './context.ts';
import { checkAudience, checkEvent, checkVehicle, checkWomen, overlap, tooManyOpen } from './order-checks.ts';
import { checkBack, detailsOf, ofBack, under, type RequestInput, type RideInput } from './order-input.ts';
import { soundRequest, soundRide, timeOf } from './sound-order.ts';
import * as store from './store.ts';
import { unitOf, type OrderUnit } from './unit/order-unit.ts';

/** Where an order is published: in its own transaction, or in its caller's. */
export type Within = <T>(work: (tx: Db) => Promise<T>) => Promise<T>;

/** What an order belongs to: its pair of outbound and return, its recurring ride. */
interface Together {
  pairId?: string;
  seriesId?: string;
}

interface Publishing {
  within: Within;
  together: Together;
}

/** An order, and what its transaction held at its end, for the answer; null where it has been done before. */
export type Published = ({ ride: store.RideRow } | { request: store.RequestRow }) & {
  held: OrderUnit | null;
};

/** Publishes an order, in its own transaction or its caller's. Refusals name the field. */
export async function publishOrder(
  context: OrderContext,
  personId: string,
  order: RideInput | RequestInput,
  { within = context.platform.transact, together = {} }: Partial<Publishing> = {},
): Promise<Published> {
  await checkEvent(context, personId, order.eventId);
  return write(context, personId, order, { within, together });
}

/**
 * Publishes outbound and return order, both or neither. Refusals of the return order name fields under
 * `back.`.
 */
export async function publishPair(
  context: OrderContext,
  personId: string,
  order: RideInput | RequestInput,
  back: RideInput | RequestInput,
): Promise<{ order: Published; back: Published }> {
  checkBack(
    { role: order.role, taken: timeOf(context, order) },
    { role: back.role, taken: await ofBack(() => timeOf(context, back)) },
  );
  await checkEvent(context, personId, order.eventId);
  await ofBack(() => checkEvent(context, personId, back.eventId));
  return context.platform.transact(async (tx) => {
    const how: Publishing = { within: (work) => work(tx), together: { pairId: randomUUID() } };
    return {
      order: await write(context, personId, order, how),
      back: await ofBack(() => write(context, personId, back, how)),
    };
  });
}

/**
 * Publishes a person's orders to and from an event, all or none. The caller has checked that the person may
 * see the event. Refusals name the field under `orders.0.`, `orders.1.`
 */
export const publishToEvent = (
  context: OrderContext,
  personId: string,
  orders: readonly (RideInput | RequestInput)[],
): Promise<Published[]> =>
  context.platform.transact(async (tx) => {
    const together = orders.length > 1 ? { pairId: randomUUID() } : {};
    const how: Publishing = { within: (work) => work(tx), together };
    const published: Published[] = [];
    for (const [index, order] of orders.entries())
      published.push(await under(`orders.${index}`, () => write(context, personId, order, how)));
    return published;
  });

/** Checks an order and writes it; the caller has checked that its owner may see its event. */
const write = async (
  context: OrderContext,
  personId: string,
  order: RideInput | RequestInput,
  how: Publishing,
): Promise<Published> =>
  order.role === 'driver'
    ? writeRide(context, personId, order, how)
    : writeRequest(context, personId, order, how);

async function writeRide(
  context: OrderContext,
  driverId: string,
  order: RideInput,
  { within, together }: Publishing,
): Promise<Published> {
  const { columns, plan, taken } = soundRide(context, order);
  await checkWomen(context, driverId, order.preferences, 'order.preferences.women');
  const id = randomUUID();
  let held: OrderUnit | null = null;
  const ride = await within(async (tx) => {
    await checkVehicle(context, tx, driverId, order);
    await checkAudience(tx, driverId, order);
    const place = { id, personId: driverId, field: 'order.departsAt' };
    const published = await context.moves.publishRide(tx, {
      id,
      orderNumber: await takePlace(tx, place, taken, together),
      ...columns,
      ...detailsOf(order),
      ...together,
      regionId: context.geo.regionIdAt(order.from),
      driverId,
      state: 'matching',
      seats: order.seats,
      vehicleId: order.vehicleId,
      instant: order.instant,
      createdAt: context.platform.clock.now(),
    });
    await store.savePlan(tx, id, plan);
    held = unitOf(tx);
    return published;
  });
  return { ride, held };
}

async function writeRequest(
  context: OrderContext,
  passengerId: string,
  order: RequestInput,
  { within, together }: Publishing,
): Promise<Published> {
  const { columns, taken } = soundRequest(context, order);
  await checkWomen(context, passengerId, order.preferences, 'order.preferences.women');
  const id = randomUUID();
  let held: OrderUnit | null = null;
  const request = await within(async (tx) => {
    await checkAudience(tx, passengerId, order);
    const place = { id, personId: passengerId, field: 'order.earliestAt' };
    const published = await context.moves.publishRequest(tx, {
      id,
      orderNumber: await takePlace(tx, place, taken, together),
      ...columns,
      ...detailsOf(order),
      ...together,
      regionId: context.geo.regionIdAt(order.from),
      passengerId,
      state: 'matching',
      createdAt: context.platform.clock.now(),
    });
    held = unitOf(tx);
    return published;
  });
  return { request, held };
}

/**
 * Checks an order against the person's others: not too many (a recurring ride counts once), no overlap in
 * time. Returns its number.
 */
async function takePlace(
  tx: Db,
  order: { id: string; personId: string; field: string },
  taken: { from: Date; to: Date },
  { seriesId }: Together,
): Promise<string> {
  const mostOpen = seriesId === undefined ? maxOpenOrders : null;
  const { id, personId, field } = order;
  const place = await store.takePlace(tx, { id, personId, ...taken, mostOpen });
  if (place === 'tooMany') throw tooManyOpen();
  if (place === 'overlap') throw overlap(field);
  return place.orderNumber;
}

import { randomUUID } from 'node:crypto';
import { maxOpenOrders } from '#contract/units.ts';
import type { App } from '../../app-type.ts';
import { Refusal } from '../../platform/refusal.ts';
import { regionIdAt } from '../geo/service.ts';
import { changeOrders, type LockedOrders } from './aggregate/locked-orders.ts';
import { publishRide, publishRequest } from './decide/moves.ts';
import { checkEvent, checkOwned, checkWomen, overlap, tooManyOpen } from './order-checks.ts';
import { checkBack, detailsOf, ofBack, under, type RequestInput, type RideInput } from './order-input.ts';
import { soundRequest, soundRide, timeOf } from './sound-order.ts';
import * as store from './store.ts';

/** The group of an order: its pair of outbound and return, its recurring ride. */
interface Together {
  pairId?: string;
  recurringId?: string;
}

/** The row of an order that has been published. */
export type WrittenOrder = { ride: store.RideRow } | { request: store.RequestRow };

/** Publishes an order. Refusals name the field. */
export async function publishOrder(
  app: App,
  personId: string,
  order: RideInput | RequestInput,
): Promise<WrittenOrder> {
  await checkEvent(app, personId, order.eventId);
  const prepared = await prepareAlone(app, personId, order, {});
  return inTurn(app, personId, (locked) => writePrepared(app, locked, personId, { order, prepared }));
}

/** A transaction that publishes orders of a person, which wait for each other without a connection. */
const inTurn = <T>(app: App, personId: string, work: (locked: LockedOrders) => Promise<T>): Promise<T> =>
  changeOrders(app, 'publish order', work, `orders of ${personId}`);

/**
 * Publishes outbound and return order, both or neither. Refusals of the return order name fields under
 * `back.`.
 */
export async function publishPair(
  app: App,
  personId: string,
  order: RideInput | RequestInput,
  back: RideInput | RequestInput,
): Promise<{ order: WrittenOrder; back: WrittenOrder }> {
  checkBack(
    { role: order.role, taken: timeOf(app, order) },
    { role: back.role, taken: await ofBack(() => timeOf(app, back)) },
  );
  await checkEvent(app, personId, order.eventId);
  await ofBack(() => checkEvent(app, personId, back.eventId));
  return inTurn(app, personId, async (locked) => {
    const together = { pairId: randomUUID() };
    return {
      order: await write(app, locked, personId, { order, together }),
      back: await ofBack(() => write(app, locked, personId, { order: back, together })),
    };
  });
}

/**
 * Publishes a person's orders to and from an event, all or none. The caller has checked that the person may
 * see the event. Refusals name the field under `orders.0.`, `orders.1.`
 */
export async function publishToEvent(
  app: App,
  personId: string,
  orders: readonly (RideInput | RequestInput)[],
): Promise<WrittenOrder[]> {
  return inTurn(app, personId, async (locked) => {
    const together = orders.length > 1 ? { pairId: randomUUID() } : {};
    const written: WrittenOrder[] = [];
    for (const [index, order] of orders.entries())
      written.push(await under(`orders.${index}`, () => write(app, locked, personId, { order, together })));
    return written;
  });
}

/**
 * Publishes orders of a recurring ride, which differ in their times alone: each one, or why it cannot be
 * published. They take their places by one statement, and are written together.
 */
export async function publishDays(
  app: App,
  locked: LockedOrders,
  personId: string,
  { orders, recurringId }: { orders: readonly (RideInput | RequestInput)[]; recurringId: string },
): Promise<(WrittenOrder | Refusal)[]> {
  const [first] = orders;
  if (first === undefined) return [];
  const prepared = await Promise.all(
    orders.map((order) => orRefusal(() => prepare(app, personId, order, { recurringId }))),
  );
  const refusal = await orRefusal(async () => {
    await checkWomen(app, personId, first.preferences, 'order.preferences.women');
    await checkOwned(app, locked, personId, first);
    return null;
  });
  const sound = prepared.flatMap((each) => (each instanceof Refusal ? [] : [each]));
  const places =
    refusal !== null || sound.length === 0
      ? []
      : await store.takePlaces(await locked.db(), { personId, orders: sound, mostOpen: null });
  const placeOf = new Map(sound.map(({ id }, index) => [id, places[index]]));
  // A refused place has changed nothing, and nothing is refused after it: no day takes another one back.
  const published: (WrittenOrder | Refusal)[] = [];
  for (const each of prepared) {
    if (each instanceof Refusal) published.push(each);
    else published.push(refusal ?? (await orRefusal(() => publishAt(locked, each, placeOf.get(each.id)!))));
  }
  return published;
}

/** The result of work, or the refusal that it throws. */
const orRefusal = async <T>(work: () => T | Promise<T>): Promise<T | Refusal> => {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
};

/** Checks an order and writes it; the caller has checked that its owner may see its event. */
async function write(
  app: App,
  locked: LockedOrders,
  personId: string,
  { order, together }: { order: RideInput | RequestInput; together: Together },
): Promise<WrittenOrder> {
  const prepared = await prepareAlone(app, personId, order, together);
  return writePrepared(app, locked, personId, { order, prepared });
}

/** Checks what concerns an order itself; it needs no transaction. */
async function prepareAlone(
  app: App,
  personId: string,
  order: RideInput | RequestInput,
  together: Together,
): Promise<Prepared> {
  const prepared = prepare(app, personId, order, together);
  await checkWomen(app, personId, order.preferences, 'order.preferences.women');
  return prepared;
}

/** Reserves a slot for an order among its owner's others, and writes it. */
async function writePrepared(
  app: App,
  locked: LockedOrders,
  personId: string,
  { order, prepared }: { order: RideInput | RequestInput; prepared: Prepared },
): Promise<WrittenOrder> {
  await checkOwned(app, locked, personId, order);
  const [place] = await store.takePlaces(await locked.db(), {
    personId,
    orders: [prepared],
    mostOpen: maxOpenOrders,
  });
  return publishAt(locked, prepared, place!);
}

/** A sound order that needs a place among its owner's others. */
interface Prepared extends store.NewOrder {
  /** The field of its time. */
  field: string;
  publish: (locked: LockedOrders, orderNumber: string) => Promise<WrittenOrder>;
}

const prepare = (app: App, personId: string, order: RideInput | RequestInput, together: Together): Prepared =>
  order.role === 'driver'
    ? prepareRide(app, personId, order, together)
    : prepareRequest(app, personId, order, together);

/** The columns of a new ride that a new request has too. */
const newColumns = (app: App, order: RideInput | RequestInput, together: Together) => ({
  ...detailsOf(order),
  ...together,
  regionId: regionIdAt(app, order.from),
  state: 'matching' as const,
  createdAt: app.clock.now(),
});

function prepareRide(app: App, driverId: string, order: RideInput, together: Together): Prepared {
  const { columns, plan, taken } = soundRide(app, order);
  const id = randomUUID();
  return {
    id,
    ...taken,
    field: 'order.departsAt',
    async publish(locked, orderNumber) {
      const ride = publishRide(app, locked, {
        id,
        orderNumber,
        ...columns,
        ...newColumns(app, order, together),
        driverId,
        seats: order.seats,
        vehicleId: order.vehicleId,
        instant: order.instant,
      });
      locked.savePlan(id, plan);
      return { ride };
    },
  };
}

function prepareRequest(app: App, passengerId: string, order: RequestInput, together: Together): Prepared {
  const { columns, taken } = soundRequest(app, order);
  const id = randomUUID();
  return {
    id,
    ...taken,
    field: 'order.earliestAt',
    async publish(locked, orderNumber) {
      const request = publishRequest(app, locked, {
        id,
        orderNumber,
        ...columns,
        ...newColumns(app, order, together),
        passengerId,
      });
      return { request };
    },
  };
}

/**
 * Publishes an order at its place. Refuses too many orders (a recurring ride counts once), and an overlap in
 * time.
 */
async function publishAt(
  locked: LockedOrders,
  { field, publish }: Prepared,
  place: store.Place,
): Promise<WrittenOrder> {
  if (place === 'tooMany') throw tooManyOpen();
  if (place === 'overlap') throw overlap(field);
  return publish(locked, place.orderNumber);
}

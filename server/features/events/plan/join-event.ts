import type { z } from 'zod';
import type { OutputOf } from '#contract/define.ts';
import type * as calls from '#contract/events/endpoints.ts';
import type { EventWay } from '#contract/events/plan.ts';
import { noPreferences } from '#contract/rides/preferences.ts';
import type { App } from '../../../app-type.ts';
import { Refusal, refuseField } from '../../../platform/refusal.ts';
import { createOrdersToEvent, type RequestInput, type RideInput } from '../../orders/service.ts';
import { visibleEvent, checkStands } from '../calendar/read-events.ts';

type DriverInput = z.output<(typeof calls.joinAsDriver)['input']>;
type PassengerInput = z.output<(typeof calls.joinAsPassenger)['input']>;
type Joined = OutputOf<typeof calls.joinAsDriver>;

/**
 * Travels to an event as a driver: ordinary rides linked to it, there and back, published together or not at
 * all. Refuses `event.notFound`, `event.over`, and invalid input by its field.
 */
export async function joinAsDriver(app: App, driverId: string, input: DriverInput): Promise<Joined> {
  const { shared, ends } = await commonFields(app, driverId, input);
  const ways = waysOf(input);
  const orders = ways.map((way): RideInput => {
    const { vehicleId, priceKind, costCents, maxDetourMinutes, instant } = input;
    const terms = { vehicleId, priceKind, costCents, maxDetourMinutes, instant };
    return { role: 'driver', ...shared, ...ends(way), via: [], ...terms, ...input[way]! };
  });
  return publish(app, driverId, ways, orders);
}

/** Travels to an event as a passenger: as `joinAsDriver`, with requests. */
export async function joinAsPassenger(app: App, passengerId: string, input: PassengerInput): Promise<Joined> {
  const { shared, ends } = await commonFields(app, passengerId, input);
  const ways = waysOf(input);
  const orders = ways.map((way): RequestInput => {
    const { offerCents, walkMetres } = input;
    return { role: 'passenger', ...shared, ...ends(way), offerCents, walkMetres, ...input[way]! };
  });
  return publish(app, passengerId, ways, orders);
}

/**
 * The common fields of the orders there and back, and their ends. Refuses an event that is over or that this
 * person may not see.
 */
async function commonFields(app: App, personId: string, input: DriverInput | PassengerInput) {
  const event = await visibleEvent(app, input.id, personId, input.token);
  checkStands(app, event);
  const at = { name: event.atName, detail: event.atDetail, lon: event.atLon, lat: event.atLat };
  const { from: home, seats, visibility, contactWith, id: eventId } = input;
  const shared = {
    seats,
    visibility,
    contactWith,
    eventId,
    tagIds: [],
    note: '',
    flightNumber: '',
    preferences: noPreferences,
  };
  const ends = (way: EventWay) => (way === 'there' ? { from: home, to: at } : { from: at, to: home });
  return { shared, ends };
}

/** Publishes the orders; a refusal names the fields of the call. */
async function publish(
  app: App,
  personId: string,
  ways: readonly EventWay[],
  orders: readonly RideInput[] | readonly RequestInput[],
): Promise<Joined> {
  if (ways.length === 0) throw refuseField('event.noWay', 'there', 'Please choose outbound, return or both.');
  try {
    return { orders: await createOrdersToEvent(app, personId, orders) };
  } catch (error) {
    const fields: unknown = error instanceof Refusal ? error.data?.['fields'] : undefined;
    if (!(error instanceof Refusal) || typeof fields !== 'object' || fields === null) throw error;
    const named = Object.entries(fields).map(([field, words]) => [fieldOf(field, ways), words]);
    const data = { ...error.data, fields: Object.fromEntries(named) as unknown };
    throw new Refusal(error.reason, error.message, { code: error.code, data });
  }
}

const waysOf = (input: DriverInput | PassengerInput): EventWay[] =>
  (['there', 'back'] as const).filter((way) => input[way] !== null);

const ownToAWay = ['departsAt', 'flexMinutes', 'earliestAt', 'latestAt'];

/** `orders.1.departsAt` is `back.departsAt`; the home end of either direction is `from`. */
function fieldOf(field: string, ways: readonly EventWay[]): string {
  const [, at = '0', name = ''] = /^orders\.(\d+)\.(.+)$/.exec(field) ?? [];
  const way = ways[Number(at)] ?? 'there';
  if (name === '') return way;
  if (ownToAWay.includes(name)) return `${way}.${name}`;
  return name === 'to' ? 'from' : name;
}

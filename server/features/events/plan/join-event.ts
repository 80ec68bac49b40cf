import type { OutputOf } from '#contract/define.ts';
import type { z } from 'zod';
import type { joinAsDriver, joinAsPassenger } from '#contract/events/endpoints.ts';
import type { EventWay } from '#contract/events/plan.ts';
import { noPreferences } from '#contract/rides/preferences.ts';
import { Refusal, refuseField } from '../../../platform/refusal.ts';
import type { EventCalendar } from '../calendar/service.ts';
import type { RequestInput, RideInput, OrdersService } from '../../orders/service.ts';

type DriverInput = z.output<(typeof joinAsDriver)['input']>;
type PassengerInput = z.output<(typeof joinAsPassenger)['input']>;
type Joined = OutputOf<typeof joinAsDriver>;

/** Traveling to an event: ordinary rides and requests that know of it, there and back, published together or not at all. */
export function createPlanBookings(features: { events: EventCalendar; rides: OrdersService }) {
  const { events, rides } = features;

  /** The ends and what the orders of both ways have in common. Refuses what is over, or not for this person to see. */
  async function common(personId: string, input: DriverInput | PassengerInput) {
    const event = await events.seen(input.id, personId, input.token);
    events.checkStands(event);
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

  /** Publishes them; a refusal names the fields of the call. */
  async function publish(
    personId: string,
    ways: readonly EventWay[],
    orders: readonly RideInput[] | readonly RequestInput[],
  ): Promise<Joined> {
    if (ways.length === 0) throw refuseField('event.noWay', 'there', 'Please choose there, back, or both.');
    try {
      return { orders: await rides.createToEvent(personId, orders) };
    } catch (error) {
      const fields: unknown = error instanceof Refusal ? error.data?.['fields'] : undefined;
      if (!(error instanceof Refusal) || typeof fields !== 'object' || fields === null) throw error;
      const named = Object.entries(fields).map(([field, words]) => [fieldOf(field, ways), words]);
      const data = { ...error.data, fields: Object.fromEntries(named) as unknown };
      throw new Refusal(error.reason, error.message, { code: error.code, data });
    }
  }

  return {
    async joinAsDriver(driverId: string, input: DriverInput): Promise<Joined> {
      const { shared, ends } = await common(driverId, input);
      const ways = waysOf(input);
      const orders = ways.map((way): RideInput => {
        const { vehicleId, priceKind, costCents, maxDetourMinutes, instant } = input;
        const terms = { vehicleId, priceKind, costCents, maxDetourMinutes, instant };
        return { role: 'driver', ...shared, ...ends(way), via: [], ...terms, ...input[way]! };
      });
      return publish(driverId, ways, orders);
    },

    async joinAsPassenger(passengerId: string, input: PassengerInput): Promise<Joined> {
      const { shared, ends } = await common(passengerId, input);
      const ways = waysOf(input);
      const orders = ways.map((way): RequestInput => {
        const { offerCents, walkMetres } = input;
        return { role: 'passenger', ...shared, ...ends(way), offerCents, walkMetres, ...input[way]! };
      });
      return publish(passengerId, ways, orders);
    },
  };
}

const waysOf = (input: DriverInput | PassengerInput): EventWay[] =>
  (['there', 'back'] as const).filter((way) => input[way] !== null);

const ownToAWay = ['departsAt', 'flexMinutes', 'earliestAt', 'latestAt'];

/** `orders.1.departsAt` is `back.departsAt`; the home end of either way is `from`. */
function fieldOf(field: string, ways: readonly EventWay[]): string {
  const [, at = '0', name = ''] = /^orders\.(\d+)\.(.+)$/.exec(field) ?? [];
  const way = ways[Number(at)] ?? 'there';
  if (name === '') return way;
  if (ownToAWay.includes(name)) return `${way}.${name}`;
  return name === 'to' ? 'from' : name;
}

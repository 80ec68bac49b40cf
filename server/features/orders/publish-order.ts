import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import type * as calls from '#contract/rides/endpoints.ts';
import type { Preferences } from '#contract/rides/preferences.ts';
import { maxOpenOrders, isOfferTooLow, isPriceTooLow, planAheadDays } from '#contract/units.ts';
import { inTraffic } from '#roads/traffic.ts';
import type { Platform } from '../../platform/platform.ts';
import { dayMs, later, minuteMs } from '../../platform/clock.ts';
import { brokenConstraint, type Db } from '../../platform/database/db.ts';
import { Refusal, refuseField } from '../../platform/refusal.ts';
import type { EventDirectory } from './event-directory.ts';
import type { GeoService } from '../geo/service.ts';
import type { IdentityService } from '../identity/service.ts';
import {
  arriveByMs,
  defaultMaxDetourMs,
  planAlone,
  type MatchingService,
  type Via,
} from '../matching/service.ts';
import type { PaymentsService } from '../payments/service.ts';
import type { VehiclesService } from '../drivers/service.ts';
import type { Moves } from './moves.ts';
import { columnsOfEnds } from './rules/ends.ts';
import * as store from './store.ts';
import type { Quotes } from './quotes.ts';

export type RideInput = z.output<typeof calls.rideFields>;
export type RequestInput = z.output<typeof calls.requestFields>;

/** Publishing a ride or a request: every check of what a person entered, then one transaction. Editing makes the same checks. */
export function createPublishOrder(
  { transact, clock, env }: Platform,
  features: {
    geo: GeoService;
    identity: IdentityService;
    vehicles: VehiclesService;
    events: EventDirectory;
    matching: MatchingService;
    payments: PaymentsService;
  },
  moves: Moves,
  ways: Quotes,
) {
  const { geo, identity, vehicles, events, matching, payments } = features;
  const { locateLegs, locateWay } = ways;

  /** Refuses a time that is past, and one too far ahead. */
  function checkTime(at: Date, field: string): void {
    const now = clock.now();
    if (at <= now)
      throw refuseField('order.timePast', field, 'Please select a departure time in the future.');
    if (at.getTime() > now.getTime() + planAheadDays * dayMs) {
      throw refuseField(
        'order.timeTooFar',
        field,
        `Please select a time within the next ${planAheadDays} days.`,
      );
    }
  }

  /** Refuses more money than one payment may move. */
  function checkAmount(centsAsked: number, field: string): void {
    if (centsAsked > env.MAX_TRANSACTION_CENTS) {
      const amount = (env.MAX_TRANSACTION_CENTS / 100).toString();
      throw refuseField(
        'order.amountTooHigh',
        field,
        `The maximum transaction amount allowed is $${amount}.`,
        { amountCents: env.MAX_TRANSACTION_CENTS },
      );
    }
  }

  async function checkCircle(tx: Db, ownerId: string, order: RideInput | RequestInput): Promise<void> {
    const tagIds = [...new Set(order.tagIds)];
    if (order.visibility !== 'tags') return;
    if (tagIds.length === 0 || (await store.countOwnTags(tx, ownerId, tagIds)) !== tagIds.length) {
      throw refuseField('order.tagsMissing', 'order.tagIds', 'Please select at least one of your tags.');
    }
  }

  /** Women among themselves is for those whose own profile says female: why somebody else may not, or null. */
  async function womenRefusal(personId: string | null, wanted: Preferences, field: string) {
    return !wanted.women || (personId !== null && (await identity.isWoman(personId)))
      ? null
      : refuseField(
          'order.womenNotAllowed',
          field,
          'Riding among women is open to people whose own profile says female.',
        );
  }

  async function checkWomen(personId: string | null, wanted: Preferences, field: string): Promise<void> {
    const refusal = await womenRefusal(personId, wanted, field);
    if (refusal !== null) throw refusal;
  }

  async function checkEvent(personId: string, eventId: string | null): Promise<void> {
    if (eventId !== null && !(await events.exists(eventId, personId))) {
      throw refuseField('order.eventNotFound', 'order.eventId', 'This event could not be found.');
    }
  }

  /** Takes the person's time for an order, or moves what it has taken. Refuses what overlaps another order of theirs. */
  async function takeTime(
    tx: Db,
    order: { id: string; personId: string; field: string },
    taken: { from: Date; to: Date },
  ): Promise<void> {
    try {
      await tx.transaction((inner) => store.takeSpan(inner, order.id, order.personId, taken.from, taken.to));
    } catch (error) {
      if (brokenConstraint(error) !== 'order_spans_no_overlap') throw error;
      throw refuseField(
        'order.overlap',
        order.field,
        'There is an existing ride at the same departure time, so choose a different time.',
      );
    }
  }

  /** Refuses a price from a driver whom the card provider cannot pay. */
  async function checkAccount(tx: Db, driverId: string, costCents: number, field: string): Promise<void> {
    if (costCents === 0) return;
    if (!payments.terms.takesCards)
      throw refuseField('order.cardsOff', field, 'No card payments are taken here: the cost must be zero.');
    if (await payments.isAccountReady(tx, driverId)) return;
    throw refuseField(
      'order.accountNotReady',
      field,
      'The connected payment account is not ready: set it up in the payment menu or set the cost to zero.',
    );
  }

  async function checkCar(tx: Db, driverId: string, order: RideInput): Promise<void> {
    if (order.costCents > 0 && order.vehicleId === null) {
      throw refuseField('order.vehicleMissing', 'order.vehicleId', 'Please add a vehicle first.');
    }
    await checkAccount(tx, driverId, order.costCents, 'order.costCents');
    if (order.vehicleId === null) return;
    const vehicle = await vehicles.ownVehicle(tx, driverId, order.vehicleId);
    if (vehicle === null)
      throw refuseField('order.vehicleMissing', 'order.vehicleId', 'Please add a vehicle first.');
    if (order.seats > vehicle.seats) {
      throw refuseField(
        'order.moreSeatsThanVehicle',
        'order.seats',
        `This vehicle has ${vehicle.seats} passenger ${vehicle.seats === 1 ? 'seat' : 'seats'}.`,
      );
    }
  }

  /** Everything about a ride that is entered, checked against the roads and the prices: its columns, and its plan with nobody on board. */
  function soundRide(order: RideInput) {
    const departsAt = new Date(order.departsAt);
    checkTime(departsAt, 'order.departsAt');
    const { legs, estimated } = locateLegs(order, 'order.');
    if (isPriceTooLow(order.costCents)) {
      throw refuseField(
        'order.priceTooLow',
        'order.costCents',
        'Please ask for at least $0.50, or make the ride free.',
      );
    }
    checkAmount(order.costCents, 'order.costCents');
    const latestDepartsAt = later(departsAt, order.flexMinutes * minuteMs);
    const trafficPermille = geo.trafficPermilleAt(order.from, departsAt);
    const via = order.via.map(({ lon, lat }, index): Via => ({ lon, lat, drive: legs[index + 1]! }));
    const alone = planAlone({
      from: order.from,
      to: order.to,
      drive: legs[0]!,
      via,
      seats: order.seats,
      maxDetourMs: 0,
      earliestDepartsMs: departsAt.getTime(),
      latestDepartsMs: latestDepartsAt.getTime(),
      trafficPermille,
    });
    const maxDetourMs = maxDetourOf(order, alone.aloneMs);
    const plan = { ...alone, maxDetourMs };
    const columns = {
      ...columnsOfEnds(order),
      timeZone: geo.timeZoneAt(order.from.lon, order.from.lat),
      estimated,
      via: order.via,
      trafficPermille,
      driveMs: plan.aloneMs,
      driveMetres: legs.reduce((sum, leg) => sum + leg.metres, 0),
      earliestDepartsAt: departsAt,
      latestDepartsAt,
      departsAt,
      arrivesAt: later(departsAt, plan.aloneMs),
      priceKind: order.priceKind,
      costCents: order.costCents,
      maxDetourMs,
    };
    return { columns, plan, taken: { from: departsAt, to: later(latestDepartsAt, plan.aloneMs) } };
  }

  /** The same of a request. */
  function soundRequest(order: RequestInput) {
    const [earliestAt, latestAt] = [new Date(order.earliestAt), new Date(order.latestAt)];
    if (latestAt < earliestAt || latestAt.getTime() > earliestAt.getTime() + dayMs) {
      throw refuseField(
        'order.windowWrong',
        'order.latestAt',
        'Please select a time window of at most 24 hours.',
      );
    }
    checkTime(latestAt, 'order.latestAt');
    const { route, estimated } = locateWay(order.from, order.to, 'order.');
    if (order.offerCents !== null) {
      if (isOfferTooLow(order.offerCents)) {
        throw refuseField(
          'order.offerTooLow',
          'order.offerCents',
          'Please offer more than $5 per person to the driver.',
        );
      }
      checkAmount(order.offerCents * order.seats, 'order.offerCents');
    }
    // At the end of the window: from there on it is counted by when they are to arrive.
    const driveMs = inTraffic(route.milliseconds, geo.trafficPermilleAt(order.from, latestAt));
    const columns = {
      ...columnsOfEnds(order),
      timeZone: geo.timeZoneAt(order.from.lon, order.from.lat),
      estimated,
      driveMs,
      driveMetres: route.metres,
      seats: order.seats,
      earliestAt,
      latestAt,
      arriveBy: new Date(arriveByMs(latestAt.getTime(), driveMs)),
      offerCents: order.offerCents,
      walkMetres: order.walkMetres,
      pickupSpots: matching.spotsNear(order.from, order.walkMetres),
      dropoffSpots: matching.spotsNear(order.to, order.walkMetres),
    };
    return { columns, taken: { from: earliestAt, to: later(latestAt, driveMs) } };
  }

  /** Refuses another order, or series, of somebody who has as many as a person may have. */
  async function checkRoom(tx: Db, personId: string): Promise<void> {
    await store.lockPerson(tx, personId);
    if ((await store.countOpenOrders(tx, personId)) >= maxOpenOrders) {
      throw refuseField(
        'order.tooMany',
        'order',
        `You have ${maxOpenOrders} open rides and requests. Please end one first.`,
      );
    }
  }

  /** Takes an order's place among a person's own: not too many (a series counts once), none at the same time. */
  async function takePlace(
    tx: Db,
    order: { id: string; personId: string; field: string },
    taken: { from: Date; to: Date },
    { seriesId }: Together,
  ): Promise<void> {
    if (seriesId === undefined) await checkRoom(tx, order.personId);
    else await store.lockPerson(tx, order.personId);
    await takeTime(tx, order, taken);
  }

  async function writeRide(
    driverId: string,
    order: RideInput,
    within: Within,
    together: Together,
  ): Promise<store.RideRow> {
    const { columns, plan, taken } = soundRide(order);
    await checkWomen(driverId, order.preferences, 'order.preferences.women');
    const id = randomUUID();
    return within(async (tx) => {
      await checkCar(tx, driverId, order);
      await checkCircle(tx, driverId, order);
      await takePlace(tx, { id, personId: driverId, field: 'order.departsAt' }, taken, together);
      const ride = await moves.publishRide(tx, {
        id,
        orderNumber: await store.takeOrderNumber(tx),
        ...columns,
        ...detailsOf(order),
        ...together,
        driverId,
        state: 'matching',
        seats: order.seats,
        vehicleId: order.vehicleId,
        instant: order.instant,
        createdAt: clock.now(),
      });
      await store.savePlan(tx, id, plan);
      return ride;
    });
  }

  async function writeRequest(
    passengerId: string,
    order: RequestInput,
    within: Within,
    together: Together,
  ): Promise<store.RequestRow> {
    const { columns, taken } = soundRequest(order);
    await checkWomen(passengerId, order.preferences, 'order.preferences.women');
    const id = randomUUID();
    return within(async (tx) => {
      await checkCircle(tx, passengerId, order);
      await takePlace(tx, { id, personId: passengerId, field: 'order.earliestAt' }, taken, together);
      return moves.publishRequest(tx, {
        id,
        orderNumber: await store.takeOrderNumber(tx),
        ...columns,
        ...detailsOf(order),
        ...together,
        passengerId,
        state: 'matching',
        createdAt: clock.now(),
      });
    });
  }

  /** Checks an order and writes it; that its event is one for its owner is known already. */
  const write = async (
    personId: string,
    order: RideInput | RequestInput,
    within: Within,
    together: Together,
  ): Promise<Published> =>
    order.role === 'driver'
      ? { ride: await writeRide(personId, order, within, together) }
      : { request: await writeRequest(personId, order, within, together) };

  /** Publishes an order: in a transaction of its own, or as a part of something greater. */
  async function publish(
    personId: string,
    order: RideInput | RequestInput,
    within: Within = transact,
    together: Together = {},
  ): Promise<Published> {
    await checkEvent(personId, order.eventId);
    return write(personId, order, within, together);
  }

  /** When an order takes its owner's time; refuses one that is not sound in itself. */
  const timeOf = (order: RideInput | RequestInput): { from: Date; to: Date } =>
    order.role === 'driver' ? soundRide(order).taken : soundRequest(order).taken;

  return {
    publish,
    timeOf,

    /** Publishes the way there and the way back, both or neither. Refusals of the way back name fields under `back.`. */
    async publishPair(
      personId: string,
      order: RideInput | RequestInput,
      back: RideInput | RequestInput,
    ): Promise<{ order: Published; back: Published }> {
      checkBack(
        { role: order.role, taken: timeOf(order) },
        { role: back.role, taken: await ofBack(() => timeOf(back)) },
      );
      await checkEvent(personId, order.eventId);
      await ofBack(() => checkEvent(personId, back.eventId));
      const together = { pairId: randomUUID() };
      return transact(async (tx) => {
        const within: Within = (work) => work(tx);
        return {
          order: await write(personId, order, within, together),
          back: await ofBack(() => write(personId, back, within, together)),
        };
      });
    },

    /**
     * Publishes a person's ways to an event and home, all or none. That the event is one for them is for the caller to
     * know. Refusals name the field under `orders.0.`, `orders.1.`
     */
    publishToEvent: (personId: string, orders: readonly (RideInput | RequestInput)[]): Promise<Published[]> =>
      transact(async (tx) => {
        const together = orders.length > 1 ? { pairId: randomUUID() } : {};
        const published: Published[] = [];
        for (const [at, order] of orders.entries())
          published.push(
            await under(`orders.${at}`, () => write(personId, order, (work) => work(tx), together)),
          );
        return published;
      }),

    checkRoom,
    checkTime,
    checkAmount,
    checkCar,
    checkAccount,
    checkCircle,
    checkEvent,
    checkWomen,
    womenRefusal,
    takeTime,
    soundRide,
    soundRequest,
  };
}

export type PublishOrder = ReturnType<typeof createPublishOrder>;

/** Where an order is published: a transaction of its own, or one that it is a part of. */
export type Within = <T>(work: (tx: Db) => Promise<T>) => Promise<T>;

/** What an order belongs to: its way there and back, its series. */
export interface Together {
  pairId?: string;
  seriesId?: string;
}

export type Published = { ride: store.RideRow } | { request: store.RequestRow };

interface Way {
  role: 'driver' | 'passenger';
  taken: { from: Date; to: Date };
}

/** Refuses a way back in another role, and one that begins while its owner may still be on the way there. */
export function checkBack(there: Way, back: Way): void {
  if (there.role !== back.role)
    throw refuseField('order.backRole', 'back.role', 'Please plan the way back in the same role.');
  if (back.taken.from >= there.taken.to) return;
  throw refuseField(
    'order.backTooEarly',
    back.role === 'driver' ? 'back.departsAt' : 'back.earliestAt',
    'Please select a later time for the way back: you may still be on the way there.',
  );
}

/** Runs what concerns the way back: its refusals name fields under `back.` instead of `order.`. */
export const ofBack = <T>(work: () => T | Promise<T>): Promise<T> => under('back', work);

/** Runs what concerns one of several orders: its refusals name fields under that one's name instead of `order.`. */
async function under<T>(name: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { fields = {}, ...facts } = error.data ?? {};
    const named = Object.entries(fields as Record<string, string>).map(([field, info]) => [
      field.replace(/^(order|rule)\b/, name),
      info,
    ]);
    throw new Refusal(error.reason, error.message, {
      code: error.code,
      data: { ...facts, fields: Object.fromEntries(named) },
    });
  }
}

/** How long a detour a driver allows: what they chose, or the default for the way. */
export const maxDetourOf = (order: RideInput, driveMs: number): number =>
  order.maxDetourMinutes === null ? defaultMaxDetourMs(driveMs) : order.maxDetourMinutes * minuteMs;

/** What an order says besides its terms. */
export const detailsOf = (order: RideInput | RequestInput) => ({
  visibility: order.visibility,
  tagIds: order.visibility === 'tags' ? [...new Set(order.tagIds)] : [],
  note: order.note,
  contactWith: order.contactWith,
  ...order.preferences,
  flightNumber: order.flightNumber,
  eventId: order.eventId,
});

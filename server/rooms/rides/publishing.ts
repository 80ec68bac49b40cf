import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import type * as calls from '#contract/rides/endpoints.ts';
import { maxOpenOrders, minimumOfferCents, planAheadDays, type Place } from '#contract/units.ts';
import type { Base } from '../../base/base.ts';
import { dayMs, later, minuteMs } from '../../base/clock.ts';
import { brokenConstraint, type Db } from '../../base/db.ts';
import { refuseField } from '../../base/refusal.ts';
import type { EventsService } from '../events/service.ts';
import type { GeoService } from '../geo/service.ts';
import { arriveByMs, defaultMaxDetourMs, planAlone, type MatchingService } from '../matching/service.ts';
import type { VehiclesService } from '../vehicles/service.ts';
import type { Moves } from './moves.ts';
import * as store from './store.ts';
import type { Ways } from './ways.ts';

export type RideInput = z.output<typeof calls.rideFields>;
export type RequestInput = z.output<typeof calls.requestFields>;

/** Publishing a ride or a request: every check of what a person entered, then one transaction. Editing makes the same checks. */
export function createPublishing(
  { transact, clock, env }: Base,
  rooms: { geo: GeoService; vehicles: VehiclesService; events: EventsService; matching: MatchingService },
  moves: Moves,
  ways: Ways,
) {
  const { geo, vehicles, events, matching } = rooms;
  const { locateWay } = ways;

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

  async function checkCar(tx: Db, driverId: string, order: RideInput): Promise<void> {
    if (order.costCents > 0 && order.vehicleId === null) {
      throw refuseField('order.vehicleMissing', 'order.vehicleId', 'Please add a vehicle first.');
    }
    if (order.vehicleId === null) return;
    const vehicle = await vehicles.ownVehicle(tx, driverId, order.vehicleId);
    if (vehicle === null)
      throw refuseField('order.vehicleMissing', 'order.vehicleId', 'Please add a vehicle first.');
    if (order.seats > vehicle.seats) {
      throw refuseField(
        'order.moreSeatsThanVehicle',
        'order.seats',
        `This vehicle has ${vehicle.seats} passenger seats.`,
      );
    }
  }

  function placesOf(order: { from: Place; to: Place }) {
    const { from, to } = order;
    return {
      fromName: from.name,
      fromDetail: from.detail,
      fromLon: from.lon,
      fromLat: from.lat,
      toName: to.name,
      toDetail: to.detail,
      toLon: to.lon,
      toLat: to.lat,
    };
  }

  /** Everything about a ride that is entered, checked against the roads and the prices: its columns, and its plan with nobody on board. */
  function soundRide(order: RideInput) {
    const departsAt = new Date(order.departsAt);
    checkTime(departsAt, 'order.departsAt');
    const { route, estimated } = locateWay(order.from, order.to, 'order.');
    if (order.costCents > 0 && order.costCents <= minimumOfferCents) {
      throw refuseField(
        'order.priceTooLow',
        'order.costCents',
        'Please ask for more than $5, or make the ride free.',
      );
    }
    checkAmount(order.costCents, 'order.costCents');
    const latestDepartsAt = later(departsAt, order.flexMinutes * minuteMs);
    const maxDetourMs = maxDetourOf(order, route.milliseconds);
    const plan = planAlone({
      from: order.from,
      to: order.to,
      drive: route,
      seats: order.seats,
      maxDetourMs,
      earliestDepartsMs: departsAt.getTime(),
      latestDepartsMs: latestDepartsAt.getTime(),
    });
    const columns = {
      ...placesOf(order),
      timeZone: geo.timeZoneAt(order.from.lon, order.from.lat),
      estimated,
      driveMs: route.milliseconds,
      driveMetres: route.metres,
      earliestDepartsAt: departsAt,
      latestDepartsAt,
      departsAt,
      arrivesAt: later(departsAt, route.milliseconds),
      priceKind: order.priceKind,
      costCents: order.costCents,
      maxDetourMs,
    };
    return { columns, plan, taken: { from: departsAt, to: later(latestDepartsAt, route.milliseconds) } };
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
      if (order.offerCents <= minimumOfferCents) {
        throw refuseField(
          'order.offerTooLow',
          'order.offerCents',
          'Please offer more than $5 per person to the driver.',
        );
      }
      checkAmount(order.offerCents * order.seats, 'order.offerCents');
    }
    const columns = {
      ...placesOf(order),
      timeZone: geo.timeZoneAt(order.from.lon, order.from.lat),
      estimated,
      driveMs: route.milliseconds,
      driveMetres: route.metres,
      seats: order.seats,
      earliestAt,
      latestAt,
      arriveBy: new Date(arriveByMs(latestAt.getTime(), route.milliseconds)),
      offerCents: order.offerCents,
      walkMetres: order.walkMetres,
      pickupSpots: matching.spotsNear(order.from, order.walkMetres),
      dropoffSpots: matching.spotsNear(order.to, order.walkMetres),
    };
    return { columns, taken: { from: earliestAt, to: later(latestAt, route.milliseconds) } };
  }

  /** Takes an order's place among a person's own: not too many, none at the same time. */
  async function takePlace(
    tx: Db,
    order: { id: string; personId: string; field: string },
    taken: { from: Date; to: Date },
  ): Promise<void> {
    await store.lockPerson(tx, order.personId);
    if ((await store.countOpenOrders(tx, order.personId)) >= maxOpenOrders) {
      throw refuseField(
        'order.tooMany',
        'order',
        `You have ${maxOpenOrders} open rides and requests. Please end one first.`,
      );
    }
    await takeTime(tx, order, taken);
  }

  /** Checks a ride and hands over what writes it. Whether its event is one for this person is asked apart. */
  function preparedRide(driverId: string, order: RideInput): (tx: Db) => Promise<store.RideRow> {
    const { columns, plan, taken } = soundRide(order);
    const id = randomUUID();
    return async (tx) => {
      await checkCar(tx, driverId, order);
      await checkCircle(tx, driverId, order);
      await takePlace(tx, { id, personId: driverId, field: 'order.departsAt' }, taken);
      const ride = await moves.publishRide(tx, {
        id,
        orderNumber: await store.takeOrderNumber(tx),
        ...columns,
        ...detailsOf(order),
        driverId,
        state: 'matching',
        seats: order.seats,
        vehicleId: order.vehicleId,
        instant: order.instant,
        createdAt: clock.now(),
      });
      await store.savePlan(tx, id, plan);
      return ride;
    };
  }

  /** The same of a request. */
  function preparedRequest(passengerId: string, order: RequestInput): (tx: Db) => Promise<store.RequestRow> {
    const { columns, taken } = soundRequest(order);
    const id = randomUUID();
    return async (tx) => {
      await checkCircle(tx, passengerId, order);
      await takePlace(tx, { id, personId: passengerId, field: 'order.earliestAt' }, taken);
      return moves.publishRequest(tx, {
        id,
        orderNumber: await store.takeOrderNumber(tx),
        ...columns,
        ...detailsOf(order),
        passengerId,
        state: 'matching',
        createdAt: clock.now(),
      });
    };
  }

  async function publishRide(driverId: string, order: RideInput): Promise<store.RideRow> {
    const publish = preparedRide(driverId, order);
    await checkEvent(driverId, order.eventId);
    return transact(publish);
  }

  async function publishRequest(passengerId: string, order: RequestInput): Promise<store.RequestRow> {
    const publish = preparedRequest(passengerId, order);
    await checkEvent(passengerId, order.eventId);
    return transact(publish);
  }

  return {
    publishRide,
    publishRequest,
    preparedRide,
    preparedRequest,
    checkTime,
    checkAmount,
    checkCar,
    checkCircle,
    checkEvent,
    takeTime,
    soundRide,
    soundRequest,
  };
}

export type Publishing = ReturnType<typeof createPublishing>;

/** How long a detour a driver allows: what they chose, or the default for the way. */
export const maxDetourOf = (order: RideInput, driveMs: number): number =>
  order.maxDetourMinutes === null ? defaultMaxDetourMs(driveMs) : order.maxDetourMinutes * minuteMs;

/** What an order says besides its terms. */
export const detailsOf = (order: RideInput | RequestInput) => ({
  visibility: order.visibility,
  tagIds: order.visibility === 'tags' ? [...new Set(order.tagIds)] : [],
  note: order.note,
  contactWith: order.contactWith,
  flightNumber: order.flightNumber,
  eventId: order.eventId,
});

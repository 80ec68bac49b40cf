import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import type { OutputOf } from '#contract/define.ts';
import type * as calls from '#contract/rides/endpoints.ts';
import { seatedStates, stages, type BookingState, type Stage } from '#contract/rides/moves.ts';
import type { Candidate, Order, Request, Ride } from '#contract/rides/views.ts';
import { maxOpenOrders, minimumOfferCents, planAheadDays, type Place } from '#contract/units.ts';
import type { Route } from '#roads/network.ts';
import type { Base } from '../../base/base.ts';
import { dayMs, later, minuteMs } from '../../base/clock.ts';
import { brokenConstraint, type Db } from '../../base/db.ts';
import { notFound, refuseField } from '../../base/refusal.ts';
import type { EventsService } from '../events/service.ts';
import type { GeoService } from '../geo/service.ts';
import type { IdentityService } from '../identity/service.ts';
import {
  arriveByMs,
  defaultMaxDetourMs,
  planAlone,
  type Fit,
  type MatchingService,
} from '../matching/service.ts';
import type { VehiclesService } from '../vehicles/service.ts';
import { createMoves } from './moves.ts';
import { createSettle } from './settling.ts';
import { reasonsOf, savedCo2Grams } from './rules/reasons.ts';
import * as store from './store.ts';
import { viewBooking, viewRequest, viewRide, type ViewContext } from './view.ts';

export type { BookingRow, RequestRow, RideRow } from './store.ts';
export { bySystem, type By, type Moves } from './moves.ts';
export { mayMoveBooking, mayMoveRide } from './rules/may.ts';
export { bookingFacts, rideFacts } from './view.ts';

export type RidesService = ReturnType<typeof createRides>;

export type RideInput = z.output<typeof calls.rideFields>;
export type RequestInput = z.output<typeof calls.requestFields>;

const pageSize = 20;
const sameSpotMetres = 50;
const metresPerMile = 1609.344;

/** Orders: publishing, reading and listing rides and requests, and the moves that rooms above build on. */
export function createRides(
  base: Base,
  rooms: {
    geo: GeoService;
    identity: IdentityService;
    vehicles: VehiclesService;
    events: EventsService;
    matching: MatchingService;
  },
) {
  const { db, transact, clock, env } = base;
  const { geo, identity, vehicles, events, matching } = rooms;
  const moves = createMoves(base);
  const settle = createSettle(base, moves, matching);

  /** The drive between two chosen places; refuses places no road reaches, and two that are one. */
  function locateWay(from: Place, to: Place, field: string): { route: Route; estimated: boolean } {
    const [start, end] = [geo.locate(from, `${field}from`), geo.locate(to, `${field}to`)];
    const route = geo.network.route(start, end);
    if (route === null)
      throw refuseField('place.noRoute', `${field}to`, 'There is no way to drive between these two places.');
    if (route.metres < sameSpotMetres)
      throw refuseField('place.same', `${field}to`, 'Please choose two different places.');
    return { route, estimated: route.estimated };
  }

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

  function checkAmount(centsAsked: number, field: string): void {
    if (centsAsked > env.MAX_TRANSACTION_CENTS) {
      const amount = (env.MAX_TRANSACTION_CENTS / 100).toString();
      throw refuseField(
        'order.amountTooHigh',
        field,
        `The maximum transaction amount allowed is $${amount}.`,
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

  async function checkEvent(eventId: string | null): Promise<void> {
    if (eventId !== null && !(await events.exists(eventId))) {
      throw refuseField('order.eventNotFound', 'order.eventId', 'This event could not be found.');
    }
  }

  /** Takes the person's time for an order, in the transaction that publishes it. */
  async function takeTime(
    tx: Db,
    orderId: string,
    personId: string,
    from: Date,
    to: Date,
    field: string,
  ): Promise<void> {
    await store.lockPerson(tx, personId);
    if ((await store.countOpenOrders(tx, personId)) >= maxOpenOrders) {
      throw refuseField(
        'order.tooMany',
        'order',
        `You have ${maxOpenOrders} open rides and requests. Please end one first.`,
      );
    }
    try {
      await tx.transaction((inner) => store.takeSpan(inner, orderId, personId, from, to));
    } catch (error) {
      if (brokenConstraint(error) !== 'order_spans_no_overlap') throw error;
      throw refuseField(
        'order.overlap',
        field,
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

  async function publishRide(driverId: string, order: RideInput): Promise<Ride> {
    const departsAt = new Date(order.departsAt);
    checkTime(departsAt, 'order.departsAt');
    const { route, estimated } = locateWay(order.from, order.to, 'order.');
    if (order.costCents > 0 && order.costCents <= minimumOfferCents) {
      throw refuseField(
        'order.offerTooLow',
        'order.costCents',
        'Please ask for more than $5, or make the ride free.',
      );
    }
    checkAmount(order.costCents, 'order.costCents');
    await checkEvent(order.eventId);
    const latestDepartsAt = later(departsAt, order.flexMinutes * minuteMs);
    const maxDetourMs =
      order.maxDetourMinutes === null
        ? defaultMaxDetourMs(route.milliseconds)
        : order.maxDetourMinutes * minuteMs;
    const id = randomUUID();
    const plan = planAlone({
      from: order.from,
      to: order.to,
      drive: route,
      seats: order.seats,
      maxDetourMs,
      earliestDepartsMs: departsAt.getTime(),
      latestDepartsMs: latestDepartsAt.getTime(),
    });
    const row = await transact(async (tx) => {
      await checkCar(tx, driverId, order);
      await checkCircle(tx, driverId, order);
      await takeTime(
        tx,
        id,
        driverId,
        departsAt,
        later(latestDepartsAt, route.milliseconds),
        'order.departsAt',
      );
      const ride = await moves.publishRide(tx, {
        id,
        orderNumber: await store.takeOrderNumber(tx),
        ...placesOf(order),
        driverId,
        state: 'matching',
        timeZone: geo.timeZoneAt(order.from.lon, order.from.lat),
        estimated,
        driveMs: route.milliseconds,
        driveMetres: route.metres,
        seats: order.seats,
        visibility: order.visibility,
        tagIds: order.visibility === 'tags' ? [...new Set(order.tagIds)] : [],
        note: order.note,
        contactWith: order.contactWith,
        flightNumber: order.flightNumber,
        eventId: order.eventId,
        vehicleId: order.vehicleId,
        earliestDepartsAt: departsAt,
        latestDepartsAt,
        departsAt,
        arrivesAt: later(departsAt, route.milliseconds),
        priceKind: order.priceKind,
        costCents: order.costCents,
        maxDetourMs,
        createdAt: clock.now(),
      });
      await store.savePlan(tx, id, plan);
      return ride;
    });
    return (await rideViews([row], driverId))[0]!;
  }

  async function publishRequest(passengerId: string, order: RequestInput): Promise<Request> {
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
    await checkEvent(order.eventId);
    const id = randomUUID();
    const row = await transact(async (tx) => {
      await checkCircle(tx, passengerId, order);
      await takeTime(
        tx,
        id,
        passengerId,
        earliestAt,
        later(latestAt, route.milliseconds),
        'order.earliestAt',
      );
      return moves.publishRequest(tx, {
        id,
        orderNumber: await store.takeOrderNumber(tx),
        ...placesOf(order),
        passengerId,
        state: 'matching',
        timeZone: geo.timeZoneAt(order.from.lon, order.from.lat),
        estimated,
        driveMs: route.milliseconds,
        driveMetres: route.metres,
        seats: order.seats,
        visibility: order.visibility,
        tagIds: order.visibility === 'tags' ? [...new Set(order.tagIds)] : [],
        note: order.note,
        contactWith: order.contactWith,
        flightNumber: order.flightNumber,
        eventId: order.eventId,
        earliestAt,
        latestAt,
        arriveBy: new Date(arriveByMs(latestAt.getTime(), route.milliseconds)),
        offerCents: order.offerCents,
        walkMetres: order.walkMetres,
        createdAt: clock.now(),
      });
    });
    return (await requestViews([row], passengerId))[0]!;
  }

  /** Reads everything that the views of these orders are made of. */
  async function loadContext(
    rideRows: readonly store.RideRow[],
    requestRows: readonly store.RequestRow[],
    viewerId: string | null,
  ): Promise<ViewContext> {
    const ofRequests = await store.bookingsOf(db, { requestIds: requestRows.map((row) => row.id) });
    const rideIds = new Set([
      ...rideRows.map((row) => row.id),
      ...ofRequests.map((booking) => booking.rideId),
    ]);
    const ofRides = await store.bookingsOf(db, { rideIds: [...rideIds] });
    const known = new Set(rideRows.map((row) => row.id));
    const bookings = new Map([...ofRequests, ...ofRides].map((booking) => [booking.id, booking]));
    const knownRequests = new Set(requestRows.map((row) => row.id));
    const [moreRides, moreRequests, stops] = await Promise.all([
      store.ridesByIds(
        db,
        [...rideIds].filter((id) => !known.has(id)),
      ),
      store.requestsByIds(
        db,
        [...new Set([...bookings.values()].map((booking) => booking.requestId))].filter(
          (id) => !knownRequests.has(id),
        ),
      ),
      store.stopsOf(db, [...rideIds]),
    ]);
    const allRides = [...rideRows, ...moreRides];
    const allRequests = [...requestRows, ...moreRequests];
    const peopleIds = [
      ...new Set([...allRides.map((row) => row.driverId), ...allRequests.map((row) => row.passengerId)]),
    ];
    const [people, details, cars, eventNames, reviewed] = await Promise.all([
      identity.people(peopleIds),
      identity.contactDetails(peopleIds),
      vehicles.vehiclesById(allRides.flatMap((row) => row.vehicleId ?? [])),
      events.eventNames([...allRides, ...allRequests].flatMap((row) => row.eventId ?? [])),
      viewerId === null ? new Set<string>() : store.reviewedBy(db, viewerId, [...bookings.keys()]),
    ]);
    return {
      viewerId,
      now: clock.now(),
      people,
      vehicles: cars,
      eventNames,
      reviewed,
      phones: new Map([...details].map(([id, detail]) => [id, detail.phone])),
      rides: new Map(allRides.map((row) => [row.id, row])),
      requests: new Map(allRequests.map((row) => [row.id, row])),
      stops: groupBy(stops, (stop) => stop.rideId),
      bookingsByRide: groupBy(ofRides, (booking) => booking.rideId),
      bookingsByRequest: groupBy(ofRequests, (booking) => booking.requestId),
      approximate: (place) => geo.approximate(place),
    };
  }

  async function rideViews(rows: readonly store.RideRow[], viewerId: string | null): Promise<Ride[]> {
    const context = await loadContext(rows, [], viewerId);
    return rows.map((row) => viewRide(context, row));
  }

  async function requestViews(
    rows: readonly store.RequestRow[],
    viewerId: string | null,
  ): Promise<Request[]> {
    const context = await loadContext([], rows, viewerId);
    return rows.map((row) => viewRequest(context, row));
  }

  /** A ride or request that the viewer may see, by id or order number. */
  async function visibleOrder(
    idOrNumber: string,
    viewerId: string | null,
  ): Promise<{ ride: store.RideRow } | { request: store.RequestRow }> {
    const isNumber = /^sw-/i.test(idOrNumber);
    const isId = /^[0-9a-f]{8}-[0-9a-f-]{27}$/i.test(idOrNumber);
    const number = idOrNumber.toUpperCase();
    const ride = isNumber
      ? await store.rideByNumber(db, number)
      : isId
        ? ((await store.ridesByIds(db, [idOrNumber]))[0] ?? null)
        : null;
    if (ride !== null && (await store.maySeeRide(db, ride.id, viewerId))) return { ride };
    const request = isNumber
      ? await store.requestByNumber(db, number)
      : isId
        ? ((await store.requestsByIds(db, [idOrNumber]))[0] ?? null)
        : null;
    if (request !== null && (await store.maySeeRequest(db, request.id, viewerId))) return { request };
    throw notFound('order.notFound', 'This ride could not be found.');
  }

  async function visibleView(idOrNumber: string, viewerId: string): Promise<Order> {
    const found = await visibleOrder(idOrNumber, viewerId);
    return 'ride' in found
      ? (await rideViews([found.ride], viewerId))[0]!
      : (await requestViews([found.request], viewerId))[0]!;
  }

  const routeView = (route: Route) => ({
    line: route.line,
    seconds: Math.round(route.milliseconds / 1000),
    metres: route.metres,
    estimated: route.estimated,
    streets: [...new Set(route.streets.map((street) => street.name))],
  });

  /** The line through places in order, or null where no road leads. */
  function routeThrough(
    points: readonly { lon: number; lat: number }[],
  ): ReturnType<typeof routeView> | null {
    const parts: Route[] = [];
    for (let index = 0; index + 1 < points.length; index++) {
      const [from, to] = [matching.pointAt(points[index]!), matching.pointAt(points[index + 1]!)];
      const route = from === null || to === null ? null : geo.network.route(from, to);
      if (route === null) return null;
      parts.push(route);
    }
    return {
      line: parts.flatMap((part) => part.line),
      seconds: Math.round(parts.reduce((sum, part) => sum + part.milliseconds, 0) / 1000),
      metres: parts.reduce((sum, part) => sum + part.metres, 0),
      streets: [...new Set(parts.flatMap((part) => part.streets.map((street) => street.name)))],
      estimated: parts.some((part) => part.estimated),
    };
  }

  async function candidatesOf(
    fits: readonly Fit[],
    viewerId: string | null,
    own: store.RequestRow | null,
  ): Promise<Candidate[]> {
    const requestRows = [
      ...new Map(
        [...fits.flatMap((fit) => fit.request ?? []), ...(own === null ? [] : [own])].map((row) => [
          row.id,
          row,
        ]),
      ).values(),
    ];
    const context = await loadContext(
      fits.map((fit) => fit.ride),
      requestRows,
      viewerId,
    );
    return fits.map((fit): Candidate => {
      const { insertion, ride } = fit;
      const request = fit.request ?? own;
      const open =
        request === null
          ? undefined
          : (context.bookingsByRequest.get(request.id) ?? []).findLast(
              (booking) =>
                booking.rideId === ride.id && !['cancel', 'rejected', 'expired'].includes(booking.state),
            );
      const shownPlace = (which: 'pickup' | 'dropoff') => {
        const point = fit[which];
        const named =
          request === null
            ? null
            : which === 'pickup'
              ? {
                  name: request.fromName,
                  detail: request.fromDetail,
                  lon: request.fromLon,
                  lat: request.fromLat,
                }
              : { name: request.toName, detail: request.toDetail, lon: request.toLon, lat: request.toLat };
        const exact = request === null || request.passengerId === viewerId;
        const place = named ?? { name: point.streetName ?? '', detail: '', lon: point.lon, lat: point.lat };
        const walkMetres = Math.round(point.metresFromRoad);
        const at = new Date(which === 'pickup' ? insertion.pickupMs : insertion.dropoffMs).toISOString();
        return { ...(exact ? place : geo.approximate(place)), approximate: !exact, at, walkMetres };
      };
      const directMetres = request?.driveMetres ?? insertion.drives.afterPickup.metres;
      return {
        ride: viewRide(context, ride),
        request: fit.request === null ? null : viewRequest(context, fit.request),
        pickup: shownPlace('pickup'),
        dropoff: shownPlace('dropoff'),
        departsAt: new Date(insertion.departsMs).toISOString(),
        arrivesAt: new Date(insertion.arrivesMs).toISOString(),
        detourSeconds: Math.max(0, Math.round(insertion.detourMs / 1000)),
        detourMetres: Math.max(0, insertion.detourMetres),
        fareCents: fit.fareCents,
        savedCo2Grams: savedCo2Grams(directMetres, insertion.detourMetres),
        reasons: reasonsOf({
          detourMs: insertion.detourMs,
          detourMetres: insertion.detourMetres,
          directMetres,
          fareCents: fit.fareCents,
          walkMetres: Math.round(fit.pickup.metresFromRoad + fit.dropoff.metresFromRoad),
          seats: request?.seats ?? 1,
          offerCents: request?.offerCents ?? null,
          seatsLeft: fit.seatsLeft,
          isContact: fit.isContact,
          contactsInCommon: fit.contactsInCommon,
        }),
        booking: open === undefined ? null : viewBooking(context, open),
      };
    });
  }

  return {
    moves,
    settle,
    // What rooms above need of the rows, inside their own transactions.
    lockRide: store.lockRide,
    lockRequest: store.lockRequest,
    rideById: async (id: string) => (await store.ridesByIds(db, [id]))[0] ?? null,
    requestById: async (id: string) => (await store.requestsByIds(db, [id]))[0] ?? null,
    bookingsOf: store.bookingsOf,
    bookingsByIds: store.bookingsByIds,
    stopsOf: store.stopsOf,
    savePlan: store.savePlan,
    claimSeats: store.claimSeats,
    freeSpan: store.freeSpan,
    due: (now: Date) => store.due(db, now),
    maySeeRide: (id: string, viewerId: string | null) => store.maySeeRide(db, id, viewerId),
    rideViews,
    requestViews,
    routeThrough,

    /** Publishes an order and returns its view. Refusals name the field under `order.`; nothing is stored then. */
    create: (personId: string, order: RideInput | RequestInput): Promise<Order> =>
      order.role === 'driver' ? publishRide(personId, order) : publishRequest(personId, order),

    /** My orders of a stage and role: those to come soonest first, those past latest first; and how many each stage holds. */
    async list(
      personId: string,
      query: { stage?: Stage | undefined; role?: 'driver' | 'passenger' | undefined; offset: number },
    ): Promise<OutputOf<typeof calls.listOrders>> {
      const [rideRows, requestRows] = await Promise.all([
        store.ridesOfDriver(db, personId),
        store.requestsOfPassenger(db, personId),
      ]);
      const context = await loadContext(rideRows, requestRows, personId);
      const orders: Order[] = [
        ...(query.role === 'passenger' ? [] : rideRows.map((row) => viewRide(context, row))),
        ...(query.role === 'driver' ? [] : requestRows.map((row) => viewRequest(context, row))),
      ];
      const counts = Object.fromEntries(
        stages.map((stage) => [stage, orders.filter((order) => order.stage === stage).length]),
      ) as Record<Stage, number>;
      const shown =
        query.stage === undefined ? orders : orders.filter((order) => order.stage === query.stage);
      const timeOf = (order: Order) =>
        Date.parse(order.role === 'driver' ? order.departsAt : order.earliestAt);
      shown.sort((a, b) =>
        a.stage === 'Completed' && b.stage === 'Completed'
          ? timeOf(b) - timeOf(a)
          : Number(a.stage === 'Completed') - Number(b.stage === 'Completed') || timeOf(a) - timeOf(b),
      );
      return { orders: shown.slice(query.offset, query.offset + pageSize), total: shown.length, counts };
    },

    /** The order of a role that comes next or is under way. */
    async next(personId: string, role: 'driver' | 'passenger'): Promise<Order | null> {
      const views: Order[] =
        role === 'driver'
          ? await rideViews(await store.ridesOfDriver(db, personId), personId)
          : await requestViews(await store.requestsOfPassenger(db, personId), personId);
      const open = views.filter((order) => order.stage !== 'Completed');
      const timeOf = (order: Order) =>
        Date.parse(order.role === 'driver' ? order.departsAt : order.earliestAt);
      const underWay = (order: Order) => (order.stage === 'In Progress' ? 0 : 1);
      return open.sort((a, b) => underWay(a) - underWay(b) || timeOf(a) - timeOf(b))[0] ?? null;
    },

    /** One order that the viewer may see, with the line of its way. Refuses `order.notFound`. */
    async detail(idOrNumber: string, viewerId: string): Promise<OutputOf<typeof calls.orderDetail>> {
      const order = await visibleView(idOrNumber, viewerId);
      const points = order.role === 'driver' ? order.stops : [order.from, order.to];
      return { order, route: routeThrough(points) };
    },

    view: visibleView,

    /** What happened to an order, oldest first; a passenger sees the ride's moves and their own. */
    async timeline(id: string, viewerId: string): Promise<OutputOf<typeof calls.orderTimeline>> {
      const found = await visibleOrder(id, viewerId);
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
      const people = await identity.people([
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
          actorName: row.actorId === null ? '' : (people.get(row.actorId)?.name ?? ''),
          passengerName:
            row.thing === 'booking'
              ? (people.get(bookings.get(row.thingId)?.passengerId ?? '')?.name ?? '')
              : '',
          note: row.note,
        })),
      };
    },

    /** The way between two places and what a share of it is worth. */
    async quote(way: { from: Place; to: Place }): Promise<OutputOf<typeof calls.quote>> {
      const { route } = locateWay(way.from, way.to, '');
      const asked = await store.askedShares(db, route.metres);
      return {
        route: routeView(route),
        timeZone: geo.timeZoneAt(way.from.lon, way.from.lat),
        advisedShareCents: Math.round((route.metres / metresPerMile) * env.ADVISED_CENTS_PER_MILE),
        askedLowCents: asked.low,
        askedHighCents: asked.high,
        defaultMaxDetourSeconds: Math.round(defaultMaxDetourMs(route.milliseconds) / 1000),
      };
    },

    /** Who fits my order, best first, 20 at a time. Refuses an order that is not the caller's own. */
    async match(id: string, viewerId: string, offset: number): Promise<OutputOf<typeof calls.match>> {
      const found = await visibleOrder(id, viewerId);
      const owner = 'ride' in found ? found.ride.driverId : found.request.passengerId;
      if (owner !== viewerId) throw notFound('order.notFound', 'This ride could not be found.');
      const fits =
        'ride' in found
          ? await matching.requestsForRide(found.ride)
          : await matching.ridesForRequest(found.request);
      const page = fits.slice(offset, offset + pageSize);
      return {
        candidates: await candidatesOf(page, viewerId, 'ride' in found ? null : found.request),
        total: fits.length,
      };
    },

    /** Rides that fit a wish before it is published. */
    async matchDraft(
      draft: {
        from: Place;
        to: Place;
        earliestAt: Date;
        latestAt: Date;
        seats: number;
        offerCents: number | null;
        walkMetres: number;
      },
      viewerId: string | null,
      offset: number,
    ): Promise<OutputOf<typeof calls.match>> {
      locateWay(draft.from, draft.to, '');
      const fits = await matching.ridesForDraft(draft, viewerId);
      return {
        candidates: await candidatesOf(fits.slice(offset, offset + pageSize), viewerId, null),
        total: fits.length,
      };
    },

    /** The lines of one ride with and without one request, for one of the two people. Refuses `order.notFound`, `match.noFit`. */
    async matchMap(
      rideId: string,
      requestId: string,
      viewerId: string,
    ): Promise<OutputOf<typeof calls.matchMap>> {
      const [ride, request] = [
        (await store.ridesByIds(db, [rideId]))[0],
        (await store.requestsByIds(db, [requestId]))[0],
      ];
      const isSide = ride?.driverId === viewerId || request?.passengerId === viewerId;
      const booked =
        ride !== undefined &&
        request !== undefined &&
        (await store.bookingsOf(db, { requestIds: [requestId] })).findLast(
          (booking) => booking.rideId === rideId,
        );
      if (
        ride === undefined ||
        request === undefined ||
        !isSide ||
        (!booked && !(await matching.seeEachOther(rideId, requestId)))
      ) {
        throw notFound('order.notFound', 'This ride could not be found.');
      }
      const joined = booked && seatedStates.includes(booked.state);
      const context = await loadContext([ride], [request], viewerId);
      const [rideView, requestView] = [viewRide(context, ride), viewRequest(context, request)];
      const [pickup, dropoff] = [requestView.from, requestView.to];
      const plan = await matching.planOf(db, ride);
      let order = rideView.stops.map(({ lon, lat }) => ({ lon, lat }));
      if (!joined) {
        const fit = await matching.fit(db, ride, request);
        if (fit === null)
          throw notFound('match.noFit', 'This ride no longer fits. Please look at the others.');
        const { pickupAfter, dropoffAfter } = fit.insertion;
        // A passenger does not see where others are picked up, so the line goes by the stops they may see.
        const full = plan.stops.map((stop, position) => ({ stop, position }));
        const seen = full.filter(({ stop }) =>
          rideView.stops.some((each) => each.bookingId === stop.bookingId && each.kind === stop.kind),
        );
        order = seen
          .flatMap(({ position }, index) => [
            rideView.stops[index] ?? pickup,
            ...(position <= pickupAfter && (seen[index + 1]?.position ?? Infinity) > pickupAfter
              ? [pickup]
              : []),
            ...(position <= dropoffAfter && (seen[index + 1]?.position ?? Infinity) > dropoffAfter
              ? [dropoff]
              : []),
          ])
          .map(({ lon, lat }) => ({ lon, lat }));
      }
      const own = routeThrough([rideView.from, rideView.to]);
      const shared = routeThrough(order);
      if (own === null || shared === null)
        throw notFound('match.noFit', 'This ride no longer fits. Please look at the others.');
      const walk = (place: { lon: number; lat: number }): [number, number][] => {
        const point = matching.pointAt(place);
        return point === null
          ? []
          : [
              [place.lon, place.lat],
              [point.lon, point.lat],
            ];
      };
      return {
        rideId,
        own,
        shared,
        pickup: { lon: pickup.lon, lat: pickup.lat },
        dropoff: { lon: dropoff.lon, lat: dropoff.lat },
        walks: pickup.approximate ? [] : [walk(pickup), walk(dropoff)],
      };
    },

    /** Open rides and requests around a point that the viewer may see. */
    async nearby(
      at: { lon: number; lat: number },
      viewerId: string | null,
      query: { role?: 'driver' | 'passenger' | undefined; offset: number },
    ): Promise<OutputOf<typeof calls.discover>> {
      const found = await store.openOrdersNear(db, at, viewerId, clock.now());
      const rideRows = query.role === 'passenger' ? [] : found.rides;
      const requestRows = query.role === 'driver' ? [] : found.requests;
      const rows = [
        ...rideRows.map((row) => ({ at: row.departsAt, ride: row, request: null })),
        ...requestRows.map((row) => ({ at: row.earliestAt, ride: null, request: row })),
      ].sort((a, b) => a.at.getTime() - b.at.getTime());
      const page = rows.slice(query.offset, query.offset + pageSize);
      const context = await loadContext(
        page.flatMap((row) => row.ride ?? []),
        page.flatMap((row) => row.request ?? []),
        viewerId,
      );
      return {
        orders: page.map((row) =>
          row.ride === null ? viewRequest(context, row.request) : viewRide(context, row.ride),
        ),
        total: rows.length,
      };
    },

    async bookingView(bookingId: string, viewerId: string) {
      const booking = await store.bookingById(db, bookingId);
      if (booking === null) throw notFound('booking.notFound', 'This could not be found.');
      const context = await loadContext(await store.ridesByIds(db, [booking.rideId]), [], viewerId);
      return viewBooking(context, booking);
    },

    /** A booking that the person is a side of. Refuses `booking.notFound`. */
    async ownBooking(
      bookingId: string,
      personId: string,
    ): Promise<{ booking: store.BookingRow; side: 'driver' | 'passenger' }> {
      const booking = await store.bookingById(db, bookingId);
      if (booking === null || (booking.driverId !== personId && booking.passengerId !== personId)) {
        throw notFound('booking.notFound', 'This could not be found.');
      }
      return { booking, side: booking.driverId === personId ? 'driver' : 'passenger' };
    },
  };
}

function groupBy<T>(rows: readonly T[], keyOf: (row: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const row of rows) {
    const key = keyOf(row);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [row]);
    else group.push(row);
  }
  return groups;
}

import type { OutputOf } from '#contract/define.ts';
import type * as calls from '#contract/rides/endpoints.ts';
import { stages, type Stage } from '#contract/rides/moves.ts';
import type { Order, Request, Ride } from '#contract/rides/views.ts';
import type { Platform } from '../../platform/platform.ts';
import type { EventDirectory } from './event-directory.ts';
import type { ChatDirectory, ReviewDirectory } from './upper-directories.ts';
import type { GeoService } from '../geo/service.ts';
import type { IdentityService } from '../identity/service.ts';
import type { MatchingService, Told } from '../matching/service.ts';
import type { PaymentsService } from '../payments/service.ts';
import type { VehiclesService } from '../drivers/service.ts';
import { brokenBookingsOf, brokenRidesByIds } from './interrupted/store.ts';
import { bookingNotFound, orderNotFound } from './order-refusals.ts';
import * as store from './store.ts';
import { questionsOf } from './unclear/store.ts';
import { contactsOf } from './reports/contacts.ts';
import { viewBooking, viewRequest, viewRide, type ViewContext } from './view.ts';
import { inWholeSteps, type Quotes } from './quotes.ts';

const pageSize = 20;

export type OrderQueries = ReturnType<typeof createOrderQueries>;

/** Reading orders as somebody may see them: one, lists of them, what happened to them. */
export function createOrderQueries(
  { db, clock }: Platform,
  features: {
    geo: GeoService;
    identity: IdentityService;
    vehicles: VehiclesService;
    events: EventDirectory;
    reviews: ReviewDirectory;
    chat: ChatDirectory;
    payments: PaymentsService;
    matching: MatchingService;
  },
  ways: Quotes,
) {
  const { geo, identity, vehicles, events, reviews, chat, payments, matching } = features;
  const { routeThrough } = ways;

  /** What the viewer is told of their own bookings, or of those of their rides, that were never joined. */
  async function toldOf(
    bookings: readonly store.BookingRow[],
    rides: ReadonlyMap<string, store.RideRow>,
    requests: ReadonlyMap<string, store.RequestRow>,
    viewerId: string | null,
  ): Promise<Map<string, Told>> {
    const untold = bookings.filter(
      ({ joinedAt, passengerId, driverId }) =>
        joinedAt === null && (passengerId === viewerId || driverId === viewerId),
    );
    const ofRides = [...new Set(untold.map(({ rideId }) => rideId))].map((id) => rides.get(id)!);
    const plans = await matching.plansOf(ofRides);
    return new Map(
      untold.map((booking) => {
        const side = booking.driverId === viewerId ? 'driver' : 'passenger';
        const request = requests.get(booking.requestId)!;
        return [booking.id, matching.toldBooking(side, plans.get(booking.rideId)!, request, booking)];
      }),
    );
  }

  /** Reads everything that the views of these orders are made of. */
  async function loadContext(
    rideRows: readonly store.RideRow[],
    requestRows: readonly store.RequestRow[],
    viewerId: string | null,
  ): Promise<ViewContext> {
    const ofRequests = await contactsOf(
      { db, chat },
      await store.bookingsOf(db, { requestIds: requestRows.map((row) => row.id) }),
    );
    const rideIds = new Set([
      ...rideRows.map((row) => row.id),
      ...ofRequests.map((booking) => booking.rideId),
    ]);
    const waitedFor = await store.ridesWaitedFor(
      db,
      requestRows.map((row) => row.id),
    );
    const [ofRides, changes, waiting] = await Promise.all([
      store.bookingsOf(db, { rideIds: [...rideIds] }).then((all) => contactsOf({ db, chat }, all)),
      store.openChanges(db, [...rideIds]),
      store.waitingFor(db, [...new Set([...rideIds, ...waitedFor])]),
    ]);
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
        [
          ...new Set([
            ...[...bookings.values()].map((booking) => booking.requestId),
            ...waiting.map(({ requestId }) => requestId),
          ]),
        ].filter((id) => !knownRequests.has(id)),
      ),
      store.stopsOf(db, [...rideIds]),
    ]);
    const allRides = [...rideRows, ...moreRides];
    const allRequests = [...requestRows, ...moreRequests];
    const peopleIds = [
      ...new Set([...allRides.map((row) => row.driverId), ...allRequests.map((row) => row.passengerId)]),
    ];
    // Who else sees a booking sees nothing of what is paid for it.
    const own = [...bookings.values()]
      .filter(({ passengerId, driverId }) => viewerId === passengerId || viewerId === driverId)
      .map(({ id, passengerId }) => ({
        id,
        side: viewerId === passengerId ? ('passenger' as const) : ('driver' as const),
      }));
    const endedOnTheWay = allRides.filter(({ state }) => state === 'cancel').map(({ id }) => id);
    const asked = [...bookings.values()].flatMap(({ id, unclearAt }) => (unclearAt === null ? [] : [id]));
    const [people, details, cars, eventNames, reviewed, paid, broken, ridden, questions] = await Promise.all([
      identity.people(peopleIds),
      identity.contactDetails(peopleIds),
      vehicles.vehiclesById(allRides.flatMap((row) => row.vehicleId ?? [])),
      events.eventNames(
        [...allRides, ...allRequests].flatMap((row) => row.eventId ?? []),
        viewerId,
      ),
      viewerId === null ? new Set<string>() : reviews.reviewedBy(db, viewerId, [...bookings.keys()]),
      payments.views(db, own),
      brokenRidesByIds(db, endedOnTheWay),
      brokenBookingsOf(db, endedOnTheWay),
      questionsOf(db, { bookingIds: asked }),
    ]);
    const rides = new Map(allRides.map((row) => [row.id, row]));
    const requests = new Map(allRequests.map((row) => [row.id, row]));
    return {
      viewerId,
      now: clock.now(),
      told: await toldOf([...bookings.values()], rides, requests, viewerId),
      betweenRounded: matching.betweenRounded,
      trafficPermilleAt: geo.trafficPermilleAt,
      people,
      vehicles: cars,
      eventNames,
      reviewed,
      payments: paid,
      brokenRides: new Map(broken.map((row) => [row.rideId, row])),
      questions: new Map(questions.map((row) => [row.bookingId, row])),
      brokenBookings: new Map(ridden.map((row) => [row.bookingId, row])),
      phones: new Map(
        [...details].map(([id, { phone, phoneVerified, phoneSeenBy }]) => [
          id,
          // A number that is only typed may be a stranger's.
          phoneVerified && phoneSeenBy !== 'nobody' ? phone : '',
        ]),
      ),
      emails: new Map([...details].map(([id, { email }]) => [id, email])),
      rides,
      requests,
      stops: groupBy(stops, (stop) => stop.rideId),
      bookingsByRide: groupBy(ofRides, (booking) => booking.rideId),
      bookingsByRequest: groupBy(ofRequests, (booking) => booking.requestId),
      changes: new Map(changes.map((each) => [each.change.rideId, each])),
      waitingByRide: groupBy(waiting, (each) => each.rideId),
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
  async function visibleOrder(idOrNumber: string, viewerId: string | null): Promise<FoundOrder> {
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
    throw orderNotFound();
  }

  /** A part of some orders, soonest first. */
  async function page(
    found: { rides: store.RideRow[]; requests: store.RequestRow[] },
    viewerId: string | null,
    query: { role?: 'driver' | 'passenger' | undefined; offset: number },
  ): Promise<OutputOf<typeof calls.discover>> {
    const rideRows = query.role === 'passenger' ? [] : found.rides;
    const requestRows = query.role === 'driver' ? [] : found.requests;
    const rows = [
      ...rideRows.map((row) => ({ at: row.departsAt, ride: row, request: null })),
      ...requestRows.map((row) => ({ at: row.earliestAt, ride: null, request: row })),
    ].toSorted((a, b) => a.at.getTime() - b.at.getTime());
    const some = rows.slice(query.offset, query.offset + pageSize);
    const context = await loadContext(
      some.flatMap((row) => row.ride ?? []),
      some.flatMap((row) => row.request ?? []),
      viewerId,
    );
    return {
      orders: some.map((row) =>
        row.ride === null ? viewRequest(context, row.request) : viewRide(context, row.ride),
      ),
      total: rows.length,
    };
  }

  async function viewFound(found: FoundOrder, viewerId: string): Promise<Order> {
    return 'ride' in found
      ? (await rideViews([found.ride], viewerId))[0]!
      : (await requestViews([found.request], viewerId))[0]!;
  }

  const visibleView = async (idOrNumber: string, viewerId: string): Promise<Order> =>
    viewFound(await visibleOrder(idOrNumber, viewerId), viewerId);

  /** What the drives of an order take, in permille of a free road. */
  const trafficOf = (found: FoundOrder): number =>
    'ride' in found
      ? found.ride.trafficPermille
      : geo.trafficPermilleAt(
          { lon: found.request.fromLon, lat: found.request.fromLat },
          found.request.latestAt,
        );

  return {
    loadContext,
    rideViews,
    requestViews,
    visibleOrder,
    view: visibleView,

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
      const sorted = shown.toSorted((a, b) =>
        a.stage === 'Completed' && b.stage === 'Completed'
          ? timeOf(b) - timeOf(a)
          : Number(a.stage === 'Completed') - Number(b.stage === 'Completed') || timeOf(a) - timeOf(b),
      );
      return { orders: sorted.slice(query.offset, query.offset + pageSize), total: shown.length, counts };
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
      return open.toSorted((a, b) => underWay(a) - underWay(b) || timeOf(a) - timeOf(b))[0] ?? null;
    },

    /** One order that the viewer may see, with the line of its way, and of the one that is proposed. Refuses `order.notFound`. */
    async detail(
      idOrNumber: string,
      viewerId: string,
    ): Promise<Pick<OutputOf<typeof calls.orderDetail>, 'order' | 'route' | 'proposedRoute'>> {
      const found = await visibleOrder(idOrNumber, viewerId);
      const order = await viewFound(found, viewerId);
      const points = order.role === 'driver' ? order.stops : [order.from, order.to];
      const change = order.role === 'driver' ? order.change : null;
      const way = change?.way ?? null;
      return {
        order,
        route: asFarAsShown(routeThrough(points, trafficOf(found)), order),
        proposedRoute:
          change === null || way === null
            ? null
            : asFarAsShown(
                routeThrough(way.stops, geo.trafficPermilleAt(way.from, new Date(change.departsAt))),
                order,
              ),
      };
    },

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
          to: row.toState,
          actor: row.actor,
          // An admin acts for the app.
          actorName:
            row.actorId === null || row.actor === 'admin' ? '' : (people.get(row.actorId)?.name ?? ''),
          passengerName:
            row.thing === 'booking'
              ? (people.get(bookings.get(row.thingId)?.passengerId ?? '')?.name ?? '')
              : '',
          note: row.note,
        })),
      };
    },

    /** Open rides and requests around a point that the viewer may see. */
    async nearby(
      at: { lon: number; lat: number },
      viewerId: string | null,
      query: { role?: 'driver' | 'passenger' | undefined; offset: number },
    ): Promise<OutputOf<typeof calls.discover>> {
      const found = await store.openOrdersNear(db, at, viewerId, clock.now());
      return page(found, viewerId, query);
    },

    /** Open rides and requests of the viewer's contacts that the viewer may see. */
    async ofContacts(
      viewerId: string,
      query: { role?: 'driver' | 'passenger' | undefined; offset: number },
    ): Promise<OutputOf<typeof calls.discover>> {
      const found = await store.openOrdersOfContacts(db, viewerId, clock.now());
      return page(found, viewerId, query);
    },

    async bookingView(bookingId: string, viewerId: string) {
      const booking = await store.bookingById(db, bookingId);
      if (booking === null) throw bookingNotFound();
      const context = await loadContext(await store.ridesByIds(db, [booking.rideId]), [], viewerId);
      const [known] = await contactsOf({ db, chat }, [booking]);
      return viewBooking(context, known!);
    },

    /** A booking that the person is a side of. Refuses `booking.notFound`. */
    async ownBooking(
      bookingId: string,
      personId: string,
    ): Promise<{ booking: store.BookingRow; side: 'driver' | 'passenger' }> {
      const booking = await store.bookingById(db, bookingId);
      if (booking === null || (booking.driverId !== personId && booking.passengerId !== personId)) {
        throw bookingNotFound();
      }
      return { booking, side: booking.driverId === personId ? 'driver' : 'passenger' };
    },
  };
}

type FoundOrder = { ride: store.RideRow } | { request: store.RequestRow };

/** A route between rounded places is told in whole minutes and hundreds of metres. */
const asFarAsShown = <R extends { seconds: number; metres: number }>(
  route: R | null,
  { from }: Pick<Order, 'from'>,
): R | null => (route === null || !from.approximate ? route : inWholeSteps(route));

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

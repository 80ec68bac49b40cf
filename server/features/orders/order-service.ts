import type { OutputOf } from '#contract/define.ts';
import type * as calls from '#contract/rides/endpoints.ts';
import type { createPair } from '#contract/rides/series.ts';
import type { Order } from '#contract/rides/views.ts';
import type { Place } from '#contract/units.ts';
import { freePermille, inTraffic } from '#roads/traffic.ts';
import type { Platform } from '../../platform/platform.ts';
import { later } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/db.ts';
import { defaultMaxDetourMs, viaStandsMs } from '../matching/service.ts';
import { createInterruptedRides } from './interrupted/service.ts';
import { createCandidates } from './candidates.ts';
import { createCalendar } from './calendar.ts';
import type { OrderFeatures } from './context.ts';
import { editOrder, type EditContext } from './edit-order.ts';
import { checkAccount, checkAmount, checkTime, checkWomen } from './order-checks.ts';
import type { RequestInput, RideInput } from './order-input.ts';
import { createMoney } from './money.ts';
import { createMoves } from './moves.ts';
import { createShareLinks } from './share-links/service.ts';
import { publishOrder, publishPair, publishToEvent, type Published } from './publish-order.ts';
import { createOrderQueries } from './order-queries.ts';
import { createAlternativeRoutes } from './alternative-routes.ts';
import { createBoardLate } from './board-late.ts';
import { createRecurringRides } from './recurring/service.ts';
import { createReports } from './reports/service.ts';
import { createUnclear } from './unclear/service.ts';
import { createCascade } from './cascade.ts';
import { followPlan, haveTimeFor, isFreeFor } from './spans/store.ts';
import * as store from './store.ts';
import { isSameWay } from './rules/editing.ts';
import { unjoinedEndsAfterMs } from './rules/may.ts';
import { createQuotes } from './quotes.ts';

export type OrderService = ReturnType<typeof createOrderService>;

const metresPerMile = 1609.344;

/** Orders: publishing, reading and listing rides and requests, and the moves that features above build on. */
export function createOrderService(platform: Platform, features: OrderFeatures) {
  const { db, env } = platform;
  const { geo, matching, payments } = features;
  const money = createMoney(platform, payments);
  const moves = createMoves(platform, money);
  const cascade = createCascade(platform, moves, matching, payments);
  const quotes = createQuotes(geo, matching);
  const context: EditContext = { ...features, platform, moves, quotes, settle: cascade };
  const queries = createOrderQueries(platform, features, quotes);
  const { list, next, timeline, nearby, ofContacts, view, rideViews, requestViews, bookingView, ownBooking } =
    queries;
  const candidates = createCandidates(platform, geo, matching, queries, quotes, context);
  const recurring = createRecurringRides(platform, features, context);
  const shareLinks = createShareLinks(platform, geo, features.identity, matching);

  const viewOf = async (published: Published, personId: string): Promise<Order> =>
    'ride' in published
      ? (await rideViews([published.ride], personId))[0]!
      : (await requestViews([published.request], personId))[0]!;

  return {
    moves,
    settle: cascade,
    money,
    boardLate: createBoardLate(platform, moves, cascade, matching),
    otherWay: createAlternativeRoutes(context),
    isSameWay,
    /** Rides that end on the way. */
    broken: createInterruptedRides(platform, features, { moves, settle: cascade, money }),
    /** Drivers who were reported not to have come. */
    reports: createReports(platform, features),
    /** Rides whose day the server did not see. */
    unclear: createUnclear(platform, features, { moves, settle: cascade, money }),
    // What features above need of the rows, inside their own transactions.
    lockRide: store.lockRide,
    lockedRide: store.lockedRide,
    lockRequest: store.lockRequest,
    rideById: async (id: string) => (await store.ridesByIds(db, [id]))[0] ?? null,
    ridesByIds: (ids: readonly string[]) => store.ridesByIds(db, ids),
    requestsByIds: (ids: readonly string[], tx: Db = db) => store.requestsByIds(tx, ids),
    requestById: async (id: string) => (await store.requestsByIds(db, [id]))[0] ?? null,
    bookingsOf: store.bookingsOf,
    bookingsByIds: store.bookingsByIds,
    rideByNumber: (number: string) => store.rideByNumber(db, number),
    openAsksBetween: (a: string, b: string) => store.openAsksBetween(db, a, b),
    stopsOf: store.stopsOf,
    savePlan: store.savePlan,
    followPlan,
    haveTimeFor,
    isFreeFor,
    claimSeats: store.claimSeats,
    startWaiting: store.startWaiting,
    stopWaiting: store.stopWaiting,
    freeSpan: store.freeSpan,
    passStop: store.passStop,

    // What is due by the clock, at most so much at once.
    dueRides: (limit: number) => store.dueRides(db, platform.clock.now(), limit),
    dueBookings: (limit: number) => store.dueBookings(db, platform.clock.now(), limit),
    dueRequests: (limit: number) => store.dueRequests(db, platform.clock.now(), limit),
    /** Ends some of the orders that are over and never had a booking; how many. */
    expireUnasked: (kind: 'ride' | 'request', limit: number): Promise<number> => {
      const lastAt =
        kind === 'ride' ? later(platform.clock.now(), -unjoinedEndsAfterMs) : platform.clock.now();
      return platform.transact((tx) => moves.expireUnasked(tx, kind, { lastAt, limit }));
    },

    // What a plan that is not published is checked by: the same as one that is.
    locateWay: quotes.locateWay,
    checkTime: checkTime.bind(null, context),
    checkAmount: checkAmount.bind(null, context),
    checkAccount: checkAccount.bind(null, context),
    checkWomen: checkWomen.bind(null, context),

    list,
    next,

    /** One order that the viewer may see, with its way and what it was planned together with. Refuses `order.notFound`. */
    async detail(idOrNumber: string, viewerId: string): Promise<OutputOf<typeof calls.orderDetail>> {
      const { order, route, proposedRoute } = await queries.detail(idOrNumber, viewerId);
      const { role, id } = order;
      const [row] = await (role === 'driver' ? store.ridesByIds(db, [id]) : store.requestsByIds(db, [id]));
      const { pairedId, series: own } = await recurring.around(role, row!);
      const maySee = role === 'driver' ? store.maySeeRide : store.maySeeRequest;
      const isShown = pairedId !== null && (await maySee(db, pairedId, viewerId));
      return {
        order,
        route,
        proposedRoute,
        paired: isShown ? await view(pairedId, viewerId) : null,
        series: order.mine ? own : null,
      };
    },

    timeline,
    calendar: createCalendar(platform, features.identity, queries),
    nearby,
    ofContacts,
    view,
    rideViews,
    requestViews,
    bookingView,
    ownBooking,
    ...candidates,
    series: recurring,
    links: shareLinks,

    /** Publishes an order and returns its view. Refusals name the field under `order.`; nothing is stored then. */
    create: async (personId: string, order: RideInput | RequestInput): Promise<Order> =>
      viewOf(await publishOrder(context, personId, order), personId),

    /** Publishes the way there and the way back, both or neither, and returns their views. */
    async createPair(
      personId: string,
      input: { order: RideInput | RequestInput; back: RideInput | RequestInput },
    ): Promise<OutputOf<typeof createPair>> {
      const { order, back } = await publishPair(context, personId, input.order, input.back);
      return { order: await viewOf(order, personId), back: await viewOf(back, personId) };
    },

    /**
     * Publishes a person's ways to an event and home, all or none, and returns their views. That the event is one for
     * them is for the caller to know. Refusals name the field under `orders.0.`, `orders.1.`
     */
    async createToEvent(personId: string, orders: readonly (RideInput | RequestInput)[]): Promise<Order[]> {
      const published = await publishToEvent(context, personId, orders);
      return Promise.all(published.map((each) => viewOf(each, personId)));
    },

    /** Edits one's order and returns its view. Refusals name the field under `order.`; nothing is changed then. */
    async update(id: string, personId: string, order: RideInput | RequestInput): Promise<{ order: Order }> {
      await editOrder(context, personId, id, order);
      return { order: await view(id, personId) };
    },

    /** The way between two places, in the traffic of an hour there where one is told, and what a share of it is worth. */
    async quote(way: {
      from: Place;
      via: Place[];
      to: Place;
      localHour: string | null;
    }): Promise<OutputOf<typeof calls.quote>> {
      const { legs } = quotes.locateLegs(way, '');
      const permille = way.localHour === null ? freePermille : geo.trafficPermilleIn(way.from, way.localHour);
      const route = quotes.viewOf(legs, permille);
      const aloneMs = legs.reduce(
        (sum, leg) => sum + inTraffic(leg.milliseconds, permille),
        viaStandsMs * way.via.length,
      );
      const asked = await store.askedShares(db, route.metres);
      return {
        route,
        timeZone: geo.timeZoneAt(way.from.lon, way.from.lat),
        advisedShareCents: Math.round((route.metres / metresPerMile) * env.ADVISED_CENTS_PER_MILE),
        askedLowCents: asked.low,
        askedHighCents: asked.high,
        defaultMaxDetourSeconds: Math.round(defaultMaxDetourMs(aloneMs) / 1000),
      };
    },
  };
}

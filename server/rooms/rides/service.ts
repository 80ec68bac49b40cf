import type { OutputOf } from '#contract/define.ts';
import type * as calls from '#contract/rides/endpoints.ts';
import type { Order } from '#contract/rides/views.ts';
import type { Place } from '#contract/units.ts';
import type { Base } from '../../base/base.ts';
import { Refusal } from '../../base/refusal.ts';
import type { EventsService } from '../events/service.ts';
import type { GeoService } from '../geo/service.ts';
import type { IdentityService } from '../identity/service.ts';
import { defaultMaxDetourMs, type MatchingService } from '../matching/service.ts';
import type { VehiclesService } from '../vehicles/service.ts';
import { createCandidates } from './candidates.ts';
import { createCalendar } from './calendar.ts';
import { createEditing } from './editing.ts';
import { createMoves } from './moves.ts';
import { createPublishing, type RequestInput, type RideInput } from './publishing.ts';
import { createReading } from './reading.ts';
import { createSettle } from './settling.ts';
import * as store from './store.ts';
import { createWays } from './ways.ts';

export type { RequestInput, RideInput } from './publishing.ts';
export type { BookingRow, RequestRow, RideRow } from './store.ts';
export { bySystem, type By } from './moves.ts';
export { lostBooking } from './settling.ts';
export { abandonedAfterMs, mayMoveBooking, mayMoveRide, unjoinedEndsAfterMs } from './rules/may.ts';
export { bookingFacts, rideFacts } from './view.ts';

export type RidesService = ReturnType<typeof createRides>;

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
  const { db, env, transact } = base;
  const { geo, matching } = rooms;
  const moves = createMoves(base);
  const settle = createSettle(base, moves, matching);
  const ways = createWays(geo, matching);
  const publishing = createPublishing(base, rooms, moves, ways);
  const { publishRide, publishRequest, checkTime, checkAmount } = publishing;
  const editing = createEditing(base, publishing, moves, settle);
  const reading = createReading(base, rooms, ways);
  const { list, next, detail, timeline, nearby, view, rideViews, requestViews, bookingView, ownBooking } =
    reading;
  const candidates = createCandidates(base, geo, matching, reading, ways);

  return {
    moves,
    settle,
    // What rooms above need of the rows, inside their own transactions.
    lockRide: store.lockRide,
    lockRequest: store.lockRequest,
    rideById: async (id: string) => (await store.ridesByIds(db, [id]))[0] ?? null,
    ridesByIds: (ids: readonly string[]) => store.ridesByIds(db, ids),
    requestsByIds: (ids: readonly string[]) => store.requestsByIds(db, ids),
    requestById: async (id: string) => (await store.requestsByIds(db, [id]))[0] ?? null,
    bookingsOf: store.bookingsOf,
    bookingsByIds: store.bookingsByIds,
    openAsksBetween: (a: string, b: string) => store.openAsksBetween(db, a, b),
    stopsOf: store.stopsOf,
    savePlan: store.savePlan,
    claimSeats: store.claimSeats,
    startWaiting: store.startWaiting,
    stopWaiting: store.stopWaiting,
    freeSpan: store.freeSpan,
    due: (now: Date) => store.due(db, now),

    // What a plan that is not published is checked by: the same as one that is.
    locateWay: ways.locateWay,
    checkTime,
    checkAmount,

    list,
    next,
    detail,
    timeline,
    calendar: createCalendar(base, rooms.identity, reading),
    nearby,
    view,
    rideViews,
    requestViews,
    bookingView,
    ownBooking,
    ...candidates,

    /** Publishes an order and returns its view. Refusals name the field under `order.`; nothing is stored then. */
    async create(personId: string, order: RideInput | RequestInput): Promise<Order> {
      if (order.role === 'driver')
        return (await rideViews([await publishRide(personId, order)], personId))[0]!;
      return (await requestViews([await publishRequest(personId, order)], personId))[0]!;
    },

    /**
     * Publishes several rides of one driver, or several requests of one passenger, all or none. Whether their event is
     * one for this person is for the caller to know. Refusals name the field under `orders.0.`, `orders.1.` …
     */
    async createTogether(
      personId: string,
      orders: readonly RideInput[] | readonly RequestInput[],
    ): Promise<Order[]> {
      const publish = orders.map((order, at) =>
        atOrder(at, () =>
          order.role === 'driver'
            ? publishing.preparedRide(personId, order)
            : publishing.preparedRequest(personId, order),
        ),
      );
      const ids = await transact(async (tx) => {
        const written: string[] = [];
        for (const [at, one] of publish.entries())
          written.push((await one(tx).catch((error: unknown) => refusedAt(at, error))).id);
        return written;
      });
      return Promise.all(ids.map((id) => view(id, personId)));
    },

    /** Edits one's order and returns its view. Refusals name the field under `order.`; nothing is changed then. */
    async update(id: string, personId: string, order: RideInput | RequestInput): Promise<{ order: Order }> {
      await editing.update(personId, id, order);
      return { order: await view(id, personId) };
    },

    /** The way between two places and what a share of it is worth. */
    async quote(way: { from: Place; to: Place }): Promise<OutputOf<typeof calls.quote>> {
      const { route } = ways.locateWay(way.from, way.to, '');
      const asked = await store.askedShares(db, route.metres);
      return {
        route: ways.routeView(route),
        timeZone: geo.timeZoneAt(way.from.lon, way.from.lat),
        advisedShareCents: Math.round((route.metres / metresPerMile) * env.ADVISED_CENTS_PER_MILE),
        askedLowCents: asked.low,
        askedHighCents: asked.high,
        defaultMaxDetourSeconds: Math.round(defaultMaxDetourMs(route.milliseconds) / 1000),
      };
    },
  };
}

/** A refusal of one of several orders names its fields by the order's position. */
function refusedAt(at: number, error: unknown): never {
  const fields: unknown = error instanceof Refusal ? error.data?.['fields'] : undefined;
  if (!(error instanceof Refusal) || typeof fields !== 'object' || fields === null) throw error;
  const named = Object.entries(fields).map(([field, words]) => [
    field.replace(/^order\b/, `orders.${at}`),
    words,
  ]);
  const { reason, message, code, data } = error;
  throw new Refusal(reason, message, {
    code,
    data: { ...data, fields: Object.fromEntries(named) as unknown },
  });
}

function atOrder<T>(at: number, work: () => T): T {
  try {
    return work();
  } catch (error) {
    return refusedAt(at, error);
  }
}

import path from 'node:path';
import { crc32 } from 'node:zlib';
import type { App } from '../../app-type.ts';
import { secondMs } from '../../platform/clock.ts';
import type { Env } from '../../platform/env.ts';
import type { Log } from '../../platform/observability/log.ts';
import { roadNetwork } from '../geo/service.ts';
import { assignRides } from './assign-rides.ts';
import { Assigner } from './assignment/client.ts';
import type { MatchingContext } from './context.ts';
import type { Draft } from './draft-wish.ts';
import { explainPair } from './explain-pair.ts';
import {
  requestsForRide,
  ridesForDraft,
  ridesForDrafts,
  ridesForRequest,
  ridesForRequests,
} from './find-fits.ts';
import { fitPair } from './fit-pair.ts';
import { indexGauges } from './gauges.ts';
import { insertionAhead } from './insertion-ahead.ts';
import { fitDrafts, fitOffers } from './judge-pairs.ts';
import { createSpotsNear } from './meeting-points.ts';
import { OrderIndex } from './order-index.ts';
import { planOf } from './pair.ts';
import { serveIndex, type IndexServer } from './processes/index-server.ts';
import { ordersOfRegions, ownPart } from './processes/own-regions.ts';
import { RemoteIndex } from './processes/remote-index.ts';
import { everything, type Around, type Fit, type Part } from './rank-fits.ts';
import { createRoadTimes } from './road-times.ts';
import type { Plan } from './rules/plan.ts';
import { reroute, type Rerouted, type Rider } from './rules/rerouting.ts';
import type { Spot, Wish } from './rules/wish.ts';
import type { SearchIndex } from './search-index.ts';
import * as store from './store.ts';
import { tellBooking, tellPair, type Side, type Told } from './tell-pair.ts';

export type { Told } from './tell-pair.ts';
export { wholeHundreds, wholeMinutes } from './rules/rounding.ts';
export type { Insertion } from './rules/insertion.ts';
export type { Plan } from './rules/plan.ts';
export type { Spot, Wish } from './rules/wish.ts';
export type { Verdict } from './engine/entries.ts';
export type { RegionPart, RequestRow, RideRow } from './store.ts';
export { agreedSpot } from './store.ts';
export { arriveByMs, defaultMaxDetourMs } from './rules/detour.ts';
export { withBooking } from './rules/insertion.ts';
export {
  boardingMs as viaStandsMs,
  inOtherTraffic,
  planAlone,
  withoutBooking,
  type Via,
} from './rules/plan.ts';
export { carShares } from './rules/car-shares.ts';
export { ceilingCents, leastShareCents } from './rules/price.ts';
export type { RideAssignment } from './assign-rides.ts';
export type { Draft, PlacedDraft } from './draft-wish.ts';
export type { Offer } from './judge-pairs.ts';
export type { Around, Fit, Part } from './rank-fits.ts';

export type MatchingService = ReturnType<typeof createMatching>;

/** What matching depends on, and what it reads from orders. */
export interface MatchingFeatures {
  orders: store.OrderDirectory;
}

/** Which rides and requests fit each other, exactly, on the loaded roads. */
export function createMatching(platform: App, features: MatchingFeatures) {
  const { db, kept, clock, log, env, metrics } = platform;
  const { orders } = features;
  const spotsNear = createSpotsNear(platform);
  const roads = createRoadTimes(platform, spotsNear);
  // Its thread begins with the first question.
  const own = new OrderIndex({
    db,
    kept,
    log,
    orders: ordersOfRegions(orders, env),
    roads: {
      shared: roadNetwork(platform).shared,
      files: {
        cells: path.join(env.DATA_DIR, 'matching', 'roads.cells'),
        times: path.join(env.DATA_DIR, 'matching', 'roads.times'),
      },
    },
    threads: env.MATCHING_THREADS,
    snapshot: snapshotPlace(env),
    onSearch: (kind, tookMs) =>
      metrics.noteSearch({ of: kind === 'ridesFor' ? 'rides' : 'requests', seconds: tookMs / secondMs }),
  });
  for (const gauge of indexGauges(own)) metrics.addGauge(gauge);
  const index = indexFor(own, env, log);
  const assigner = new Assigner(roadNetwork(platform).shared);
  const context: MatchingContext = { platform, db, clock, ...features, roads, spotsNear, index, assigner };
  return {
    pointAt: roads.pointAt,
    travel: roads.travel,
    /** Meeting points near a place, for a request that is being published. */
    spotsNear,
    ...lists(context),
    ...pairs(context),
    ridesForDrafts: ridesForDrafts.bind(null, context),
    fitDrafts: fitDrafts.bind(null, context),
    fitOffers: fitOffers.bind(null, context),
    assign: assignRides.bind(null, context),

    /** The drive between two places by their rounded points. */
    betweenRounded: roads.betweenRounded,
    plansFrom: store.plansFrom,
    /** A published request as the input of matching. */
    wishOf: store.wishOf,
    planOf: planOf.bind(null, context),
    index,
    /** Lets other processes ask this one about the open orders that it holds. */
    serve: (at: { port: number; secret: string }): Promise<IndexServer> => serveIndex(own, { env, log }, at),
    /** Reads the open orders that this process holds for others. */
    warmServed: (): Promise<void> => own.warm(),
    close: async (): Promise<void> => {
      await Promise.all([own.close(), index.close(), assigner.close()]);
    },
  };
}

/** What this process asks: matching processes where there are some, else a thread of its own. */
function indexFor(own: OrderIndex, env: Env, log: Log): SearchIndex {
  const { MATCHING_URLS: groups, MATCHING_SECRET: secret } = env;
  if (groups === undefined || secret === undefined) return own;
  return new RemoteIndex({ groups, secret, env, log });
}

/** Where the index is stored between starts: a file for each part of the orders. */
function snapshotPlace(env: Env): { file: string; part: string } {
  const part = JSON.stringify(ownPart(env));
  const name = part === 'null' ? 'orders.index' : `orders-${crc32(part).toString(16)}.index`;
  return { file: path.join(env.DATA_DIR, 'matching', name), part };
}

/** The fits of one order among all open ones. */
const lists = (context: MatchingContext) => ({
  /** Rides that fit a published request, best first: the first 500. */
  ridesForRequest: async (request: store.RequestRow): Promise<Fit[]> =>
    (await ridesForRequest(context, request, everything)).fits,
  aroundRequest: ridesForRequest.bind(null, context),
  aroundRequests: ridesForRequests.bind(null, context),
  /** Rides that fit a draft, best first: for the server's own use, never shown to a person. */
  ridesForDraft: async (draft: Draft, viewerId: string | null): Promise<Fit[]> =>
    (await ridesForDraft(context, draft, { viewerId, isRounded: false }, everything)).fits,
  /** Rides that fit a draft, judged by their rounded places. */
  aroundDraft: (draft: Draft, viewerId: string | null, part: Part): Promise<Around> =>
    ridesForDraft(context, draft, { viewerId, isRounded: true }, part),
  /** Requests that fit a ride, best first: the first 500. */
  requestsForRide: async (ride: store.RideRow): Promise<Fit[]> =>
    (await requestsForRide(context, ride, everything)).fits,
  aroundRide: requestsForRide.bind(null, context),
});

/** How one ride and one request fit. */
const pairs = (context: MatchingContext) => ({
  explain: explainPair.bind(null, context),
  told: (viewer: Side, plan: Plan, wish: Wish, spots: { pickup: Spot; dropoff: Spot }): Told =>
    tellPair(context.roads, viewer, { plan, wish }, spots),
  toldBooking: (viewer: Side, plan: Plan, request: store.RequestRow, booking: store.BookingRow): Told =>
    tellBooking(context.roads, viewer, plan, { request, booking }),
  fit: fitPair.bind(null, context),
  insertionAhead: insertionAhead.bind(null, context.roads),
  /** Fits the passengers of the present route into another one. */
  reroute: (alone: Plan, riders: readonly Rider[]): Rerouted =>
    reroute(alone, riders, { drivesOf: context.roads.drivesOf, travel: context.roads.foundTravel }),
});

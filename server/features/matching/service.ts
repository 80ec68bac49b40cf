import type { Preferences } from '#contract/rides/preferences.ts';
import type { Travel } from '#roads/graph/network.ts';
import { inTraffic } from '#roads/graph/traffic.ts';
import type { Platform } from '../../platform/platform.ts';
import type { StoredSpot } from '../../schema/rides.ts';
import { blockedWith } from '../contacts/queries.ts';
import type { ContactsService } from '../contacts/service.ts';
import type { GeoService } from '../geo/service.ts';
import type { IdentityService } from '../identity/service.ts';
import { Assigner } from './assignment/client.ts';
import { assignEffort, type RidePlan } from './assignment/problem.ts';
import type { Answer, Hit, Verdict } from './engine/entries.ts';
import { OrderIndex } from './order-index.ts';
import { createPairs, type Side, type Told } from './pairs.ts';
import { arriveByMs } from './rules/detour.ts';
import { planFrom, wishFrom } from './rules/from-now.ts';
import type { Insertion } from './rules/insertion.ts';
import type { NearMiss } from './rules/near-miss.ts';
import { planAlone, type Plan } from './rules/plan.ts';
import { maskOf, suits } from './rules/preferences.ts';
import { shareCents, withinOffer } from './rules/price.ts';
import { personScore, type PersonFacts } from './rules/ranking.ts';
import { roundedPlan } from './rules/rounding.ts';
import { door, meetingSpot, type Wish } from './rules/wish.ts';
import { spotsNear } from './meeting-points.ts';
import * as store from './store.ts';

export type { Told } from './pairs.ts';
export { wholeHundreds, wholeMinutes } from './rules/rounding.ts';
export type { Insertion } from './rules/insertion.ts';
export type { Plan } from './rules/plan.ts';
export type { Spot, Wish } from './rules/wish.ts';
export type { Verdict } from './engine/entries.ts';
export type { RequestRow, RideRow } from './store.ts';
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

export type MatchingService = ReturnType<typeof createMatching>;

/** A passenger's wish before it is published. */
export interface Draft {
  from: { lon: number; lat: number };
  to: { lon: number; lat: number };
  earliestAt: Date;
  latestAt: Date;
  seats: number;
  offerCents: number | null;
  walkMetres: number;
  preferences: Preferences;
}

/** What a driver would offer: a ride that is not published, with nobody on board. */
export interface Offer {
  from: { lon: number; lat: number };
  to: { lon: number; lat: number };
  /** The free one. */
  drive: Travel;
  earliestAt: Date;
  latestAt: Date;
  seats: number;
  maxDetourMs: number;
  priceKind: 'perPerson' | 'perCar';
  costCents: number;
  preferences: Preferences;
}

/** A draft whose meeting points and free drive are known already. */
export interface PlacedDraft extends Draft {
  pickupSpots: readonly StoredSpot[];
  dropoffSpots: readonly StoredSpot[];
  driveMs: number;
}

/** A ride and a wish that fit, with everything the fit rests on. */
export interface Fit {
  ride: store.RideRow;
  request: store.RequestRow | null;
  insertion: Insertion;
  /** What the one who looks may be told of it. */
  told: Told;
  fareCents: number;
  /** Of the other person, as the viewer knows them. */
  person: PersonFacts;
  seatsLeft: number;
  score: number;
}

/** A page of those who fit, how many they are in all, and those who almost do: as they would be after the smallest change. */
export interface Around {
  fits: Fit[];
  total: number;
  nearMisses: { fit: Fit; miss: NearMiss }[];
}

/** A part of the ranked list; near misses are looked for only where they are wanted. */
export interface Part {
  offset: number;
  limit: number;
  near: boolean;
}

/** A ride and a request that go together. */
export interface AssignedPair {
  rideId: string;
  requestId: string;
}

/** Who rides with whom among some rides and requests. */
export interface RideAssignment {
  assigned: (AssignedPair & { pickupAt: Date; dropoffAt: Date })[];
  /** Pairs that were to be kept and may not or cannot ride together any more. */
  lost: AssignedPair[];
  /** Requests that nobody takes along. */
  left: string[];
  rides: Map<string, RidePlan>;
}

/** Who is ranked with regard to people, and can be listed; all are counted. */
const mostRanked = 500;
const mostNearMisses = 5;
/** More than are shown: some may be out of sight. */
const nearMissesAsked = 10;
const everything: Part = { offset: 0, limit: mostRanked, near: false };

/** What matching stands on, and what orders say of themselves. */
export interface MatchingFeatures {
  geo: GeoService;
  identity: IdentityService;
  contacts: ContactsService;
  orders: store.OrderDirectory;
}

/** Which rides and requests fit each other, exactly, on the loaded roads. */
export function createMatching(
  { db, clock, log }: Platform,
  { geo, identity, contacts, orders }: MatchingFeatures,
) {
  const pairs = createPairs(geo, orders, () => clock.now().getTime());
  const index = new OrderIndex({ db, log, orders, roads: { shared: geo.network.shared } });
  const assigner = new Assigner(geo.network.shared);

  async function askerOf(viewerId: string | null, near: boolean) {
    return {
      nowMs: clock.now().getTime(),
      hidden: viewerId === null ? [] : [viewerId, ...(await blockedWith(db, viewerId))],
      most: mostRanked,
      nearMisses: near ? nearMissesAsked : 0,
    };
  }

  /** What the viewer knows of the people of some orders. */
  async function personFacts(
    viewerId: string | null,
    side: 'driver' | 'passenger',
    ids: readonly string[],
  ): Promise<(id: string) => PersonFacts> {
    const [people, common, mine, answers] = await Promise.all([
      identity.people(ids),
      viewerId === null ? new Map<string, number>() : contacts.contactsInCommon(viewerId, ids),
      viewerId === null ? new Set<string>() : contacts.contactIds(viewerId).then((all) => new Set(all)),
      orders.answersOf(db, side, ids),
    ]);
    return (id) => ({
      rating: people.get(id)?.rating ?? null,
      verifiedDriver: people.get(id)?.verifiedDriver ?? false,
      isContact: mine.has(id),
      contactsInCommon: common.get(id) ?? 0,
      asked: answers.get(id)?.asked ?? 0,
      accepted: answers.get(id)?.accepted ?? 0,
    });
  }

  /** One hit as the database has it now, or null where it has moved on meanwhile. */
  function fitOf(
    of: {
      ride: store.RideRow;
      plan: Plan;
      request: store.RequestRow | null;
      wish: Wish;
      offerCents: number | null;
      joinedSeats: number;
    },
    hit: Hit,
    miss: NearMiss | null,
    about: { viewer: Side; person: PersonFacts },
  ): Fit | null {
    const pair = pairs.changed(of.ride, of.plan, of.wish, of, miss);
    const { plan, wish } = pair;
    const insertion = pairs.insertionAt(plan, wish, hit.choice.pickupSpot, hit.choice.dropoffSpot);
    if (insertion === null) return null;
    const { person } = about;
    const stretch = plan.stops.slice(insertion.pickupAfter, insertion.dropoffAfter + 1);
    return {
      ride: of.ride,
      request: of.request,
      insertion,
      fareCents: pair.fareCentsOf(wish.seats),
      told: pairs.told(about.viewer, plan, wish, insertion),
      person,
      seatsLeft: plan.seats - wish.seats - Math.max(...stretch.map((stop) => stop.seatsTaken)),
      score: hit.score + personScore(person),
    };
  }

  /**
   * Ranks an answer by people too and makes a part of it whole.
   * @param seen the orders among its hits and near misses that the viewer may see, with whose they are.
   * @param whole the rows of some hits as they are now.
   */
  async function around(
    answer: Answer,
    part: Part,
    of: {
      viewerId: string | null;
      side: 'driver' | 'passenger';
      isPublic: boolean;
      seen: readonly { id: string; personId: string }[];
      whole(ids: readonly string[]): Promise<Map<string, Parameters<typeof fitOf>[0]>>;
    },
  ): Promise<Around> {
    const personOf = new Map(of.seen.map(({ id, personId }) => [id, personId]));
    const facts = await personFacts(of.viewerId, of.side, [...new Set(personOf.values())]);
    const factsOf = (hit: Hit) => facts(personOf.get(hit.id)!);
    const hits = answer.hits.filter(({ id }) => personOf.has(id));
    const ranked = hits
      .map((hit) => ({ hit, score: hit.score + personScore(factsOf(hit)) }))
      // By id last, so that equal scores keep their order from one call to the next.
      .toSorted(
        (a, b) =>
          a.score - b.score ||
          a.hit.choice.pickupMs - b.hit.choice.pickupMs ||
          a.hit.id.localeCompare(b.hit.id),
      )
      .slice(part.offset, part.offset + part.limit)
      .map(({ hit }) => hit);
    const near = answer.nearMisses.filter(({ hit }) => personOf.has(hit.id)).slice(0, mostNearMisses);
    const rows = await of.whole([...ranked, ...near.map(({ hit }) => hit)].map(({ id }) => id));
    const made = (hit: Hit, miss: NearMiss | null): Fit[] => {
      const row = rows.get(hit.id);
      const viewer = of.side === 'driver' ? 'passenger' : 'driver';
      const fit = row === undefined ? null : fitOf(row, hit, miss, { viewer, person: factsOf(hit) });
      return fit === null ? [] : [fit];
    };
    const found = answer.publicCount + answer.restrictedCount;
    return {
      fits: ranked.flatMap((hit) => made(hit, null)),
      // Beyond those listed, public orders are counted as the index found them.
      total:
        found <= mostRanked || !of.isPublic
          ? hits.length
          : answer.publicCount + hits.filter(({ isPublic }) => !isPublic).length,
      nearMisses: near.flatMap(({ hit, miss }) => made(hit, miss).map((fit) => ({ fit, miss }))),
    };
  }

  async function ridesFor(
    wish: Wish,
    about: {
      passengerId: string | null;
      request: store.RequestRow | null;
      offerCents: number | null;
      women: boolean;
      /** Judges rides by their rounded places; the insertion of each fit is then made on those. */
      byRounded?: boolean;
    },
    part: Part,
  ): Promise<Around> {
    const { passengerId, request, offerCents, byRounded = false } = about;
    const asker = await askerOf(passengerId, part.near);
    const answer = await index.ask({ kind: 'ridesFor', wish, offerCents, asker, byRounded });
    const ids = [...answer.hits, ...answer.nearMisses.map(({ hit }) => hit)].map(({ id }) => id);
    const requestId = request?.id ?? null;
    return around(answer, part, {
      viewerId: passengerId,
      side: 'driver',
      isPublic: !about.women && (request === null || request.visibility === 'all users'),
      seen: await orders.visibleRides(db, {
        rideIds: ids,
        passengerId,
        requestId,
        women: about.women,
        now: clock.now(),
      }),
      async whole(rideIds) {
        const rows = await orders.ridesByIds(db, rideIds);
        const [plans, joined] = await Promise.all([
          store.plansOf(db, orders, rows),
          orders.joinedSeats(db, rideIds),
        ]);
        return new Map(
          rows.map((ride) => {
            const joinedSeats = joined.get(ride.id) ?? 0;
            const exact = plans.get(ride.id)!;
            const plan = byRounded ? roundedPlan(exact, pairs.betweenRounded) : exact;
            return [ride.id, { ride, plan, request: null, wish, offerCents, joinedSeats }];
          }),
        );
      },
    });
  }

  async function requestsFor(ride: store.RideRow, part: Part): Promise<Around> {
    const [plan, joined] = await Promise.all([pairs.planOf(db, ride), orders.joinedSeats(db, [ride.id])]);
    const joinedSeats = joined.get(ride.id) ?? 0;
    const { driverId, priceKind, costCents } = ride;
    const asker = await askerOf(driverId, part.near);
    const answer = await index.ask({
      kind: 'requestsFor',
      ride: { driverId, plan, priceKind, costCents, joinedSeats },
      asker,
    });
    const ids = [...answer.hits, ...answer.nearMisses.map(({ hit }) => hit)].map(({ id }) => id);
    return around(answer, part, {
      viewerId: driverId,
      side: 'passenger',
      isPublic: ride.visibility === 'all users' && !ride.women,
      seen: await orders.visibleRequests(db, { ride, requestIds: ids, now: clock.now() }),
      async whole(requestIds) {
        const rows = await orders.requestsByIds(db, requestIds);
        return new Map(
          rows.map((request) => {
            const { offerCents } = request;
            return [
              request.id,
              { ride, plan, request, wish: store.wishOf(request), offerCents, joinedSeats },
            ];
          }),
        );
      },
    });
  }

  function ridesForPublished(request: store.RequestRow, part: Part): Promise<Around> {
    const { passengerId, offerCents, women } = request;
    return ridesFor(store.wishOf(request), { passengerId, request, offerCents, women }, part);
  }

  function draftWish(draft: PlacedDraft): Wish {
    const latestMs = draft.latestAt.getTime();
    const driveMs = inTraffic(draft.driveMs, geo.trafficPermilleAt(draft.from, draft.latestAt));
    return {
      seats: draft.seats,
      pickups: [door(draft.from), ...draft.pickupSpots.map(meetingSpot)],
      dropoffs: [door(draft.to), ...draft.dropoffSpots.map(meetingSpot)],
      walkMetres: draft.walkMetres,
      earliestMs: draft.earliestAt.getTime(),
      latestMs,
      arriveByMs: arriveByMs(latestMs, driveMs),
      preferences: maskOf(draft.preferences),
    };
  }

  function ridesForUnpublished(
    draft: Draft,
    viewerId: string | null,
    part: Part,
    byRounded: boolean,
  ): Promise<Around> {
    const direct = pairs.travel(draft.from, draft.to);
    if (direct === null) return Promise.resolve({ fits: [], total: 0, nearMisses: [] });
    const wish = draftWish({
      ...draft,
      pickupSpots: spotsNear(geo, draft.from, draft.walkMetres),
      dropoffSpots: spotsNear(geo, draft.to, draft.walkMetres),
      driveMs: direct.milliseconds,
    });
    const { offerCents } = draft;
    const { women } = draft.preferences;
    return ridesFor(wish, { passengerId: viewerId, request: null, offerCents, women, byRounded }, part);
  }

  return {
    pointAt: pairs.pointAt,
    travel: pairs.travel,
    /** Meeting points near a place, for a request that is being published. */
    spotsNear: (at: { lon: number; lat: number }, walkMetres: number) => spotsNear(geo, at, walkMetres),

    /** Rides that fit a published request, best first: the first 500. */
    ridesForRequest: async (request: store.RequestRow): Promise<Fit[]> =>
      (await ridesForPublished(request, everything)).fits,
    aroundRequest: ridesForPublished,

    /** Rides that fit a wish which is not published yet, best first: for the server's own use, no one is told of them. */
    ridesForDraft: async (draft: Draft, viewerId: string | null): Promise<Fit[]> =>
      (await ridesForUnpublished(draft, viewerId, everything, false)).fits,
    /**
     * Rides that fit a wish which is not published yet, judged by their rounded places: a draft costs nothing, and
     * whether it fits must tell nothing of a door. Empty where its places cannot be reached.
     */
    aroundDraft: (draft: Draft, viewerId: string | null, part: Part): Promise<Around> =>
      ridesForUnpublished(draft, viewerId, part, true),

    /** Requests that fit a ride, best first: the first 500. */
    requestsForRide: async (ride: store.RideRow): Promise<Fit[]> =>
      (await requestsFor(ride, everything)).fits,
    aroundRide: requestsFor,

    /**
     * How one ride as it stands fits each of these wishes, in their order; null where it does not. By the rounded places
     * of the ride: the wishes are private and cost nothing.
     */
    async fitDrafts(ride: store.RideRow, drafts: readonly PlacedDraft[]): Promise<Verdict[]> {
      const [exact, joined] = await Promise.all([pairs.planOf(db, ride), orders.joinedSeats(db, [ride.id])]);
      const { priceKind, costCents } = ride;
      const plan = roundedPlan(exact, pairs.betweenRounded);
      const offer = { plan, priceKind, costCents, joinedSeats: joined.get(ride.id) ?? 0 };
      return inTurns(drafts, (some) =>
        index.judge({
          kind: 'ridePairs',
          nowMs: clock.now().getTime(),
          ride: offer,
          wishes: some.map((draft) => ({ wish: draftWish(draft), offerCents: draft.offerCents })),
        }),
      );
    },

    /**
     * How one request fits each of these offers, in their order; null where it does not. By the rounded places of the
     * request, as above.
     */
    fitOffers(request: store.RequestRow, offers: readonly Offer[]): Promise<Verdict[]> {
      const { offerCents } = request;
      const wish = pairs.roundedWish(store.wishOf(request));
      return inTurns(offers, (some) => {
        const rides = some.map((offer) => ({
          plan: planAlone({
            ...offer,
            preferences: maskOf(offer.preferences),
            earliestDepartsMs: offer.earliestAt.getTime(),
            latestDepartsMs: offer.latestAt.getTime(),
            trafficPermille: geo.trafficPermilleAt(offer.from, offer.earliestAt),
          }),
          priceKind: offer.priceKind,
          costCents: offer.costCents,
          joinedSeats: 0,
        }));
        return index.judge({ kind: 'wishPairs', nowMs: clock.now().getTime(), wish, offerCents, rides });
      });
    },

    /**
     * Divides requests among rides as they stand: fewest seats left standing first, then the least driving, by all the
     * rules of a fit. The circles, blocks, preferences and prices of each pair count as if it came first.
     * @param of.kept pairs that stay as they are. @param of.barred pairs that are not tried.
     * @param of.search false judges what is kept, and adds nothing.
     */
    async assign(of: {
      rides: readonly store.RideRow[];
      requests: readonly store.RequestRow[];
      kept: readonly AssignedPair[];
      barred: readonly AssignedPair[];
      search: boolean;
    }): Promise<RideAssignment> {
      const { rides, requests } = of;
      const rideIds = rides.map(({ id }) => id);
      const requestIds = requests.map(({ id }) => id);
      const [plans, joined, pairsSeen] = await Promise.all([
        store.plansOf(db, orders, rides),
        orders.joinedSeats(db, rideIds),
        orders.pairsInSight(db, rideIds, requestIds),
      ]);
      const rideAt = new Map(rideIds.map((id, at) => [id, at]));
      const requestAt = new Map(requestIds.map((id, at) => [id, at]));
      const key = ({ rideId, requestId }: AssignedPair) => `${rideId} ${requestId}`;
      const rowsOf = ({ rideId, requestId }: AssignedPair) => ({
        ride: rides[rideAt.get(rideId)!]!,
        request: requests[requestAt.get(requestId)!]!,
      });
      const seen = pairsSeen.filter((pair) => {
        const { ride, request } = rowsOf(pair);
        return suits(maskOf(ride), maskOf(request));
      });
      const barred = new Set(of.barred.map(key));
      const mayPair = (pair: AssignedPair): boolean => {
        const { ride, request } = rowsOf(pair);
        const fareCents = shareCents(ride, request.seats, joined.get(ride.id) ?? 0);
        return withinOffer(fareCents, request.seats, request.offerCents);
      };
      const numbers = (pair: AssignedPair) => ({
        ride: rideAt.get(pair.rideId)!,
        wish: requestAt.get(pair.requestId)!,
      });
      const inSight = new Set(seen.map(key));
      const kept = of.kept.filter((pair) => inSight.has(key(pair)));
      const nowMs = clock.now().getTime();
      const answer = await assigner.assign({
        rides: rides.map(({ id }) => planFrom(plans.get(id)!, nowMs)),
        wishes: requests.map((request) => wishFrom(store.wishOf(request), nowMs)),
        allowed: of.search ? seen.filter((pair) => !barred.has(key(pair)) && mayPair(pair)).map(numbers) : [],
        kept: kept.map(numbers),
        seed: 1,
        budgetMs: assignEffort.budgetMs,
        patience: of.search ? assignEffort.patience : 0,
      });
      const pairOf = ({ ride, wish }: { ride: number; wish: number }): AssignedPair => ({
        rideId: rideIds[ride]!,
        requestId: requestIds[wish]!,
      });
      return {
        assigned: answer.assigned.map((each) => ({
          ...pairOf(each),
          pickupAt: new Date(each.pickupMs),
          dropoffAt: new Date(each.dropoffMs),
        })),
        lost: [...of.kept.filter((pair) => !inSight.has(key(pair))), ...answer.lost.map(pairOf)],
        left: answer.left.map((wish) => requestIds[wish]!),
        rides: new Map(rideIds.map((id, at) => [id, answer.rides[at]!])),
      };
    },

    /** As `explain` of the pairs, on what is committed. */
    explain: (ride: store.RideRow, request: store.RequestRow, viewer: Side) =>
      pairs.explain(db, ride, request, viewer),
    told: pairs.told,
    toldBooking: pairs.toldBooking,
    /** The drive between two places by their rounded points. */
    betweenRounded: pairs.betweenRounded,
    plansOf: (rides: readonly store.RideRow[]) => store.plansOf(db, orders, rides),
    fit: pairs.fit,
    insertionAhead: pairs.insertionAhead,
    reroute: pairs.reroute,
    /** What a published request wishes for, as matching reads it. */
    wishOf: store.wishOf,
    /** The plan of a ride as it stands in a transaction. */
    planOf: pairs.planOf,

    index,
    close: async (): Promise<void> => {
      await Promise.all([index.close(), assigner.close()]);
    },
  };
}

/** So many pairs are judged before the index answers somebody else: some milliseconds. */
const turn = 50;

async function inTurns<T, R>(list: readonly T[], work: (some: T[]) => Promise<R[]>): Promise<R[]> {
  const done: R[] = [];
  for (let from = 0; from < list.length; from += turn)
    done.push(...(await work(list.slice(from, from + turn))));
  return done;
}

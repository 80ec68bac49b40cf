import type { RoadNetwork, RoadPoint, Travel } from '#roads/network.ts';
import type { Base } from '../../base/base.ts';
import type { Db } from '../../base/db.ts';
import type { ContactsService } from '../contacts/service.ts';
import type { GeoService } from '../geo/service.ts';
import type { IdentityService } from '../identity/service.ts';
import { arriveByMs } from './rules/detour.ts';
import { explain, type Explanation, type Pair } from './rules/explain.ts';
import { bestInsertion, type Drives, type Insertion, type Wish } from './rules/insertion.ts';
import { nearMissOf, nearMs, withChange, type NearMiss, type Side } from './rules/near-miss.ts';
import type { Plan, PlanStop } from './rules/plan.ts';
import { shareCents, withinOffer } from './rules/price.ts';
import { scoreOf } from './rules/ranking.ts';
import * as store from './store.ts';

export type { Insertion, Wish } from './rules/insertion.ts';
export type { Plan, PlanStop } from './rules/plan.ts';
export type { RequestRow, RideRow } from './store.ts';
export { arriveByMs, defaultMaxDetourMs } from './rules/detour.ts';
export { withBooking } from './rules/insertion.ts';
export { planAlone, withoutBooking } from './rules/plan.ts';
export { shareCents, splitCarPrice } from './rules/price.ts';

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
}

/** A ride and a wish that fit, with everything the fit rests on. */
export interface Fit {
  ride: store.RideRow;
  request: store.RequestRow | null;
  insertion: Insertion;
  pickup: RoadPoint;
  dropoff: RoadPoint;
  fareCents: number;
  /** Contacts that viewer and other person share. */
  contactsInCommon: number;
  isContact: boolean;
  seatsLeft: number;
  score: number;
}

type Unranked = Omit<Fit, 'score' | 'contactsInCommon' | 'isContact'>;

/** Who fits, and who almost does: the fit as it would be after the smallest change. */
export interface Around {
  fits: Fit[];
  nearMisses: { fit: Fit; miss: NearMiss }[];
}

/** A pair that does not fit, with what both lists are made of. */
interface Missed {
  ride: store.RideRow;
  request: store.RequestRow | null;
  pickup: RoadPoint;
  dropoff: RoadPoint;
  pair: Pair;
  miss: NearMiss;
}

const mostNearMisses = 5;
const maxPointsKept = 100_000;

/** Which rides and requests fit each other, exactly, on the loaded roads. */
export function createMatching(
  { db, clock }: Base,
  geo: GeoService,
  identity: IdentityService,
  contacts: ContactsService,
) {
  const network: RoadNetwork = geo.network;
  const points = new Map<string, RoadPoint | null>();

  /** The road point of a place. Stored points snap onto themselves, so that every time is a function of what is stored. */
  function pointAt(at: { lon: number; lat: number }): RoadPoint | null {
    const key = `${at.lon},${at.lat}`;
    const known = points.get(key);
    if (known !== undefined) return known;
    const point = network.snap(at);
    if (points.size >= maxPointsKept) points.clear();
    points.set(key, point);
    return point;
  }

  function travel(from: { lon: number; lat: number }, to: { lon: number; lat: number }): Travel | null {
    const [a, b] = [pointAt(from), pointAt(to)];
    return a === null || b === null ? null : network.travel(a, b);
  }

  /** Drives from and to the two places of a wish, each by one search for all stops. */
  function drivesOf(pickup: RoadPoint, dropoff: RoadPoint): Drives {
    const [toPickup, fromPickup] = [network.travelTo(pickup), network.travelFrom(pickup)];
    const [toDropoff, fromDropoff] = [network.travelTo(dropoff), network.travelFrom(dropoff)];
    const at = (lookup: (point: RoadPoint) => Travel | null) => (stop: PlanStop) => {
      const point = pointAt(stop);
      return point === null ? null : lookup(point);
    };
    return {
      toPickup: at(toPickup),
      fromPickup: at(fromPickup),
      toDropoff: at(toDropoff),
      fromDropoff: at(fromDropoff),
    };
  }

  /** Drives for one ride, pair by pair. */
  function drivesBetween(
    pickup: { lon: number; lat: number },
    dropoff: { lon: number; lat: number },
  ): Drives {
    return {
      toPickup: (stop) => travel(stop, pickup),
      fromPickup: (stop) => travel(pickup, stop),
      toDropoff: (stop) => travel(stop, dropoff),
      fromDropoff: (stop) => travel(dropoff, stop),
    };
  }

  function wishOf(request: store.RequestRow): Wish {
    return {
      seats: request.seats,
      pickup: { lon: request.fromLon, lat: request.fromLat },
      dropoff: { lon: request.toLon, lat: request.toLat },
      earliestMs: request.earliestAt.getTime(),
      latestMs: request.latestAt.getTime(),
      arriveByMs: request.arriveBy.getTime(),
      direct: { milliseconds: request.driveMs, metres: request.driveMetres, estimated: request.estimated },
    };
  }

  async function rank(
    found: Unranked[],
    viewerId: string | null,
    other: (fit: Unranked) => string,
    wishedMs: (fit: Unranked) => number,
    directMs: (fit: Unranked) => number,
  ): Promise<Fit[]> {
    const others = [...new Set(found.map(other))];
    const [people, common, mine] = await Promise.all([
      identity.people(others),
      viewerId === null ? new Map<string, number>() : contacts.contactsInCommon(viewerId, others),
      viewerId === null ? new Set<string>() : contacts.contactIds(viewerId).then((ids) => new Set(ids)),
    ]);
    const fits = found.map((fit): Fit => {
      const person = people.get(other(fit));
      const contactsInCommon = common.get(other(fit)) ?? 0;
      const isContact = mine.has(other(fit));
      const { insertion } = fit;
      const score = scoreOf({
        detourMs: insertion.detourMs,
        walkMetres: fit.pickup.metresFromRoad + fit.dropoff.metresFromRoad,
        waitMs: insertion.pickupMs - wishedMs(fit),
        slowMs: insertion.dropoffMs - insertion.pickupMs - directMs(fit),
        fareCents: fit.fareCents,
        rating: person?.rating ?? null,
        isContact,
        contactsInCommon,
        verifiedDriver: person?.verifiedDriver ?? false,
      });
      return { ...fit, contactsInCommon, isContact, score };
    });
    // The order number last, so that equal scores keep their order from one call to the next.
    return fits.toSorted(
      (a, b) =>
        a.score - b.score ||
        a.insertion.pickupMs - b.insertion.pickupMs ||
        (a.ride.orderNumber + (a.request?.orderNumber ?? '')).localeCompare(
          b.ride.orderNumber + (b.request?.orderNumber ?? ''),
        ),
    );
  }

  /** The pairs of a ride with a wish, in turn: those that fit, and those that almost do where `near` names who looks. */
  function sift(near: Side | null) {
    const found: Unranked[] = [];
    const missed: Missed[] = [];
    const nowMs = clock.now().getTime();
    return {
      found,
      missed,
      add(of: Omit<Missed, 'miss'>) {
        const { pair, ...rest } = of;
        const fit = fitOf(rest, pair);
        if (fit !== null) return void found.push(fit);
        const miss = near === null ? null : nearMissOf(pair, near, nowMs);
        if (miss !== null) missed.push({ ...of, miss });
      },
    };
  }

  /** The smallest changes first, each pair as it would be then. */
  function nearest(missed: readonly Missed[]): { found: Unranked[]; missOf: Map<string, NearMiss> } {
    const nearby = missed
      .toSorted((a, b) => a.miss.effort - b.miss.effort || keyOf(a).localeCompare(keyOf(b)))
      .slice(0, mostNearMisses);
    return {
      found: nearby.flatMap(({ pair, miss, ...rest }) => fitOf(rest, withChange(pair, miss)) ?? []),
      missOf: new Map(nearby.map((each) => [keyOf(each), each.miss])),
    };
  }

  async function around(
    sifted: { found: Unranked[]; missed: readonly Missed[] },
    rankAll: (found: Unranked[]) => Promise<Fit[]>,
  ): Promise<Around> {
    const { found, missOf } = nearest(sifted.missed);
    const [fits, almost] = await Promise.all([rankAll(sifted.found), rankAll(found)]);
    return {
      fits,
      nearMisses: almost
        .map((fit) => ({ fit, miss: missOf.get(keyOf(fit))! }))
        .toSorted((a, b) => a.miss.effort - b.miss.effort),
    };
  }

  async function ridesFor(
    wish: Wish,
    about: { passengerId: string | null; requestId: string | null; offerCents: number | null },
    near: Side | null,
  ): Promise<Around> {
    const pickup = pointAt(wish.pickup);
    const dropoff = pointAt(wish.dropoff);
    if (pickup === null || dropoff === null) return { fits: [], nearMisses: [] };
    const marginMs = near === null ? 0 : nearMs;
    const rows = await store.ridesInTime(db, {
      passengerId: about.passengerId,
      requestId: about.requestId,
      now: clock.now(),
      earliest: new Date(wish.earliestMs - marginMs),
      arriveBy: new Date(wish.arriveByMs + marginMs),
    });
    const [plans, joined] = await Promise.all([
      store.plansOf(db, rows),
      store.joinedSeats(
        db,
        rows.map((row) => row.id),
      ),
    ]);
    const drives = drivesOf(pickup, dropoff);
    const sifted = sift(near);
    for (const ride of rows) {
      const plan = plans.get(ride.id);
      if (plan === undefined) continue;
      const fareCentsOf = (seats: number) => shareCents(ride, seats, joined.get(ride.id) ?? 0);
      const pair = { plan, wish, drives, offerCents: about.offerCents, fareCentsOf };
      sifted.add({ ride, request: null, pickup, dropoff, pair });
    }
    const middleMs = (wish.earliestMs + wish.latestMs) / 2;
    return around(sifted, (found) =>
      rank(
        found,
        about.passengerId,
        (fit) => fit.ride.driverId,
        () => middleMs,
        () => wish.direct.milliseconds,
      ),
    );
  }

  function ridesForPublished(request: store.RequestRow, near: Side | null): Promise<Around> {
    const { passengerId, id, offerCents } = request;
    return ridesFor(wishOf(request), { passengerId, requestId: id, offerCents }, near);
  }

  async function ridesForUnpublished(
    draft: Draft,
    viewerId: string | null,
    near: Side | null,
  ): Promise<Around> {
    const direct = travel(draft.from, draft.to);
    if (direct === null) return { fits: [], nearMisses: [] };
    const latestMs = draft.latestAt.getTime();
    const wish: Wish = {
      seats: draft.seats,
      pickup: draft.from,
      dropoff: draft.to,
      direct,
      earliestMs: draft.earliestAt.getTime(),
      latestMs,
      arriveByMs: arriveByMs(latestMs, direct.milliseconds),
    };
    return ridesFor(wish, { passengerId: viewerId, requestId: null, offerCents: draft.offerCents }, near);
  }

  async function requestsFor(ride: store.RideRow, near: Side | null): Promise<Around> {
    const plan = (await store.plansOf(db, [ride])).get(ride.id);
    if (plan === undefined) return { fits: [], nearMisses: [] };
    const marginMs = near === null ? 0 : nearMs;
    const until = new Date(
      ride.arrivesAt.getTime() +
        ride.maxDetourMs +
        ride.latestDepartsAt.getTime() -
        ride.earliestDepartsAt.getTime() +
        marginMs,
    );
    const from = new Date(ride.earliestDepartsAt.getTime() - marginMs);
    const [rows, joined] = await Promise.all([
      store.requestsInTime(db, ride, { from, until, now: clock.now() }),
      store.joinedSeats(db, [ride.id]),
    ]);
    const lookups = new Map(
      plan.stops.map((stop) => {
        const point = pointAt(stop);
        return [
          stop,
          point === null ? null : { to: network.travelTo(point), from: network.travelFrom(point) },
        ];
      }),
    );
    const fareCentsOf = (seats: number) => shareCents(ride, seats, joined.get(ride.id) ?? 0);
    const sifted = sift(near);
    for (const request of rows) {
      const wish = wishOf(request);
      const [pickup, dropoff] = [pointAt(wish.pickup), pointAt(wish.dropoff)];
      if (pickup === null || dropoff === null) continue;
      const drives: Drives = {
        toPickup: (stop) => lookups.get(stop)?.from(pickup) ?? null,
        fromPickup: (stop) => lookups.get(stop)?.to(pickup) ?? null,
        toDropoff: (stop) => lookups.get(stop)?.from(dropoff) ?? null,
        fromDropoff: (stop) => lookups.get(stop)?.to(dropoff) ?? null,
      };
      const pair = { plan, wish, drives, offerCents: request.offerCents, fareCentsOf };
      sifted.add({ ride, request, pickup, dropoff, pair });
    }
    const middleMs = (request: store.RequestRow) =>
      (request.earliestAt.getTime() + request.latestAt.getTime()) / 2;
    return around(sifted, (found) =>
      rank(
        found,
        ride.driverId,
        (fit) => fit.request!.passengerId,
        (fit) => middleMs(fit.request!),
        (fit) => fit.request!.driveMs,
      ),
    );
  }

  return {
    pointAt,
    travel,
    wishOf,

    /** Rides that fit a published request, best first. */
    ridesForRequest: async (request: store.RequestRow): Promise<Fit[]> =>
      (await ridesForPublished(request, null)).fits,
    /** The same, and the rides that almost fit. */
    aroundRequest: (request: store.RequestRow): Promise<Around> => ridesForPublished(request, 'passenger'),

    /** Rides that fit a wish which is not published yet, best first. Empty where its places cannot be reached. */
    ridesForDraft: async (draft: Draft, viewerId: string | null): Promise<Fit[]> =>
      (await ridesForUnpublished(draft, viewerId, null)).fits,
    aroundDraft: (draft: Draft, viewerId: string | null): Promise<Around> =>
      ridesForUnpublished(draft, viewerId, 'passenger'),

    /** Requests that fit a ride, best first. */
    requestsForRide: async (ride: store.RideRow): Promise<Fit[]> => (await requestsFor(ride, null)).fits,
    aroundRide: (ride: store.RideRow): Promise<Around> => requestsFor(ride, 'driver'),

    /** Waiting people who can see a ride, wherever and whenever they want to go. */
    waitingWhoSee: (rideId: string): Promise<number> => store.waitingWhoSee(db, rideId, clock.now()),

    /** Rule by rule how one request stands to one ride; that both may see each other is for the caller to know. */
    async explain(ride: store.RideRow, request: store.RequestRow): Promise<Explanation> {
      const [plans, joined] = await Promise.all([
        store.plansOf(db, [ride]),
        store.joinedSeats(db, [ride.id]),
      ]);
      const plan = plans.get(ride.id);
      if (plan === undefined) throw new Error(`ride ${ride.id} has no plan`);
      const wish = wishOf(request);
      return explain({
        plan,
        wish,
        drives: drivesBetween(wish.pickup, wish.dropoff),
        offerCents: request.offerCents,
        fareCentsOf: (seats) => shareCents(ride, seats, joined.get(ride.id) ?? 0),
      });
    },

    /**
     * How one request fits one ride as it stands in `tx`, or null. Price and circles are not asked here: whoever accepts
     * has agreed to the price, and who was invited may join.
     */
    async fit(
      tx: Db,
      ride: store.RideRow,
      request: store.RequestRow,
    ): Promise<{ plan: Plan; wish: Wish; insertion: Insertion } | null> {
      const plan = (await store.plansOf(tx, [ride])).get(ride.id);
      if (plan === undefined) return null;
      const wish = wishOf(request);
      const insertion = bestInsertion(plan, wish, drivesBetween(wish.pickup, wish.dropoff));
      return insertion === null ? null : { plan, wish, insertion };
    },

    /** The plan of a ride as it stands in `tx`. */
    async planOf(tx: Db, ride: store.RideRow): Promise<Plan> {
      const plan = (await store.plansOf(tx, [ride])).get(ride.id);
      if (plan === undefined) throw new Error(`ride ${ride.id} has no plan`);
      return plan;
    },

    seeEachOther: (rideId: string, requestId: string) => store.seeEachOther(db, rideId, requestId),
    /** Whether one of two people has blocked the other. */
    blockBetween: store.blockBetween,
    joinedSeats: (tx: Db, rideIds: readonly string[]) => store.joinedSeats(tx, rideIds),
    rideById: (id: string) => store.rideById(db, id),
    requestById: (id: string) => store.requestById(db, id),
  };
}

const keyOf = ({ ride, request }: Pick<Missed, 'ride' | 'request'>): string =>
  ride.orderNumber + (request?.orderNumber ?? '');

/** A pair that fits, price included, or null. */
function fitOf(of: Omit<Missed, 'miss' | 'pair'>, pair: Pair): Unranked | null {
  const { plan, wish, drives, offerCents, fareCentsOf } = pair;
  const fareCents = fareCentsOf(wish.seats);
  if (!withinOffer(fareCents, wish.seats, offerCents)) return null;
  const insertion = bestInsertion(plan, wish, drives);
  return insertion === null
    ? null
    : { ...of, insertion, fareCents, seatsLeft: seatsLeftAfter(plan, insertion, wish.seats) };
}

/** Seats that stay free on the passenger's own stretch. */
function seatsLeftAfter(plan: Plan, insertion: Insertion, seats: number): number {
  const stretch = plan.stops.slice(insertion.pickupAfter, insertion.dropoffAfter + 1);
  return plan.seats - seats - Math.max(...stretch.map((stop) => stop.seatsTaken));
}

import type { RoadNetwork, RoadPoint, Travel } from '#roads/network.ts';
import type { Base } from '../../base/base.ts';
import type { Db } from '../../base/db.ts';
import type { ContactsService } from '../contacts/service.ts';
import type { GeoService } from '../geo/service.ts';
import type { IdentityService } from '../identity/service.ts';
import { arriveByMs } from './rules/detour.ts';
import { bestInsertion, type Drives, type Insertion, type Wish } from './rules/insertion.ts';
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
    found: Omit<Fit, 'score' | 'contactsInCommon' | 'isContact'>[],
    viewerId: string | null,
    other: (fit: Omit<Fit, 'score' | 'contactsInCommon' | 'isContact'>) => string,
    wishedMs: (fit: Omit<Fit, 'score' | 'contactsInCommon' | 'isContact'>) => number,
    directMs: (fit: Omit<Fit, 'score' | 'contactsInCommon' | 'isContact'>) => number,
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

  async function ridesFor(
    wish: Wish,
    about: { passengerId: string | null; requestId: string | null; offerCents: number | null },
  ): Promise<Fit[]> {
    const pickup = pointAt(wish.pickup);
    const dropoff = pointAt(wish.dropoff);
    if (pickup === null || dropoff === null) return [];
    const rows = await store.ridesInTime(db, {
      passengerId: about.passengerId,
      requestId: about.requestId,
      now: clock.now(),
      earliest: new Date(wish.earliestMs),
      arriveBy: new Date(wish.arriveByMs),
    });
    const [plans, joined] = await Promise.all([
      store.plansOf(db, rows),
      store.joinedSeats(
        db,
        rows.map((row) => row.id),
      ),
    ]);
    const drives = drivesOf(pickup, dropoff);
    const found = rows.flatMap((ride) => {
      const fareCents = shareCents(ride, wish.seats, joined.get(ride.id) ?? 0);
      const plan = plans.get(ride.id);
      if (plan === undefined || !withinOffer(fareCents, wish.seats, about.offerCents)) return [];
      const insertion = bestInsertion(plan, wish, drives);
      return insertion === null
        ? []
        : [
            {
              ride,
              request: null,
              insertion,
              pickup,
              dropoff,
              fareCents,
              seatsLeft: seatsLeftAfter(plan, insertion, wish.seats),
            },
          ];
    });
    const middleMs = (wish.earliestMs + wish.latestMs) / 2;
    return rank(
      found,
      about.passengerId,
      (fit) => fit.ride.driverId,
      () => middleMs,
      () => wish.direct.milliseconds,
    );
  }

  return {
    pointAt,
    travel,
    wishOf,

    /** Rides that fit a published request, best first. */
    ridesForRequest(request: store.RequestRow): Promise<Fit[]> {
      return ridesFor(wishOf(request), {
        passengerId: request.passengerId,
        requestId: request.id,
        offerCents: request.offerCents,
      });
    },

    /** Rides that fit a wish which is not published yet, best first. Empty where its places cannot be reached. */
    async ridesForDraft(draft: Draft, viewerId: string | null): Promise<Fit[]> {
      const direct = travel(draft.from, draft.to);
      const [pickup, dropoff] = [pointAt(draft.from), pointAt(draft.to)];
      if (direct === null || pickup === null || dropoff === null) return [];
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
      return ridesFor(wish, { passengerId: viewerId, requestId: null, offerCents: draft.offerCents });
    },

    /** Requests that fit a ride, best first. */
    async requestsForRide(ride: store.RideRow): Promise<Fit[]> {
      const plan = (await store.plansOf(db, [ride])).get(ride.id);
      if (plan === undefined) return [];
      const until = new Date(
        ride.arrivesAt.getTime() +
          ride.maxDetourMs +
          ride.latestDepartsAt.getTime() -
          ride.earliestDepartsAt.getTime(),
      );
      const [rows, joined] = await Promise.all([
        store.requestsInTime(db, ride, until, clock.now()),
        store.joinedSeats(db, [ride.id]),
      ]);
      const lookups = plan.stops.map((stop) => {
        const point = pointAt(stop);
        return point === null ? null : { to: network.travelTo(point), from: network.travelFrom(point) };
      });
      const lookupOf = (stop: PlanStop) => lookups[plan.stops.indexOf(stop)] ?? null;
      const found = rows.flatMap((request) => {
        const wish = wishOf(request);
        const [pickup, dropoff] = [pointAt(wish.pickup), pointAt(wish.dropoff)];
        const fareCents = shareCents(ride, request.seats, joined.get(ride.id) ?? 0);
        if (pickup === null || dropoff === null || !withinOffer(fareCents, request.seats, request.offerCents))
          return [];
        const insertion = bestInsertion(plan, wish, {
          toPickup: (stop) => lookupOf(stop)?.from(pickup) ?? null,
          fromPickup: (stop) => lookupOf(stop)?.to(pickup) ?? null,
          toDropoff: (stop) => lookupOf(stop)?.from(dropoff) ?? null,
          fromDropoff: (stop) => lookupOf(stop)?.to(dropoff) ?? null,
        });
        return insertion === null
          ? []
          : [
              {
                ride,
                request,
                insertion,
                pickup,
                dropoff,
                fareCents,
                seatsLeft: seatsLeftAfter(plan, insertion, request.seats),
              },
            ];
      });
      const middleMs = (request: store.RequestRow) =>
        (request.earliestAt.getTime() + request.latestAt.getTime()) / 2;
      return rank(
        found,
        ride.driverId,
        (fit) => fit.request!.passengerId,
        (fit) => middleMs(fit.request!),
        (fit) => fit.request!.driveMs,
      );
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
    joinedSeats: (tx: Db, rideIds: readonly string[]) => store.joinedSeats(tx, rideIds),
    rideById: (id: string) => store.rideById(db, id),
    requestById: (id: string) => store.requestById(db, id),
  };
}

/** Seats that stay free on the passenger's own stretch. */
function seatsLeftAfter(plan: Plan, insertion: Insertion, seats: number): number {
  const stretch = plan.stops.slice(insertion.pickupAfter, insertion.dropoffAfter + 1);
  return plan.seats - seats - Math.max(...stretch.map((stop) => stop.seatsTaken));
}

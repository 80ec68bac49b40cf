import { roundedPoint } from '#contract/units.ts';
import type { RoadNetwork, RoadPoint, Travel } from '#roads/graph/network.ts';
import type { Db } from '../../platform/database/db.ts';
import type { GeoService } from '../geo/service.ts';
import { areBothWomen } from '../identity/queries.ts';
import { explain, type Explanation, type Pair } from './rules/explain.ts';
import { planFrom, wishFrom } from './rules/from-now.ts';
import { bestInsertion, measured, type Drives, type Insertion } from './rules/insertion.ts';
import { withChange, type NearMiss } from './rules/near-miss.ts';
import { withoutBooking, type Plan } from './rules/plan.ts';
import { suits } from './rules/preferences.ts';
import { shareCents } from './rules/price.ts';
import { reroute, type Rerouted, type Rider } from './rules/rerouting.ts';
import {
  guessedTravel,
  inWholeMinutes,
  roundedPlan,
  roundedTravel,
  roundedWish,
  wholeHundreds,
  wholeMinutes,
  withoutLimits,
  type TravelBetween,
} from './rules/rounding.ts';
import { door, meetingSpot, type Spot, type Wish } from './rules/wish.ts';
import { spotsNear } from './meeting-points.ts';
import * as store from './store.ts';

const maxPointsKept = 100_000;
const maxSpotsKept = 10_000;

export type Side = 'driver' | 'passenger';

/**
 * What one person is told of a pair before the two ride together: computed from the rounded places of the other, in whole
 * minutes and hundreds of metres.
 */
export interface Told {
  /** Where the passenger gets in and out: for the driver a spot near their rounded place, `atDoor` where it is that place. */
  pickup: Spot & { atDoor: boolean };
  dropoff: Spot & { atDoor: boolean };
  pickupAfter: number;
  dropoffAfter: number;
  departsMs: number;
  pickupMs: number;
  dropoffMs: number;
  arrivesMs: number;
  detourMs: number;
  detourMetres: number;
  /** The drive of the passenger's door to door. */
  directMetres: number;
}

const toldAsAgreed = (
  booking: store.BookingRow,
  { pickup, dropoff }: { pickup: Spot; dropoff: Spot },
): Told => ({
  pickup: { ...pickup, ...roundedPoint(pickup), atDoor: true },
  dropoff: { ...dropoff, ...roundedPoint(dropoff), atDoor: true },
  pickupAfter: 0,
  dropoffAfter: 0,
  departsMs: wholeMinutes(booking.pickupAt.getTime()),
  pickupMs: wholeMinutes(booking.pickupAt.getTime()),
  dropoffMs: wholeMinutes(booking.dropoffAt.getTime()),
  arrivesMs: wholeMinutes(booking.dropoffAt.getTime()),
  detourMs: wholeMinutes(booking.detourMs),
  detourMetres: wholeHundreds(booking.detourMetres),
  directMetres: 0,
});

/** One ride and one wish, judged on what the database says: exact, and search by search. */
export function createPairs(
  geo: GeoService,
  orders: Pick<store.OrderDirectory, 'stopsWithWindows' | 'joinedSeats'>,
  nowMs: () => number,
) {
  const network: RoadNetwork = geo.network;
  const points = new Map<string, RoadPoint | null>();
  const spotsByPlace = new Map<string, readonly Spot[]>();

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

  /** The free drives of one ride and one wish, each asked of the roads when it is first needed. */
  function drivesOf(plan: Plan, wish: Wish, between: typeof travel = travel): Drives {
    const times = new Map<string, number>();
    const ms = (what: string, from: { lon: number; lat: number }, to: { lon: number; lat: number }) => {
      const known = times.get(what);
      if (known !== undefined) return known;
      const found = between(from, to)?.milliseconds ?? Infinity;
      times.set(what, found);
      return found;
    };
    const { stops } = plan;
    const { pickups, dropoffs } = wish;
    return {
      toPickup: (stop, spot) => ms(`${stop}>p${spot}`, stops[stop]!, pickups[spot]!),
      fromPickup: (spot, stop) => ms(`p${spot}>${stop}`, pickups[spot]!, stops[stop]!),
      toDropoff: (stop, spot) => ms(`${stop}>d${spot}`, stops[stop]!, dropoffs[spot]!),
      fromDropoff: (spot, stop) => ms(`d${spot}>${stop}`, dropoffs[spot]!, stops[stop]!),
      direct: (pickup, dropoff) => ms(`p${pickup}>d${dropoff}`, pickups[pickup]!, dropoffs[dropoff]!),
    };
  }

  /** The best insertion with its metres, or null. */
  function insertionOf(plan: Plan, wish: Wish, drives = drivesOf(plan, wish)): Insertion | null {
    const choice = bestInsertion(plan, wish, drives);
    if (choice === null) return null;
    return measured(plan, wish, choice, foundTravel);
  }

  /** A drive that an insertion was found by. */
  function foundTravel(from: { lon: number; lat: number }, to: { lon: number; lat: number }): Travel {
    const found = travel(from, to);
    if (found === null) throw new Error('an insertion leads over a drive that there is not');
    return found;
  }

  const travelOrGuess: TravelBetween = (from, to) => travel(from, to) ?? guessedTravel(from, to);
  const betweenRounded = roundedTravel(travel);

  /** Kept, for the same squares come again and again. */
  function spotsOfRounded(at: { lon: number; lat: number }, walkMetres: number): readonly Spot[] {
    const key = `${at.lon},${at.lat},${walkMetres}`;
    const known = spotsByPlace.get(key);
    if (known !== undefined) return known;
    const found = spotsNear(geo, at, walkMetres).map(meetingSpot);
    if (spotsByPlace.size >= maxSpotsKept) spotsByPlace.clear();
    spotsByPlace.set(key, found);
    return found;
  }

  /** A plan and a wish as one of the two people may know them before they ride together. */
  const asKnownTo = (viewer: Side, plan: Plan, wish: Wish): { plan: Plan; wish: Wish } =>
    viewer === 'driver'
      ? { plan, wish: roundedWish(wish, spotsOfRounded) }
      : { plan: roundedPlan(plan, betweenRounded), wish };

  /**
   * @param wish the passenger's whole wish. @param spots those of it that both have agreed to, or that were found; a
   * driver is told of spots near the rounded places instead.
   */
  function told(viewer: Side, plan: Plan, whole: Wish, spots: { pickup: Spot; dropoff: Spot }): Told {
    const ends = { from: whole.pickups[0]!, to: whole.dropoffs[0]! };
    const wish =
      viewer === 'driver' ? whole : { ...whole, pickups: [spots.pickup], dropoffs: [spots.dropoff] };
    const known = asKnownTo(viewer, plan, wish);
    const free = withoutLimits(known.plan, known.wish);
    const drives = drivesOf(known.plan, known.wish, travelOrGuess);
    // Exactly they may fit where by rounded places they just do not: then it is told without the limits.
    const choice =
      bestInsertion(known.plan, known.wish, drives) ?? bestInsertion(free.plan, free.wish, drives);
    if (choice === null) throw new Error('a plan without limits takes no passenger');
    const { detourMetres } = measured(known.plan, known.wish, choice, travelOrGuess);
    const direct =
      viewer === 'driver' ? betweenRounded(ends.from, ends.to) : travelOrGuess(ends.from, ends.to);
    const spot = (of: readonly Spot[], index: number) => ({ ...of[index]!, atDoor: index === 0 });
    return {
      pickup: spot(known.wish.pickups, choice.pickupSpot),
      dropoff: spot(known.wish.dropoffs, choice.dropoffSpot),
      pickupAfter: choice.pickupAfter,
      dropoffAfter: choice.dropoffAfter,
      departsMs: wholeMinutes(choice.departsMs),
      pickupMs: wholeMinutes(choice.pickupMs),
      dropoffMs: wholeMinutes(choice.dropoffMs),
      arrivesMs: wholeMinutes(choice.arrivesMs),
      detourMs: Math.max(0, wholeMinutes(choice.detourMs)),
      detourMetres: Math.max(0, wholeHundreds(detourMetres)),
      directMetres: wholeHundreds(direct.metres),
    };
  }

  /** A ride and a wish as they can still be met: no one leaves in the past. */
  function pairOf(
    ride: store.RideRow,
    agreed: Plan,
    asked: Wish,
    of: { offerCents: number | null; joinedSeats: number },
  ): Pair {
    const [plan, wish] = [planFrom(agreed, nowMs()), wishFrom(asked, nowMs())];
    return {
      plan,
      wish,
      drives: drivesOf(plan, wish),
      offerCents: of.offerCents,
      fareCentsOf: (seats) => shareCents(ride, seats, of.joinedSeats),
    };
  }

  /** A spot as people are told of it: at the door with the steps to the road and its street, which cost no time. */
  function withSteps(spot: Spot, index: number): Spot {
    const point = index === 0 ? pointAt(spot) : null;
    return point === null ? spot : { ...door(spot, point.metresFromRoad), name: point.streetName ?? '' };
  }

  async function planOf(tx: Db, ride: store.RideRow): Promise<Plan> {
    const plan = (await store.plansOf(tx, orders, [ride])).get(ride.id);
    if (plan === undefined) throw new Error(`ride ${ride.id} has no plan`);
    return plan;
  }

  return {
    pointAt,
    travel,
    planOf,

    /** As `pairOf`, with the smallest change made, where there is one. */
    changed: (
      ride: store.RideRow,
      plan: Plan,
      wish: Wish,
      of: { offerCents: number | null; joinedSeats: number },
      miss: NearMiss | null,
    ): Pair => {
      const pair = pairOf(ride, plan, wish, of);
      return miss === null ? pair : withChange(pair, miss);
    },

    /** How one pair of spots stands to a plan, or null where it does not fit (any more). */
    insertionAt(plan: Plan, wish: Wish, pickupSpot: number, dropoffSpot: number): Insertion | null {
      const only = {
        ...wish,
        pickups: wish.pickups.slice(pickupSpot, pickupSpot + 1),
        dropoffs: wish.dropoffs.slice(dropoffSpot, dropoffSpot + 1),
      };
      if (only.pickups.length === 0 || only.dropoffs.length === 0) return null;
      const insertion = insertionOf(plan, only);
      if (insertion === null) return null;
      return {
        ...insertion,
        pickupSpot,
        dropoffSpot,
        pickup: withSteps(insertion.pickup, pickupSpot),
        dropoff: withSteps(insertion.dropoff, dropoffSpot),
      };
    },

    told,
    betweenRounded,
    roundedWish: (wish: Wish): Wish => roundedWish(wish, spotsOfRounded),

    /** What one of the two is told of a booking that was never joined, by the spots that both know of. */
    toldBooking(viewer: Side, plan: Plan, request: store.RequestRow, booking: store.BookingRow): Told {
      const wish = store.wishOf(request);
      const spots = {
        pickup: store.agreedSpot(booking, 'pickup'),
        dropoff: store.agreedSpot(booking, 'dropoff'),
      };
      // What has ended may have no route left.
      if (plan.stops.length < 2) return toldAsAgreed(booking, spots);
      const isKept = plan.stops.some(({ bookingId }) => bookingId === booking.id);
      return told(viewer, isKept ? withoutBooking(plan, booking.id, travelOrGuess) : plan, wish, spots);
    },

    /**
     * Rule by rule how one request stands to one ride, for one of the two people: by the rounded places of the other, in
     * whole minutes. That both may see each other is for the caller to know.
     */
    async explain(
      db: Db,
      ride: store.RideRow,
      request: store.RequestRow,
      viewer: Side,
    ): Promise<Explanation> {
      const [plan, joined] = await Promise.all([planOf(db, ride), orders.joinedSeats(db, [ride.id])]);
      const known = asKnownTo(viewer, plan, store.wishOf(request));
      const { offerCents } = request;
      const joinedSeats = joined.get(ride.id) ?? 0;
      const { fits, rules } = explain(pairOf(ride, known.plan, known.wish, { offerCents, joinedSeats }));
      return { fits, rules: rules.map(inWholeMinutes) };
    },

    /**
     * Where somebody who is in the car already gets out again: they got in after the stop `passed`. Nobody's window and no
     * limit of the detour is asked, only seats; null where there are none.
     */
    insertionAhead(
      plan: Plan,
      passed: number,
      { seats, pickup, dropoff }: { seats: number; pickup: Spot; dropoff: Spot },
    ): { wish: Wish; insertion: Insertion } | null {
      const anyTime = { earliestMs: -Infinity, latestMs: Infinity };
      const rest: Plan = {
        ...plan,
        stops: plan.stops.slice(passed).map((stop) => ({ ...stop, ...anyTime })),
        earliestDepartsMs: plan.departsMs,
        latestDepartsMs: plan.departsMs,
        maxDetourMs: Number.MAX_SAFE_INTEGER,
      };
      const wish: Wish = {
        seats,
        pickups: [pickup],
        dropoffs: [dropoff],
        walkMetres: 0,
        ...anyTime,
        arriveByMs: Infinity,
        preferences: plan.preferences,
      };
      const drives = drivesOf(rest, wish);
      const insertion = insertionOf(rest, wish, {
        ...drives,
        toPickup: (stop, spot) => (stop === 0 ? drives.toPickup(stop, spot) : Infinity),
      });
      if (insertion === null) return null;
      const { pickupAfter, dropoffAfter } = insertion;
      return {
        wish,
        insertion: { ...insertion, pickupAfter: pickupAfter + passed, dropoffAfter: dropoffAfter + passed },
      };
    },

    /** How another way takes along those who ride on the present one. */
    reroute: (alone: Plan, riders: readonly Rider[]): Rerouted =>
      reroute(alone, riders, { drivesOf, travel: foundTravel }),

    /**
     * How one request fits one ride as it stands in `tx`, or null. Price and circles are not asked here: whoever accepts
     * has agreed to the price, and who was invited may join.
     * @param agreed the spots that both know of: no other is tried then.
     */
    async fit(
      tx: Db,
      ride: store.RideRow,
      request: store.RequestRow,
      agreed?: { pickup: Spot; dropoff: Spot },
    ): Promise<{ plan: Plan; wish: Wish; insertion: Insertion } | null> {
      const plan = planFrom(await planOf(tx, ride), nowMs());
      const asked = wishFrom(store.wishOf(request), nowMs());
      if (!suits(plan.preferences, asked.preferences)) return null;
      if (ride.women && !(await areBothWomen(tx, ride.driverId, request.passengerId))) return null;
      const wish =
        agreed === undefined ? asked : { ...asked, pickups: [agreed.pickup], dropoffs: [agreed.dropoff] };
      const insertion = insertionOf(plan, wish);
      if (insertion === null) return null;
      // At the door the walk is told, as it is wherever the pair is shown.
      const { pickupSpot, dropoffSpot } = insertion;
      const [pickup, dropoff] = [
        withSteps(insertion.pickup, pickupSpot),
        withSteps(insertion.dropoff, dropoffSpot),
      ];
      return { plan, wish, insertion: agreed === undefined ? { ...insertion, pickup, dropoff } : insertion };
    },
  };
}

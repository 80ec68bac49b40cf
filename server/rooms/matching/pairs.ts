import type { RoadNetwork, RoadPoint, Travel } from '#roads/network.ts';
import type { Db } from '../../base/db.ts';
import type { GeoService } from '../geo/service.ts';
import { explain, type Explanation, type Pair } from './rules/explain.ts';
import { bestInsertion, measured, type Drives, type Insertion } from './rules/insertion.ts';
import { withChange, type NearMiss } from './rules/near-miss.ts';
import type { Plan } from './rules/plan.ts';
import { suits } from './rules/preferences.ts';
import { shareCents } from './rules/price.ts';
import { reroute, type Rerouted, type Rider } from './rules/rerouting.ts';
import { door, type Spot, type Wish } from './rules/wish.ts';
import * as store from './store.ts';

const maxPointsKept = 100_000;

/** One ride and one wish, judged on what the database says: exact, and search by search. */
export function createPairs(geo: GeoService) {
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

  /** The drives of one ride and one wish, each asked of the roads when it is first needed. */
  function drivesOf(plan: Plan, wish: Wish): Drives {
    const times = new Map<string, number>();
    const ms = (what: string, from: { lon: number; lat: number }, to: { lon: number; lat: number }) => {
      const known = times.get(what);
      if (known !== undefined) return known;
      const found = travel(from, to)?.milliseconds ?? Infinity;
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

  function pairOf(
    ride: store.RideRow,
    plan: Plan,
    wish: Wish,
    of: { offerCents: number | null; joinedSeats: number },
  ): Pair {
    return {
      plan,
      wish,
      drives: drivesOf(plan, wish),
      offerCents: of.offerCents,
      fareCentsOf: (seats) => shareCents(ride, seats, of.joinedSeats),
    };
  }

  /** A spot as people are told of it: at the door with the steps to the road and its street, which cost no time. */
  function told(spot: Spot, index: number): Spot {
    const point = index === 0 ? pointAt(spot) : null;
    return point === null ? spot : { ...door(spot, point.metresFromRoad), name: point.streetName ?? '' };
  }

  async function planOf(tx: Db, ride: store.RideRow): Promise<Plan> {
    const plan = (await store.plansOf(tx, [ride])).get(ride.id);
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
        pickup: told(insertion.pickup, pickupSpot),
        dropoff: told(insertion.dropoff, dropoffSpot),
      };
    },

    /** Rule by rule how one request stands to one ride; that both may see each other is for the caller to know. */
    async explain(db: Db, ride: store.RideRow, request: store.RequestRow): Promise<Explanation> {
      const [plan, joined] = await Promise.all([planOf(db, ride), store.joinedSeats(db, [ride.id])]);
      const { offerCents } = request;
      const joinedSeats = joined.get(ride.id) ?? 0;
      return explain(pairOf(ride, plan, store.wishOf(request), { offerCents, joinedSeats }));
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
      const plan = await planOf(tx, ride);
      const asked = store.wishOf(request);
      if (!suits(plan.preferences, asked.preferences)) return null;
      if (ride.women && !(await store.bothWomen(tx, ride.driverId, request.passengerId))) return null;
      const wish =
        agreed === undefined ? asked : { ...asked, pickups: [agreed.pickup], dropoffs: [agreed.dropoff] };
      const insertion = insertionOf(plan, wish);
      if (insertion === null) return null;
      // At the door the walk is told, as it is wherever the pair is shown.
      const { pickupSpot, dropoffSpot } = insertion;
      const [pickup, dropoff] = [told(insertion.pickup, pickupSpot), told(insertion.dropoff, dropoffSpot)];
      return { plan, wish, insertion: agreed === undefined ? { ...insertion, pickup, dropoff } : insertion };
    },
  };
}

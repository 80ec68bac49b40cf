import type { RoadNetwork, RoadPoint, Travel } from '../../roads/graph/network.ts';
import type { RideEntry } from '../../server/features/matching/engine/entries.ts';
import type { Wish } from '../../server/features/matching/rules/wish.ts';
import { tryEverything, type BruteRide } from '../../server/testing/brute-force.ts';

/**
 * All matches of each request at the door, found by trying every ride, with nothing left out beforehand:
 * numbers of rides → extra milliseconds.
 */
export function* exactAnswers(
  rides: readonly RideEntry[],
  wishes: readonly Wish[],
  network: RoadNetwork,
): Generator<Map<number, number>> {
  const labels = new Map<
    RoadPoint,
    { from: ReturnType<RoadNetwork['label']>; to: ReturnType<RoadNetwork['label']> }
  >();
  const labelled = (point: RoadPoint) => {
    const known = labels.get(point);
    if (known !== undefined) return known;
    const made = { from: network.label(point, 'from'), to: network.label(point, 'to') };
    labels.set(point, made);
    return made;
  };
  const travel = (from: RoadPoint, to: RoadPoint): Travel | null =>
    network.meet(labelled(from).from, labelled(to).to);
  const bruteRides = rides.map(({ plan }): BruteRide => {
    const { stops, seats, earliestDepartsMs, latestDepartsMs, trafficPermille, aloneMs, maxDetourMs } = plan;
    return {
      seats,
      earliestDepartsMs,
      latestDepartsMs,
      trafficPermille,
      aloneMs,
      maxDetourMs,
      stops: stops.map((stop, i) => ({
        point: network.snap(stop)!,
        standsMs: stop.standsMs,
        earliestMs: stop.earliestMs,
        latestMs: stop.latestMs,
        seatsChange: stop.seatsTaken - (stops[i - 1]?.seatsTaken ?? 0),
      })),
    };
  });
  for (const wish of wishes) {
    const spot = (at: { lon: number; lat: number }) => ({ point: network.snap(at)!, walkMs: 0 });
    const { seats, earliestMs, latestMs, arriveByMs } = wish;
    const brute = {
      pickups: [spot(wish.pickups[0]!)],
      dropoffs: [spot(wish.dropoffs[0]!)],
      seats,
      earliestMs,
      latestMs,
      arriveByMs,
    };
    const found = new Map<number, number>();
    for (const [number, ride] of bruteRides.entries()) {
      const extra = tryEverything(ride, brute, travel);
      if (extra !== null) found.set(number, extra);
    }
    for (const { point } of [...brute.pickups, ...brute.dropoffs]) labels.delete(point);
    yield found;
  }
}

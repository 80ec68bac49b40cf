import { beforeAll, expect, test } from 'vitest';
import { apart } from '#roads/search/lane-sweep.ts';
import {
  openRoadPlaces,
  pointsOfRoad,
  questionBetween,
  type RoadPlaces,
} from '../../../testing/matching-places.ts';
import { randomFrom } from '../../../testing/random.ts';
import type { Place } from './places.ts';
import { RideRecords } from './ride-records.ts';
import { RideWays } from './ride-ways.ts';
import { RidesTogether } from './rides-together.ts';

let graph: RoadPlaces['graph'];
let places: RoadPlaces['places'];
beforeAll(async () => {
  ({ graph, places } = await openRoadPlaces());
}, 120_000);

const random = randomFrom(20_261_129);

/** Two places on one road. */
function drawnPair(): [Place, Place] {
  const { drawn } = pointsOfRoad(graph, random);
  return [places.at(drawn())!, places.at(drawn())!];
}

const msBetween = (from: Place, to: Place): number =>
  places.network.travel(from.point, to.point)?.milliseconds ?? Infinity;

/** A ride with these places alone. */
const rideOver = (stops: Place[], firstWay: number) => ({
  driver: 0,
  isPublic: true,
  isPerCar: false,
  seats: 3,
  joinedSeats: 0,
  costCents: 0,
  departs: 0,
  earliest: 0,
  latest: 0,
  traffic: 1000,
  alone: 0,
  maxDetour: 0,
  preferences: 0,
  firstStop: 0,
  stops: stops.length,
  firstWay,
});

test('rides are left out only where the drives of their ends are too long, also along the road of a spot', () => {
  const [rides, ways] = [new RideRecords(() => 0), new RideWays(places)];
  const together = new RidesTogether({ places, rides, ways });
  const ends = { toMs: 0, toSpot: 0, fromMs: 0, fromSpot: 0 };
  let [along, left] = [0, 0];
  for (let draw = 0; draw < 3_000; draw++) {
    const [[near, pickup], [dropoff, end]] = [drawnPair(), drawnPair()];
    const start = draw % 2 === 0 ? near : drawnPair()[0];
    const question = questionBetween(places, pickup, dropoff);
    const [there, home] = [msBetween(start, question.pickups[0]!), msBetween(question.dropoffs[0]!, end)];
    rides.put(0, rideOver([start, end], ways.put([start, end])));
    together.add(0, there + home, 0);
    together.narrow(question, () => true);
    expect([together.count, together.hasTime(0)]).toEqual([1, true]);
    together.endsOf(0, ends);
    if (ends.toMs !== apart) expect(ends.toMs).toBeLessThanOrEqual(there);
    if (ends.fromMs !== apart && ends.fromMs < home) along++;
    ways.drop(rides.firstWay(0));
    together.count = 0;
    // With less time than the drive to the pick-up takes, where it is known, it is left out.
    if (ends.toMs === apart || ends.toMs < 1) continue;
    rides.put(0, rideOver([start, end], ways.put([start, end])));
    together.add(0, ends.toMs - 1, 0);
    together.narrow(question, () => true);
    expect(together.count).toBe(0);
    left++;
    ways.drop(rides.firstWay(0));
    together.count = 0;
  }
  expect(along).toBeGreaterThan(20);
  expect(left).toBeGreaterThan(20);
});
